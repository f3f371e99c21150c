/** An entry of the journal as it is shown: with the currency of its purchase, where the request named none. */
import type { JsonObject } from '../base/json.ts';
import type { Ledger, LedgerEntry } from '../journal/ledger.ts';
import { ENTRY_VIEW } from '../view/records/journal-entry.ts';

/** @returns the entry in the form that is printed, without its body */
export async function entryRecord(
  ledger: Pick<Ledger, 'currencyOf'>,
  entry: LedgerEntry,
): Promise<JsonObject> {
  const record = ENTRY_VIEW.record(entry);
  const purchase = entry.refundOf ?? entry.recordId;
  if (entry.currency !== null || purchase === null) return record;
  const currency = await ledger.currencyOf(entry, { purchase });
  return { ...record, currency: currency ?? null };
}
