/**
 * The form in which a file keeps the objects that a gateway and its users say: records, and bodies of requests. Their
 * names take more bytes than their values, and nearly all are the same few. So a file has one character for each known
 * name, in the order of the object, and then the values as they are:
 *
 *     {"id":"071-P-1","amount":2500,"colour":null}   ["#)!","071-P-1",2500,"colour",null]
 *
 * A server keeps objects as JSON, because its SQL reads them (docs/schema.sql).
 */
import { type Json, type JsonObject, setAt } from '../../base/json.ts';
import type { Engine } from '../sql.ts';

/** The known names. A file knows them by their places: a new name goes to the end, and none moves or goes. */
const NAMES = [
  ...['id', 'authorization', 'card_number', 'card_holder', 'card_expiry', 'card_token', 'amount'],
  ...['decimal_amount', 'successful', 'authorized', 'message', 'reference', 'currency', 'source'],
  ...['settlement_date', 'transaction_date', 'response_code', 'captured', 'captured_amount'],
  ...['transaction_id', 'card_type', 'card_category', 'card_subcategory', 'rrn', 'cvv_match'],
  ...['metadata', 'addendum_data', 'refunded', 'type', 'email', 'first_name', 'last_name'],
  ...['created_at', 'bank_account', 'address', 'customer', 'plan', 'frequency', 'start_date'],
  ...['end_date', 'next_billing_date', 'last_status', 'is_active', 'name', 'description'],
  ...['subscription_count', 'token', 'card_issuer', 'card_country', 'transaction_count', 'alias'],
  ...['customer_ip', 'capture', 'card', 'expiry_date'],
];

/** Stands for a name that is not known, which comes before its value. */
const OTHER = '!';
/** The character of the first name. The one before it is a quotation mark, which JSON writes as two. */
const FIRST = '#'.charCodeAt(0);

const characters = NAMES.map((name, n) => [name, String.fromCharCode(FIRST + n)] as const);
const CHARACTERS = new Map(characters);
const NAME_OF = new Map(characters.map(([name, character]) => [character, name]));

/** @returns the text for a store; a member that is undefined is left out, as in JSON */
export function textOfObject(object: JsonObject, store: Engine): string {
  if (store === 'postgres') return JSON.stringify(object);
  let names = '';
  const values: Json[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const character = CHARACTERS.get(name);
    if (character === undefined) values.push(name);
    names += character ?? OTHER;
    values.push(value);
  }
  return JSON.stringify([names, ...values]);
}

/** @param text from `textOfObject`, of either store @returns the object, its members in their order */
export function objectOfText(text: string): JsonObject {
  const stored = JSON.parse(text) as JsonObject | [names: string, ...values: Json[]];
  if (!Array.isArray(stored)) return stored;
  const [names] = stored;
  const object: JsonObject = {};
  let next = 1;
  for (const character of names) {
    const known = NAME_OF.get(character);
    if (known !== undefined) object[known] = stored[next++] ?? null;
    else setAt(object, [String(stored[next++])], stored[next++] ?? null);
  }
  return object;
}
