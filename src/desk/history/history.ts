/** The timeline of whatever a text names, as far as this machine knows it. */
import type { Owner } from '../../base/account.ts';
import type { Item } from '../../view/cards/timeline-item.ts';
import { type Candidate, named } from '../query/resolve-name.ts';
import type { Known } from '../query/sources.ts';
import { gather, NO_ROOTS, type Roots } from './collect.ts';
import { timelineOf } from './timeline.ts';

export interface History {
  /** What the text names: one record, or several purchases with one reference. */
  of: Candidate[];
  /** Oldest first. */
  items: Item[];
  /** true where the oldest are missing, because there are too many. */
  isCut: boolean;
}

/**
 * @param owner whose it is
 * @returns what happened; without items where `of` is none, or several of which one is to be chosen
 */
export async function historyOf(known: Known, text: string, owner: Owner): Promise<History> {
  const of = await named(known, text, owner);
  if (of.length === 0 || !isOneThing(of)) return { of, items: [], isCut: false };
  const { facts, isCut } = await gather(known, await rootsOf(known, of), owner);
  return { of, items: await timelineOf(known, facts), isCut };
}

/** Tries to pay one invoice have its reference in common, and are one story. */
function isOneThing(candidates: readonly Candidate[]): boolean {
  const isTry = ({ kind, by }: Candidate) =>
    by === 'reference' && (kind === 'purchase' || kind === 'request' || kind === 'refund');
  const isPayment = ({ kind, by }: Candidate) => by === 'token' && kind === 'purchase';
  return candidates.length === 1 || candidates.every(isTry) || candidates.every(isPayment);
}

async function rootsOf(known: Known, candidates: readonly Candidate[]): Promise<Roots> {
  const ids = (kind: Candidate['kind']) =>
    candidates.flatMap((one) => (one.kind === kind ? [one.id] : []));
  const purchases = new Set(ids('purchase'));
  // The whole of a purchase tells what a refund of it means.
  for (const { kind, fact } of candidates)
    if (kind === 'refund' && fact.purchase !== null) purchases.add(fact.purchase);
  for (const id of ids('request')) {
    const [entry] = await known.find(id);
    const purchase = entry?.refundOf ?? null;
    if (purchase !== null) purchases.add(purchase);
  }
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

function referencesOf(candidates: readonly Candidate[], kind: Candidate['kind']): string[] {
  return candidates.flatMap((one) =>
    one.kind === kind && one.fact.kind === kind ? (one.fact.reference ?? []) : [],
  );
}

/** Ids beside the references that subscriptions are known by. */
function idsOf(candidates: readonly Candidate[], kind: Candidate['kind']): string[] {
  return candidates.flatMap((one) =>
    one.kind === kind && one.fact.kind === kind ? [one.fact.id] : [],
  );
}
