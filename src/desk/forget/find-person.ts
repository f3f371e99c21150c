/** Who is meant by an email, a name, a token, a reference or an id, as far as this machine knows. */

import { Failure } from '../../failure.ts';
import type { Document } from '../../index/document.ts';
import { fold } from '../../index/normalise.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { PersonMatch } from '../../view/records/person.ts';
import { type Mentions, mentionsIn, type Person } from './person.ts';

/** Of a search; more would be no name of anybody. */
const MAX_DOCUMENTS = 2_000;
const MAX_NAMESAKES = 200;

/** @returns everybody whom a text may mean, customers first; who is called exactly so before all others */
export async function findCandidates(ledger: Ledger, text: string): Promise<PersonMatch[]> {
  const { documents } = ledger;
  const exact = await documents.tied([text], { limit: MAX_DOCUMENTS });
  const called = joined(await grouped(ledger, exact));
  if (called.length > 0) return called;
  const words = fold(text).split(' ');
  const found = await documents.search({ text, limit: MAX_DOCUMENTS });
  const about = found.filter(({ who, email }) => {
    const named = fold(`${who ?? ''} ${email ?? ''}`);
    return words.every((word) => named.includes(word));
  });
  return joined(await grouped(ledger, about));
}

/** @param customer id or reference of one @throws Failure notFound when nothing is known of it */
export async function findCustomer(ledger: Ledger, customer: string): Promise<PersonMatch> {
  const candidates = await grouped(
    ledger,
    await ledger.documents.tied([customer], { limit: MAX_DOCUMENTS }),
  );
  const id = await idOf(ledger, customer);
  const found = candidates.find((one) => one.customer === id);
  if (found) return found;
  throw nobody(`the customer ${customer}`);
}

/** @param whom as the end of a sentence */
export function nobody(whom: string): Failure {
  return new Failure('notFound', `gw keeps nothing here about ${whom}.`, {
    code: 'person-not-found',
    next: 'Use `gw find TEXT` to see what is kept. The gateway may know more; gw did not ask it.',
  });
}

async function grouped(ledger: Ledger, documents: readonly Document[]): Promise<PersonMatch[]> {
  const groups = new Map<string, PersonMatch>();
  for (const document of documents) {
    const customer = document.customer === null ? null : await idOf(ledger, document.customer);
    const name = document.who ?? document.email;
    if (document.kind === 'plan' || (customer === null && name === null)) continue;
    const key = customer === null ? `name ${fold(name ?? '')}` : `customer ${customer}`;
    const group = groups.get(key) ?? newCandidate(customer);
    groups.set(key, group);
    addDocument(group, document);
  }
  return [...groups.values()].sort(
    (a, b) => Number(a.customer === null) - Number(b.customer === null),
  );
}

function addDocument(group: PersonMatch, { kind, id, who, email, reference, at }: Document): void {
  if (who !== null) group.names.add(who);
  if (email !== null) group.emails.add(email);
  if (kind === 'customer' && reference !== null) group.references.add(reference);
  if (kind === 'purchase' || kind === 'refund') group.records.add(id);
  group.count++;
  if (at > group.lastAt) group.lastAt = at;
}

function newCandidate(customer: string | null): PersonMatch {
  return {
    customer,
    names: new Set(),
    emails: new Set(),
    references: new Set(),
    records: new Set(),
    count: 0,
    lastAt: '',
  };
}

/** An event may know a customer by its reference alone. @returns the id where some record says it */
async function idOf(ledger: Ledger, customer: string): Promise<string> {
  const [known] = await ledger.documents.tied([customer], { kinds: ['customer'], limit: 1 });
  return known?.id ?? customer;
}

/** What bears only a name is the customer's of that name where there is one, and only one. */
function joined(candidates: readonly PersonMatch[]): PersonMatch[] {
  const customers = candidates.filter(({ customer }) => customer !== null);
  const isOfOne = (one: PersonMatch) =>
    one.customer === null && customers.filter((other) => shareName(one, other)).length === 1;
  return candidates.filter((one) => !isOfOne(one));
}

function shareName(one: PersonMatch, other: PersonMatch): boolean {
  const names = new Set([...other.names].map(fold));
  return [...one.names].some((name) => names.has(fold(name)));
}

/** @returns all that tells what is theirs, from the records of a candidate */
export async function personOf(ledger: Ledger, candidate: PersonMatch): Promise<Person> {
  const { customer } = candidate;
  const records = await recordsOf(ledger, candidate);
  const mentions = records.map(({ record }) => mentionsIn(record));
  const all = (kind: keyof Mentions) => mentions.flatMap((one) => [...one[kind]]);
  const named = records.flatMap(({ name }) => name ?? []);
  const names = new Set([...[...candidate.names, ...named].map(fold), ...all('names')]);
  const tokens = new Set(all('tokens'));
  return {
    customers: new Set([
      ...(customer === null ? [] : [customer]),
      ...candidate.references,
      ...all('customers'),
    ]),
    tokens,
    emails: new Set([...[...candidate.emails].map(fold), ...all('emails')]),
    names,
    things: await thingsOf(ledger, [...tokens, ...candidate.records]),
    hasNamesakes: await haveNamesakes(ledger, names, customer),
  };
}

/** Those that say whose they are: of a customer its own, of somebody else what was found. */
async function recordsOf(ledger: Ledger, { customer, records }: PersonMatch) {
  if (customer !== null)
    return ledger.remembered({ kind: 'customer', id: customer }, MAX_DOCUMENTS);
  const ids = [...records].slice(0, MAX_DOCUMENTS);
  return (await Promise.all(ids.map((id) => ledger.remembered({ id }, MAX_DOCUMENTS)))).flat();
}

/** What is tied to a card: its purchases, and what is tied to those: refunds and money requests. */
async function thingsOf(ledger: Ledger, names: readonly string[]): Promise<Set<string>> {
  const { documents } = ledger;
  const near = await documents.tied(names, { limit: MAX_DOCUMENTS });
  const purchases = near.flatMap(({ kind, id }) => (kind === 'purchase' ? [id] : []));
  const far = await documents.tied(purchases, { limit: MAX_DOCUMENTS });
  const kinds: readonly string[] = ['purchase', 'refund', 'request'];
  const theirs = [...near, ...far].filter(({ kind }) => kinds.includes(kind));
  return new Set(theirs.map(({ kind, id }) => `${kind} ${id}`));
}

async function haveNamesakes(
  ledger: Ledger,
  names: ReadonlySet<string>,
  customer: string | null,
): Promise<boolean> {
  for (const name of names) {
    const same = await ledger.documents.tied([name], { limit: MAX_NAMESAKES });
    for (const document of same) {
      if (document.who === null || fold(document.who) !== name || document.customer === null)
        continue;
      if ((await idOf(ledger, document.customer)) !== customer) return true;
    }
  }
  return false;
}
