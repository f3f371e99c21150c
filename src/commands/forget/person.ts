/**
 * The marks by which gw recognises one person exactly, and the fields of a thing that identify somebody.
 *
 * An id, a reference, an email and a token belong to one person. Several people may share a name, so a name alone makes
 * nothing theirs. gw removes it from things that are theirs.
 */
import { eachField, isObject, type Json, type JsonObject, withTexts } from '../../base/json.ts';
import { kindOfId, plainId } from '../../contract/record.ts';
import { fold } from '../../things/normalise.ts';

export interface Person {
  /** A thing with one of these marks belongs to the person; `personMark` writes them. */
  marks: ReadonlySet<string>;
  /** Their emails and full names, folded, to find in texts. */
  emails: readonly string[];
  names: readonly string[];
}

/** `record` is a purchase, a refund or a money request. */
type MarkKind = 'customer' | 'email' | 'token' | 'record';

/** @returns for example `email ada@example.com` */
export function personMark(kind: MarkKind, text: string): string {
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
  const marks: string[] = [];
  eachField(value, (field, inner, object) => {
    const kind = KIND_OF_FIELD[field] ?? kindOfOwnName(object, field);
    if (kind !== undefined && typeof inner === 'string' && inner !== '')
      marks.push(personMark(kind, inner));
  });
  return marks;
}

/** Another account may have the same reference. A thing with an amount is a purchase or a refund. */
function kindOfOwnName(value: JsonObject, field: string): MarkKind | undefined {
  if (isCustomer(value)) return field === (value.id ? 'id' : 'reference') ? 'customer' : undefined;
  return field === 'id' && 'amount' in value ? 'record' : undefined;
}

/** A purchase may have an email too. */
function isCustomer(value: JsonObject): boolean {
  return ('email' in value || 'first_name' in value) && !('amount' in value);
}

/** A thing that names a customer belongs to that customer, even if others have the card or the email. */
export function isTheirs({ marks }: Pick<Person, 'marks'>, found: readonly string[]): boolean {
  const customers = found.filter((mark) => mark.startsWith('customer '));
  return (customers.length > 0 ? customers : found).some((mark) => marks.has(mark));
}

/**
 * A quick look at a row before it is read: what a mark names is a whole text, between quotation marks, and only an email
 * also counts within one. A text with a backslash is written otherwise than it is, so it may always be about them.
 * @returns whether a stored row may be about the person, by its texts, which have a quotation mark between them
 */
export function glanceFor({ marks, emails }: Person): (text: string) => boolean {
  const named = new Set([...marks].map((mark) => mark.slice(mark.indexOf(' ') + 1)));
  const isWritten = [...named, ...emails].every((text) => !/["\\]/.test(text));
  return (text) => {
    if (!isWritten || text.includes('\\')) return true;
    const folded = fold(text);
    if (emails.some((email) => folded.includes(email))) return true;
    return folded.split('"').some((one) => named.has(one.trim()));
  };
}

/** These fields identify things or count money, so they stay. Any other text or number may identify a person. */
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

/** @returns a thing of the person with null for all fields that do not stay, and for texts that name the person */
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
  // A boolean identifies nobody, and may say that money moved.
  if (typeof value === 'boolean') return value;
  if (field !== undefined && !KEPT_FIELDS.has(field)) return null;
  return typeof value === 'string' ? unlessNamed(value, person, true) : value;
}

/** @returns a thing that may be about others, with null for each text that contains the person's email */
export function withoutEmails(value: Json, person: Person): Json {
  return withTexts(value, (text) => unlessNamed(text, person, false));
}

/** @returns null for a text that `namesThem` */
export function unlessNamed(text: string | null, person: Person, isTheirs: boolean): string | null {
  return text !== null && namesThem(text, person, isTheirs) ? null : text;
}

/**
 * @param isTheirs whether the text is from a thing of theirs; elsewhere a name or a reference may be another person's
 * @returns whether the text contains their email or name, or is their reference
 */
export function namesThem(text: string, person: Person, isTheirs: boolean): boolean {
  const folded = fold(text);
  if (person.emails.some((email) => folded.includes(email))) return true;
  if (!isTheirs) return false;
  // An id belongs to the gateway and says nothing about a person. Money requests are found by it.
  const isReference =
    person.marks.has(personMark('customer', text)) && kindOfId(plainId(text)) === undefined;
  return isReference || person.names.some((name) => folded.includes(name));
}
