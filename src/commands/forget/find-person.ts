/**
 * Finds the person whom an id, a reference, an email or a token names, in what this machine knows.
 *
 * Tests: test/unit/commands/forget/erasure-cases.ts, test/scripts/commands/forget.script
 */
import { Failure, usage } from '../../failure.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { NamedThings } from '../../requests/known/lazy-ledger.ts';
import { withoutHearsay } from '../../requests/known/proven.ts';
import { type NameMatch, resolveName } from '../../requests/known/resolve-name.ts';
import { fold } from '../../things/normalise.ts';
import type { Thing } from '../../things/thing.ts';
import { markedAs, marksIn, type Person, personMark } from './person.ts';

/** More things than a person has, so that the search finds all of them. */
const MAX_THINGS = 100_000;
/** A shorter name could be part of another word. */
const MIN_NAME = 3;
/** A person is erased in every account, so all of them are searched. */
const ANY_ACCOUNT = { account: null, profile: null, environment: null, host: null };

export interface FoundPerson extends Person {
  /** Names, emails and ids of the customer, as they are written. */
  called: readonly string[];
  /** The name, email or id that the user typed. */
  typed: string;
}

/** The marks of a person that the search gathers. */
interface Gathered {
  marks: Set<string>;
  names: Set<string>;
  called: Set<string>;
}

/**
 * Hearsay under the name is erased too, but it makes nobody who is known otherwise the person: anyone can send
 * a webhook that gives somebody's name to another.
 * @param text id, reference, email or token
 * @param isCustomer only a customer is looked for
 * @throws Failure notFound if nothing has it, usage if it is a name, or belongs to several people
 */
export async function findPerson(
  ledger: Ledger,
  text: string,
  isCustomer: boolean,
): Promise<FoundPerson> {
  const { named, heard } = await matchesOf(ledger, text, isCustomer);
  const matches = named.length > 0 ? named : heard;
  const [first] = matches;
  const isEmail = text.includes('@');
  if (!first && !isEmail) throw nobody(text);
  if (first?.by === 'name') throw onlyAName(text);
  const customers = await customersIn(ledger, matches);
  if (customers.length > 1 && matches === named) throw severalPeople(text, customers);
  const [customer] = customers;
  const found =
    customer === undefined
      ? await gatherOthers(ledger, onlyOne(text, matches))
      : await gatherCustomer(ledger, customer);
  for (const id of await customersIn(ledger, heard)) found.marks.add(personMark('customer', id));
  // The table does not say by which name it found a thing.
  if (isEmail) found.marks.add(personMark('email', text));
  else if (customer === undefined && !isOfOneThing(first))
    found.marks.add(personMark('token', text));
  return { ...(await withMoney(ledger, found)), typed: text };
}

/** @returns what has the name without hearsay; and what has it by hearsay alone, and is about nobody known otherwise */
async function matchesOf(
  ledger: Ledger,
  text: string,
  isCustomer: boolean,
): Promise<{ named: NameMatch[]; heard: NameMatch[] }> {
  const sure = withoutHearsay(ledger);
  const matchesIn = async (known: NamedThings) =>
    (await resolveName(known, text, ANY_ACCOUNT, { hearsay: 'counts' })).filter(
      (match) => match.kind !== 'plan' && !(isCustomer && !customerIn(match)),
    );
  const heard: NameMatch[] = [];
  for (const match of await matchesIn(ledger)) {
    const known = await sure.things.tied(await customersIn(ledger, [match]), { limit: 1 });
    if (match.thing.told === 'heard' && known.length === 0) heard.push(match);
  }
  return { named: await matchesIn(sure), heard };
}

function isOfOneThing(match: NameMatch | undefined): boolean {
  return match?.by === 'id' || match?.by === 'reference';
}

/** @throws Failure usage if an id or a reference names several things */
function onlyOne(text: string, matches: readonly NameMatch[]): readonly NameMatch[] {
  if (matches.length < 2 || !isOfOneThing(matches[0])) return matches;
  const ids = matches.map(({ id }) => id);
  throw severalPeople(text, ids);
}

function customerIn({ kind, id, thing }: NameMatch): string | null {
  return kind === 'customer' ? id : thing.customer;
}

