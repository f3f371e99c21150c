/**
 * A person, as far as this machine knows one exactly, and what of a thing says who somebody is.
 *
 * An id, a reference, an email and a token are one person's. A name is many people's, so a name alone makes nothing
 * theirs; it is taken out of what is theirs.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { kindOfId, plainId } from '../../contract/record-id.ts';
import { fold } from '../../things/normalise.ts';

export interface Person {
  /** A thing with one of these marks is theirs; `markOf` writes them. */
  marks: ReadonlySet<string>;
  /** Their emails and full names, folded: what a text may have in it. */
  emails: readonly string[];
  names: readonly string[];
}

/** `record` is a purchase, a refund or a money request. */
type MarkKind = 'customer' | 'email' | 'token' | 'record';

/** @returns for example `email ada@example.com` */
export function markOf(kind: MarkKind, text: string): string {
  return `${kind} ${fold(text)}`;
}

/** @returns the texts of the marks of a kind */
export function markedAs(kind: MarkKind, marks: Iterable<string>): string[] {
  const start = `${kind} `;
  return [...marks].flatMap((mark) => (mark.startsWith(start) ? mark.slice(start.length) : []));
}

const KIND_OF_FIELD: Readonly<Record<string, MarkKind>> = {
  customer: 'customer',
  email: 'email',
  card_token: 'token',
  token: 'token',
  alias: 'token',
  transaction_id: 'record',
};

/** @returns the marks in a record, a body or an object of a delivery, at any depth */
export function marksIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(marksIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (typeof inner !== 'string') return marksIn(inner);
    const kind = KIND_OF_FIELD[field] ?? kindOfOwnName(value, field);
    return kind === undefined || inner === '' ? [] : [markOf(kind, inner)];
  });
}

/** A customer's reference may be another one's in another account. What has an amount is a purchase or a refund. */
function kindOfOwnName(value: JsonObject, field: string): MarkKind | undefined {
  if (isCustomer(value)) return field === (value.id ? 'id' : 'reference') ? 'customer' : undefined;
  return field === 'id' && 'amount' in value ? 'record' : undefined;
}

/** A purchase may have an email too. */
function isCustomer(value: JsonObject): boolean {
  return ('email' in value || 'first_name' in value) && !('amount' in value);
}

/** A thing that names a customer is that customer's, also where others have the card or the email. */
export function isTheirs({ marks }: Pick<Person, 'marks'>, found: readonly string[]): boolean {
  const customers = found.filter((mark) => mark.startsWith('customer '));
  return (customers.length > 0 ? customers : found).some((mark) => marks.has(mark));
}

/** These fields tell things apart or count money, so they stay. Every other text or number may say who it is. */
const KEPT_FIELDS = new Set([
  'id',
  'reference',
  'transaction_id',
  'card_token',
  'token',
  'customer',
  'plan',
  'event',
  'amount',
  'decimal_amount',
  'currency',
  'authorization',
  'authorization_id',
  'refunded',
  'successful',
  'authorized',
  'message',
  'response_code',
  'source',
  'errors',
  'test',
  'captured',
  'captured_amount',
  'transaction_date',
  'settlement_date',
  'created_at',
  'frequency',
  'last_status',
  'is_active',
  'start_date',
  'end_date',
  'next_billing_date',
]);

/** @returns the same with null for all that does not stay, and for each text that names them, in something of theirs */
export function keptFieldsOf(value: Json, person: Person, field?: string): Json {
  if (Array.isArray(value)) return value.map((item) => keptFieldsOf(item, person, field));
  if (isObject(value)) {
    const isHidden = (name: string) => name === 'reference' && isCustomer(value);
    const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
      name,
      isHidden(name) ? null : keptFieldsOf(inner, person, name),
    ]);
    return Object.fromEntries(entries);
  }
  // A yes or no is nobody, and may say that money moved.
  if (typeof value === 'boolean') return value;
  if (field !== undefined && !KEPT_FIELDS.has(field)) return null;
  return typeof value === 'string' ? unlessNamed(value, person, true) : value;
}

/** @returns the same with null for each text that has their email in it, in something that may be about others */
export function withoutEmails(value: Json, person: Person): Json {
  if (typeof value === 'string') return unlessNamed(value, person, false);
  if (Array.isArray(value)) return value.map((item) => withoutEmails(item, person));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, withoutEmails(inner, person)]),
  );
}

/** @returns null for a text that `namesThem` */
export function unlessNamed(text: string | null, person: Person, isTheirs: boolean): string | null {
  return text !== null && namesThem(text, person, isTheirs) ? null : text;
}

/**
 * @param isTheirs whether the text is of something of theirs; in others a name or a reference may be somebody else's
 * @returns whether a text has their email in it, or their name, or is a reference of theirs
 */
export function namesThem(text: string, person: Person, isTheirs: boolean): boolean {
  const folded = fold(text);
  if (person.emails.some((email) => folded.includes(email))) return true;
  if (!isTheirs) return false;
  // An id is the gateway's, says nothing of anybody, and is what a money request is found by.
  const isReference =
    person.marks.has(markOf('customer', text)) && kindOfId(plainId(text)) === undefined;
  return isReference || person.names.some((name) => folded.includes(name));
}
