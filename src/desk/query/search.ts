/** Asking the index, and those that know better what it says of a request. */
import type { Document } from '../../index/document.ts';
import type { SearchQuery } from '../../index/search-index.ts';
import type { Ledger } from '../../journal/ledger.ts';

/**
 * As `SearchIndex.search`. What is still `sending` to the index may have been left behind, which only its
 * entry knows; and a refund has the currency of its purchase.
 */
export async function searchIndex(ledger: Ledger, asked: SearchQuery): Promise<Document[]> {
  const outcomes = [asked.outcome ?? []].flat();
  const isOfEntry = outcomes.includes('unknown') || outcomes.includes('sending');
  const outcome = isOfEntry ? [...new Set([...outcomes, 'unknown', 'sending'])] : asked.outcome;
  const found = await ledger.documents.search({ ...asked, outcome });
  const documents = await Promise.all(
    found.map((document) =>
      document.kind === 'request' ? asItsEntry(ledger, document) : document,
    ),
  );
  return isOfEntry
    ? documents.filter(({ outcome }) => outcomes.includes(outcome ?? ''))
    : documents;
}

async function asItsEntry(ledger: Ledger, document: Document): Promise<Document> {
  const [entry] = document.outcome === 'sending' ? await ledger.find(document.id) : [];
  const outcome = entry?.state ?? document.outcome;
  const { account, purchase, currency } = document;
  if (currency !== null || !purchase || account === null) return { ...document, outcome };
  const known = await ledger.currencies({ account }, [purchase]);
  return { ...document, outcome, currency: known.get(purchase) ?? null };
}