/** @returns the ids of customers, each once; an event may know a customer by its reference alone */
async function customersIn(ledger: Ledger, matches: readonly NameMatch[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const match of matches) {
    const customer = customerIn(match);
    if (customer === null) continue;
    const [known] = await ledger.things.tied([customer], { kinds: ['customer'], limit: 1 });
    ids.add(known?.id ?? customer);
  }
  return [...ids];
}

async function gatherCustomer(ledger: Ledger, customer: string): Promise<Gathered> {
  const records = await ledger.remembered({ kind: 'customer', id: customer }, MAX_THINGS);
  const marks = new Set([
    personMark('customer', customer),
    ...records.flatMap(({ record, reference, deeds }) => [
      ...marksIn(record),
      ...deeds.flatMap(({ formerToken }) => (formerToken ? personMark('token', formerToken) : [])),
      ...(reference === null ? [] : [personMark('customer', reference)]),
    ]),
  ]);
  const found: Gathered = { marks, names: new Set(), called: new Set() };
  const tied = await ledger.things.tied(markedAs('customer', marks), { limit: MAX_THINGS });
  for (const thing of tied) {
    const { kind, reference, customer: theirs } = thing;
    if (theirs === null || !marks.has(personMark('customer', theirs))) continue;
    addCalled(found, thing);
    if (kind === 'customer' && reference !== null) marks.add(personMark('customer', reference));
    if (thing.purchase !== null) marks.add(personMark('record', thing.purchase));
  }
  found.called.add(customer);
  return found;
}

async function gatherOthers(ledger: Ledger, matches: readonly NameMatch[]): Promise<Gathered> {
  const found: Gathered = { marks: new Set(), names: new Set(), called: new Set() };
  for (const { kind, id, thing } of matches) {
    found.marks.add(personMark(kind === 'card' ? 'token' : 'record', id));
    addCalled(found, thing);
    if (kind === 'request') continue;
    for (const { record } of await ledger.remembered({ kind, id }, MAX_THINGS))
      for (const mark of marksIn(record)) found.marks.add(mark);
  }
  return found;
}

function addCalled({ marks, names, called }: Gathered, { who, email }: Thing): void {
  if (who !== null) names.add(fold(who));
  if (email !== null) marks.add(personMark('email', email));
  for (const text of [who, email]) if (text !== null) called.add(text);
}

/** Adds the purchases of the person's cards and emails and their refunds, and finds the requests about any of them. */
async function withMoney(ledger: Ledger, found: Gathered): Promise<Omit<FoundPerson, 'typed'>> {
  const { marks, names, called } = found;
  const limit = MAX_THINGS;
  const links = [...markedAs('token', marks), ...markedAs('email', marks)];
  const near = await ledger.things.tied(links, { limit });
  for (const { kind, id, who, customer } of near) {
    if (kind !== 'purchase' || customer !== null) continue;
    marks.add(personMark('record', id));
    if (who !== null) names.add(fold(who));
  }
  const customers = markedAs('customer', marks);
  const far = await ledger.things.tied([...markedAs('record', marks), ...customers], { limit });
  for (const { kind, id, purchase } of far)
    if (kind === 'refund' && purchase !== null && marks.has(personMark('record', purchase)))
      marks.add(personMark('record', id));
  return {
    marks,
    emails: markedAs('email', marks).filter((email) => email.includes('@')),
    names: [...names].filter((name) => name.length >= MIN_NAME),
    called: [...called],
  };
}

export function nobody(text: string): Failure {
  return new Failure(
    'person-not-found',
    `gw keeps nothing personal here under ${JSON.stringify(text)}.`,
    'Use `gw find TEXT` to see what is kept, then give an id, reference, email or card token that it shows. The gateway may know more; gw did not ask it.',
  );
}

function onlyAName(text: string): Failure {
  return usage(
    'person-only-named',
    `A name is not enough: ${JSON.stringify(text)} may be the name of several people.`,
    'Nothing was erased. Use `gw find` with the name, then `gw forget` with the email, id, reference or card token that it shows.',
  );
}

function severalPeople(text: string, ids: readonly string[]): Failure {
  return usage(
    'several-people',
    `${JSON.stringify(text)} could mean any of these: ${ids.join(', ')}.`,
    'Nothing was erased. Use `gw find` to see them, then `gw forget` with the id of one.',
  );
}
