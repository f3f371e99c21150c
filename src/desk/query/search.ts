/** Asking the index, and those that know better what it says of a request. */
import type { Fact } from '../../index/document.ts';
import type { FactSearch } from '../../index/search-index.ts';
import type { Ledger } from '../../journal/ledger.ts';

/**
 * As `Facts.search`. What is still `sending` to the index may have been left behind, which only its
 * entry knows; and a refund has the currency of its purchase.
 */
export async function searchIndex(ledger: Ledger, asked: FactSearch): Promise<Fact[]> {
  const outcomes = [asked.outcome ?? []].flat();
  const isOfEntry = outcomes.includes('unknown') || outcomes.includes('sending');
  const outcome = isOfEntry ? [...new Set([...outcomes, 'unknown', 'sending'])] : asked.outcome;
  const found = await ledger.facts.search({ ...asked, outcome });
  const facts = await Promise.all(
    found.map((fact) => (fact.kind === 'request' ? asItsEntry(ledger, fact) : fact)),
  );
  return isOfEntry ? facts.filter(({ outcome }) => outcomes.includes(outcome ?? '')) : facts;
}

async function asItsEntry(ledger: Ledger, fact: Fact): Promise<Fact> {
  const [entry] = fact.outcome === 'sending' ? await ledger.find(fact.id) : [];
  const { account, profile, host, purchase } = fact;
  const isWhole = fact.currency !== null || !purchase || profile === null || host === null;
  const currency = isWhole
    ? fact.currency
    : await ledger.currencyOf({ account, profile, host }, { purchase });
  return { ...fact, outcome: entry?.state ?? fact.outcome, currency: currency ?? null };
}
