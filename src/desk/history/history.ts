/** The timeline of the record that a text names, as far as this machine knows it. */
import type { AccountScope } from '../../base/account.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { type NameMatch, namesOf, resolveName } from '../../requests/known/resolve-name.ts';
import type { Item } from '../../view/panels/ties.ts';
import { collectRelated, type Roots } from './collect.ts';
import { timelineOf } from './timeline.ts';

export interface History {
  /** The records that the text names: one, or several purchases with one reference. */
  of: NameMatch[];
  /** Oldest first. */
  items: Item[];
  /** true if the oldest are missing, because there are too many. */
  isCut: boolean;
}

/**
 * @param owner the account
 * @returns the timeline; without items if `of` is empty, or has several records of which the user must choose one
 */
export async function historyOf(
  known: KnownWithEvents,
  text: string,
  owner: AccountScope,
): Promise<History> {
  const of = await resolveName(known, text, owner, true);
  if (of.length === 0 || !isOneThing(of)) return { of, items: [], isCut: false };
  const { things, payers, isCut } = await collectRelated(known, rootsOf(of), owner);
  return { of, items: await timelineOf(known, things, payers), isCut };
}

/** Attempts to pay one invoice share its reference, and belong to one story. */
function isOneThing(candidates: readonly NameMatch[]): boolean {
  const isTry = ({ kind, by }: NameMatch) =>
    by === 'reference' && (kind === 'purchase' || kind === 'request' || kind === 'refund');
  const isPayment = ({ kind, by }: NameMatch) => by === 'token' && kind === 'purchase';
  return candidates.length === 1 || candidates.every(isTry) || candidates.every(isPayment);
}

function rootsOf(candidates: readonly NameMatch[]): Roots {
  const roots: { [Kind in keyof Roots]: string[] } = {};
  const add = (kind: keyof Roots, names: readonly string[]) => {
    roots[kind] = [...(roots[kind] ?? []), ...names];
  };
  for (const candidate of candidates) {
    const { kind, thing } = candidate;
    add(kind, namesOf(candidate));
    // The purchase is needed to tell what its refund means.
    if (kind === 'refund' || kind === 'request') add('purchase', [thing.purchase ?? []].flat());
  }
  return roots;
}
