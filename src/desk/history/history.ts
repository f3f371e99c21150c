/** The timeline of the record that a text names, as far as this machine knows it. */

import { meantBy } from '../../requests/known/candidates.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import {
  matchNamesOf,
  type NameMatch,
  resolveName,
  TO_TELL,
} from '../../requests/known/resolve-name.ts';
import type { Owner } from '../../things/owner.ts';
import type { Item } from '../../view/panels/ties.ts';
import { collectRelated, type Roots } from './collect.ts';
import { timelineOf } from './timeline.ts';

export interface History {
  /** The records that the text names: one, or several purchases with one reference. */
  of: readonly NameMatch[];
  /** Oldest first. */
  items: Item[];
  /** true if the oldest are missing, because there are too many. */
  isCut: boolean;
}

/**
 * @param owner the account
 * @returns the timeline; without items if nothing has the name
 * @throws Failure usage if several records have it, of which the user must choose one
 */
export async function historyOf(
  known: KnownWithEvents,
  text: string,
  owner: Owner,
): Promise<History> {
  const of = meantBy(text, await resolveName(known, text, owner, TO_TELL), TO_TELL);
  if (of.length === 0) return { of, items: [], isCut: false };
  const { things, payers, isCut } = await collectRelated(known, rootsOf(of), owner);
  return { of, items: await timelineOf(known, things, payers), isCut };
}

function rootsOf(candidates: readonly NameMatch[]): Roots {
  const roots: { [Kind in keyof Roots]: string[] } = {};
  const add = (kind: keyof Roots, names: readonly string[]) => {
    roots[kind] = [...(roots[kind] ?? []), ...names];
  };
  for (const candidate of candidates) {
    const { kind, thing } = candidate;
    add(kind, matchNamesOf(candidate));
    // The purchase is needed to tell what its refund means.
    if (kind === 'refund' || kind === 'request') add('purchase', [thing.purchase ?? []].flat());
  }
  return roots;
}
