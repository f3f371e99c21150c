/**
 * Entries of the journal as they are shown: with the currency of their purchase, where the request named none, and in
 * a team's ledger with who entered them, which is the server's word.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Ledger, LedgerEntry } from '../../journal/ledger.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

type EntryLedger = Pick<Ledger, 'currencies'>;

/** @returns the entries in the form that is printed, without their bodies, in their order */
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
    const record = { ...ENTRY_VIEW.record(entry), ...enteredOf(entry) };
    return isOpen(entry) ? { ...record, currency: currencies.get(entry) ?? null } : record;
  });
}

function enteredOf({ enteredBy, enteredAt }: LedgerEntry): JsonObject {
  return enteredAt === null ? {} : { entered_by: enteredBy, entered_at: enteredAt };
}

/** Makes the record of one entry. */
export async function entryRecord(ledger: EntryLedger, entry: LedgerEntry): Promise<JsonObject> {
  const [record] = await entryRecords(ledger, [entry]);
  return record as JsonObject;
}

const purchaseOf = ({ refundOf, recordId }: LedgerEntry) => refundOf ?? recordId;
const isOpen = (entry: LedgerEntry) => entry.currency === null && purchaseOf(entry) !== null;
