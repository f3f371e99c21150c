/**
 * The form in which a file keeps the objects that a gateway and its users say: records, and bodies of requests. Their
 * names take more bytes than their values, and nearly all are the same few. So a file has one character for each known
 * name, in the order of the object, and then the values as they are. A value that a column of the same row has too is
 * left out, and its name has a space before it. In a row with the amount 2500:
 *
 *     {"id":"071-P-1","amount":2500,"colour":null}   ["# )!","071-P-1","colour",null]
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

/** The column that mostly has the value of a member. */
const COLUMN_OF = new Map<string, keyof RowValues>([
  ...(['id', 'reference', 'amount', 'currency'] as const).map((name) => [name, name] as const),
  ['transaction_id', 'id'],
  ['captured_amount', 'amount'],
  ['card_holder', 'name'],
  ['card_token', 'target'],
]);

/** Columns of the row of an object. A statement that changes one of them writes the object too. */
export interface RowValues {
  id: string;
  reference: string | null;
  amount: number | null;
  currency: string | null;
  /** Only a record has it. */
  name?: string | null;
  /** Only a request has it. */
  target?: string | null;
}

/** Stands before a name whose value the column has. */
const IN_COLUMN = ' ';
/** Stands for a name that is not known, which comes before its value. */
const OTHER = '!';
/** The character of the first name. The one before it is a quotation mark, which JSON writes as two. */
const FIRST = '#'.charCodeAt(0);

const characters = NAMES.map((name, n) => [name, String.fromCharCode(FIRST + n)] as const);
const CHARACTERS = new Map(characters);
const NAME_OF = new Map(characters.map(([name, character]) => [character, name]));

/**
 * @param row the columns as they are stored with the text
 * @returns the text for a store; a member that is undefined is left out, as in JSON
 */
export function textOfObject(object: JsonObject, store: Engine, row: RowValues): string {
  if (store === 'postgres') return JSON.stringify(object);
  let names = '';
  const values: Json[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const character = CHARACTERS.get(name);
    const column = COLUMN_OF.get(name);
    if (column !== undefined && value !== null && value === row[column]) {
      names += IN_COLUMN + character;
      continue;
    }
    if (character === undefined) values.push(name);
    names += character ?? OTHER;
    values.push(value);
  }
  return JSON.stringify([names, ...values]);
}

/**
 * @param text from `textOfObject`, of either store
 * @param row the columns that are stored with it
 * @returns the object, its members in their order
 */
export function objectOfText(text: string, row: RowValues): JsonObject {
  const stored = JSON.parse(text) as JsonObject | [names: string, ...values: Json[]];
  if (!Array.isArray(stored)) return stored;
  const [names] = stored;
  const object: JsonObject = {};
  let next = 1;
  let isInColumn = false;
  for (const character of names) {
    const known = NAME_OF.get(character);
    if (character === IN_COLUMN) {
      isInColumn = true;
    } else if (known === undefined) {
      setAt(object, [String(stored[next++])], stored[next++] ?? null);
    } else {
      const column = isInColumn ? COLUMN_OF.get(known) : undefined;
      object[known] = (column === undefined ? stored[next++] : row[column]) ?? null;
      isInColumn = false;
    }
  }
  return object;
}
