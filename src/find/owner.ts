/** Whose a fact is: what is known of one account is never mixed with what is known of another. */
import type { Fact } from '../facts/fact.ts';

/** As in `Fact`; null where it is not known. */
export type Owner = Pick<Fact, 'account' | 'profile' | 'host'>;

/**
 * Of two whose accounts are known, those tell. An event has no account and may have no profile: then it
 * is anybody's, and belongs to whoever has the ids that it names.
 */
export function isOf(one: Owner, other: Owner): boolean {
  if (one.account !== null && other.account !== null) return one.account === other.account;
  const fits = (mine: string | null, theirs: string | null) =>
    mine === null || theirs === null || mine === theirs;
  return fits(one.profile, other.profile) && fits(one.host, other.host);
}

/** @returns one for each account among them, in the order of the facts; of those without a profile none */
export function ownersOf(facts: readonly Owner[]): Owner[] {
  const owners: Owner[] = [];
  // An account tells more than a profile, so facts that have one come first.
  const sorted = facts.toSorted((one, other) => Number(!one.account) - Number(!other.account));
  for (const { account, profile, host } of sorted) {
    const owner = { account, profile, host };
    if (profile !== null && !owners.some((known) => isOf(known, owner))) owners.push(owner);
  }
  return owners;
}
