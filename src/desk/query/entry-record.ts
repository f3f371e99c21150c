/**
 * Entries of the journal in the printed form. If the request named no currency, it is that of its purchase. In a shared
 * ledger, the server says who entered them.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Ledger, LedgerEntry } from '../../journal/ledger.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

type EntryLedger = Pick<Ledger, 'currencies'>;

/** @returns the entries in the printed form and in order, without their bodies */
export async function entryRecords(
  ledger: EntryLedger,
  entries: readonly LedgerEntry[],
): Promise<JsonObject[]> {
  const currencies = new Map<LedgerEntry, string>();
  const open = entries.filter(isOpen);
  for (const account of new Set(open.map((entry) => entry.account))) {
    const owned = open.filter((entry) => entry.account === account);
    const purchases = new Set(owned.map(purchaseOf).filter((id) => id !== null));
    const known = await ledger.currencies({ account }, [...purchases]);
    for (const entry of owned) {
      const currency = known.get(purchaseOf(entry) ?? '');
      if (currency !== undefined) currencies.set(entry, currency);
    }
  }
  return entries.map((entry) => {
    const { enteredBy, enteredAt, proposal, approvedBy } = entry;
    return {
      ...ENTRY_VIEW.record(entry),
      ...(isOpen(entry) && { currency: currencies.get(entry) ?? null }),
      ...(enteredAt !== null && { entered_by: enteredBy, entered_at: enteredAt }),
      ...(approvedBy !== null && { proposal, approved_by: approvedBy }),
    };
  });
}

/** Makes the record of one entry. */
export async function entryRecord(ledger: EntryLedger, entry: LedgerEntry): Promise<JsonObject> {
  const [record] = await entryRecords(ledger, [entry]);
  return record as JsonObject;
}

const purchaseOf = ({ refundOf, recordId }: LedgerEntry) => refundOf ?? recordId;
const isOpen = (entry: LedgerEntry) => entry.currency === null && purchaseOf(entry) !== null;
