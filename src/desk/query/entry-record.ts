/**
 * Entries of the journal as they are shown: with the currency of their purchase, where the request named none, and in
 * a team's ledger with who entered them, which is the server's word.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Entered, Ledger, LedgerEntry } from '../../journal/ledger.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

type EntryLedger = Pick<Ledger, 'currenciesOf' | 'entered'>;

/** @returns the entries in the form that is printed, without their bodies, in their order */
export async function entryRecords(
  ledger: EntryLedger,
  entries: readonly LedgerEntry[],
): Promise<JsonObject[]> {
  const currencies = new Map<LedgerEntry, string>();
  const open = entries.filter(isOpen);
  for (const owner of new Set(open.map(accountKeyOf))) {
    const owned = open.filter((entry) => accountKeyOf(entry) === owner);
    const purchases = new Set(owned.map(purchaseOf).filter((id) => id !== null));
    const known = await ledger.currenciesOf(owned[0] as LedgerEntry, [...purchases]);
    for (const entry of owned) {
      const currency = known.get(purchaseOf(entry) ?? '');
      if (currency !== undefined) currencies.set(entry, currency);
    }
  }
  const entered = await ledger.entered(entries.map(({ id }) => id));
  return entries.map((entry) => {
    const record = { ...ENTRY_VIEW.record(entry), ...enteredOf(entered.get(entry.id)) };
    return isOpen(entry) ? { ...record, currency: currencies.get(entry) ?? null } : record;
  });
}

function enteredOf(entered: Entered | undefined): JsonObject {
  return entered ? { entered_by: entered.by, entered_at: entered.at } : {};
}

/** As `entryRecords`, of one. */
export async function entryRecord(ledger: EntryLedger, entry: LedgerEntry): Promise<JsonObject> {
  const [record] = await entryRecords(ledger, [entry]);
  return record as JsonObject;
}

const purchaseOf = ({ refundOf, recordId }: LedgerEntry) => refundOf ?? recordId;
const isOpen = (entry: LedgerEntry) => entry.currency === null && purchaseOf(entry) !== null;
const accountKeyOf = ({ account, profile, host }: LedgerEntry) =>
  JSON.stringify([account, profile, host]);
