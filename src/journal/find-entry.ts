import { Failure } from '../failure.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

/** More tries of one payment than anybody sends. */
const MOST_TRIES = 100;

/**
 * @param id an entry's id, or enough of its beginning to identify it, or the reference that was sent
 * @throws Failure notFound if no entry matches, usage if several do
 */
export async function findEntry(ledger: Ledger, id: string): Promise<LedgerEntry> {
  const named = id === '' ? [] : await ledger.find(id);
  const [entry, second] = named.length > 0 || id === '' ? named : await ofReference(ledger, id);
  if (!entry) {
    throw new Failure(
      'entry-not-found',
      'The journal has no entry with that id or reference.',
      'Run `gw journal list` to see the entries.',
    );
  }
  if (second) {
    throw new Failure(
      'entry-ambiguous',
      'More than one entry has that reference, or begins with that id.',
      'Give the id of the one that you mean: `gw journal list` shows it.',
    );
  }
  return entry;
}

/** @returns the entries with the reference; of several, those whose outcome is unknown, if there are any */
async function ofReference(ledger: Ledger, reference: string): Promise<LedgerEntry[]> {
  const things = await ledger.things.tied([reference], { limit: MOST_TRIES });
  const ids = things.flatMap(({ sources }) => Object.keys(sources.requests));
  const sent = (await ledger.entries(ids)).filter((one) => one.reference === reference);
  const open = sent.filter(({ state }) => state === 'unknown' || state === 'sending');
  if (open.length > 0) return open;
  // A proposal that was approved has the reference of the request that it became.
  const others = sent.filter(({ state }) => state !== 'released');
  return others.length > 0 ? others : sent;
}
