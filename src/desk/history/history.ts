/** The timeline of a record, as far as this machine knows it. */
import type { Host } from '../../host/host.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { isTry, matchNamesOf, type NameMatch } from '../../requests/known/resolve-name.ts';
import type { Owner } from '../../things/owner.ts';
import type { Item } from '../../view/panels/ties.ts';
import { asOfDay } from '../query/search.ts';
import { collectRelated, type Roots } from './collect.ts';
import { timelineOf } from './timeline.ts';

export interface History {
  /** Oldest first. */
  items: Item[];
  /** true if the oldest are missing, because there are too many. */
  isCut: boolean;
}

/** @param of one record, or several purchases with one reference @param owner the account */
export async function historyOf(
  host: Pick<Host, 'clock' | 'files'>,
  known: KnownWithEvents,
  of: readonly NameMatch[],
  owner: Owner,
): Promise<History> {
  const { things, payers, isCut } = await collectRelated(known, rootsOf(of), owner);
  return { items: await timelineOf(known, await asOfDay(host, things), payers), isCut };
}

function rootsOf(candidates: readonly NameMatch[]): Roots {
  const roots: { [Kind in keyof Roots]: string[] } = {};
  const add = (kind: keyof Roots, names: readonly string[]) => {
    roots[kind] = [...(roots[kind] ?? []), ...names];
  };
  for (const candidate of candidates) {
    const { kind, by, thing } = candidate;
    add(kind, matchNamesOf(candidate));
    // The purchase is needed to tell what its refund means.
    if (kind === 'refund' || kind === 'request') add('purchase', [thing.purchase ?? []].flat());
    if (by === 'reference' && isTry(kind)) add('attempt', [thing.reference ?? []].flat());
  }
  return roots;
}
