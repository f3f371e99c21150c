/**
 * A person, as far as this machine knows one: what a record, a request or an event has to mention to be
 * theirs, and what of it is blanked.
 *
 * Ids, references, emails and tokens belong to one person. A name may belong to several: it tells
 * nothing where somebody else is known by it, or where the thing names another customer.
 *
 * This folder has whose data it is: who is meant (find-person.ts), and erasing what is kept of them.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { fold } from '../../index/normalise.ts';

export interface Person {
  /** Ids of the customer and references to it, as they are written. */
  customers: ReadonlySet<string>;
  /** Of cards. */
  tokens: ReadonlySet<string>;
  /** Folded. */
  emails: ReadonlySet<string>;
  /** Full names, folded. */
  names: ReadonlySet<string>;
  /** Kind and id of what is theirs whatever it mentions, such as a refund of their purchase. */
  things: ReadonlySet<string>;
  /** Whether somebody else is known by one of the names. */
  hasNamesakes: boolean;
}

/** Whom something mentions; emails and names are folded. */
export interface Mentions {
  customers: Set<string>;
  tokens: Set<string>;
  emails: Set<string>;
  names: Set<string>;
}

/** @returns whom a record, a body or an object of a delivery mentions */
export function mentionsIn(value: Json): Mentions {
  const found: Mentions = {
    customers: new Set(),
    tokens: new Set(),
    emails: new Set(),
    names: new Set(),
  };
  collect(value, found);
  return found;
}

function collect(value: Json, found: Mentions): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
  } else if (isObject(value)) {
    for (const [field, inner] of Object.entries(value)) {
      if (typeof inner === 'string') addField(field, inner, found);
      else collect(inner, found);
    }
    for (const name of namesOf(value)) found.names.add(fold(name));
    for (const own of ownNamesOf(value)) found.customers.add(own);
  }
}

const TOKENS = ['card_token', 'token'];

function addField(field: string, text: string, { customers, tokens, emails }: Mentions): void {
  if (text === '') return;
  if (field === 'customer') customers.add(text);
  else if (TOKENS.includes(field)) tokens.add(text);
  else if (field === 'email') emails.add(fold(text));
}

/** A customer says who it is by these; a purchase, which may have an email, has others of its own. */
function ownNamesOf(value: JsonObject): string[] {
  const isCustomer = ('email' in value || 'first_name' in value) && !('amount' in value);
  return isCustomer ? texts(value.id, value.reference) : [];
}

function namesOf({
  first_name: first,
  last_name: last,
  card_holder: holder,
}: JsonObject): string[] {
  return texts(texts(first, last).join(' '), holder);
}

function texts(...values: readonly (Json | undefined)[]): string[] {
  return values.filter((value) => typeof value === 'string' && value !== '') as string[];
}

/** @returns whether it may be theirs or a namesake's: it bears the name, and nothing that tells */
export function isUnsure(person: Person, mentions: Mentions): boolean {
  return person.hasNamesakes && mentions.customers.size === 0 && meet(person.names, mentions.names);
}

export function isTheirs(person: Person, mentions: Mentions): boolean {
  if (meet(person.customers, mentions.customers)) return true;
  if (mentions.customers.size > 0) return false;
  if (meet(person.tokens, mentions.tokens) || meet(person.emails, mentions.emails)) return true;
  return !person.hasNamesakes && meet(person.names, mentions.names);
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const one of others) if (some.has(one)) return true;
  return false;
}

/** Fields that say who somebody is, where they live and what they pay with. */
const PERSONAL = new Set([
  ...['first_name', 'last_name', 'email', 'phone', 'mobile', 'customer_ip', 'ip_address'],
  ...['address', 'city', 'state', 'postcode', 'country'],
  ...['card_holder', 'card_number', 'card_expiry', 'expiry_date', 'alias'],
]);
/** A shorter text is in others by chance. */
const MIN_PART = 3;

/**
 * @param isAllTheirs false blanks only what names them, in something that is about others too
 * @returns the same with null where it said who they are
 */
export function withoutPerson(value: Json, person: Person, isAllTheirs: boolean): Json {
  if (typeof value === 'string') return namesThem(value, person) ? null : value;
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, person, isAllTheirs));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([field, inner]): [string, Json] => {
    if (!isAllTheirs || !PERSONAL.has(field))
      return [field, withoutPerson(inner, person, isAllTheirs)];
    return [field, isObject(inner) ? withoutPerson(inner, person, true) : null];
  });
  return Object.fromEntries(entries);
}

/** @returns whether a text is a reference of theirs, or has their email or name in it */
export function namesThem(
  text: string,
  { customers, emails, names, hasNamesakes }: Person,
): boolean {
  // An id is the gateway's, says nothing of anybody, and is what a money request is found by.
  if (customers.has(text)) return kindOfId(text) === undefined;
  const folded = fold(text);
  const parts = [...emails, ...(hasNamesakes ? [] : names)];
  return parts.some((part) => part.length >= MIN_PART && folded.includes(part));
}
