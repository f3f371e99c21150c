/** The timeline of the record that a text names, as far as this machine knows it. */
import type { AccountScope } from '../../base/account.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { type NameMatch, resolveName } from '../../requests/known/resolve-name.ts';
import type { Item } from '../../view/cards/timeline-item.ts';
import { collectRelated, NO_ROOTS, type Roots } from './collect.ts';
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
  const of = await resolveName(known, text, owner);
  if (of.length === 0 || !isOneThing(of)) return { of, items: [], isCut: false };
  const { things, isCut } = await collectRelated(known, rootsOf(of), owner);
  return { of, items: await timelineOf(known, things), isCut };
}

/** Attempts to pay one invoice share its reference, and belong to one story. */
function isOneThing(candidates: readonly NameMatch[]): boolean {
  const isTry = ({ kind, by }: NameMatch) =>
    by === 'reference' && (kind === 'purchase' || kind === 'request' || kind === 'refund');
  const isPayment = ({ kind, by }: NameMatch) => by === 'token' && kind === 'purchase';
  return candidates.length === 1 || candidates.every(isTry) || candidates.every(isPayment);
}

function rootsOf(candidates: readonly NameMatch[]): Roots {
  const ids = (kind: NameMatch['kind']) =>
    candidates.flatMap((one) => (one.kind === kind ? [one.id] : []));
  const purchases = new Set(ids('purchase'));
  // The purchase is needed to tell what its refund means.
  for (const { kind, thing } of candidates)
    if ((kind === 'refund' || kind === 'request') && thing.purchase !== null)
      purchases.add(thing.purchase);
  return {
    ...NO_ROOTS,
    plans: ids('plan'),
    customers: [...ids('customer'), ...referencesOf(candidates, 'customer')],
    cards: ids('card'),
    subscriptions: [...ids('subscription'), ...idsOf(candidates, 'subscription')],
    purchases: [...purchases],
    refunds: ids('refund'),
    requests: ids('request'),
  };
}

function referencesOf(candidates: readonly NameMatch[], kind: NameMatch['kind']): string[] {
  return candidates.flatMap((one) =>
    one.kind === kind && one.thing.kind === kind ? (one.thing.reference ?? []) : [],
  );
}

/** Ids of subscriptions, which are usually known by reference. */
function idsOf(candidates: readonly NameMatch[], kind: NameMatch['kind']): string[] {
  return candidates.flatMap((one) =>
    one.kind === kind && one.thing.kind === kind ? [one.thing.id] : [],
  );
}
