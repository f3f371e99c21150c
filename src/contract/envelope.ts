/**
 * Parses the JSON of answers and webhooks, and keeps the digits of numbers in fields that gw does not know. Reads the
 * response envelope (section 2.1) and its variants: `errors` as one string or missing; `response` null, {} or
 * filled on a failure; list counts as `page` and `total_pages`.
 */

import {
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
  withNumbers,
  withoutForeignMarks,
  withoutMark,
  withTexts,
  writtenNumber,
} from '../base/json.ts';
import { boundedText } from '../base/text.ts';
import { holdsCardNumber } from './cards/find-card-numbers.ts';
import { DEPLOYED_OPERATIONS, OPERATIONS } from './operations.ts';
import type { FieldType, RecordFields } from './record.ts';

/** The size of the largest body that gw sends. `--raw` shows an answer without this limit. */
const MAX_FIELD_LENGTH = 1024 * 1024;
/** Limit for text that becomes part of gw's own messages. */
export const MAX_MESSAGE_LENGTH = 2_000;

/** Counts of a list response, with the interface's names. */
export interface ListCounts {
  records?: number;
  total_records?: number;
  pages?: number;
  current_page?: number;
}

export interface Envelope {
  successful: boolean;
  response: Json;
  errors: readonly string[];
  /** true in the sandbox, false live, undefined if the body does not say. */
  test: boolean | undefined;
  counts: ListCounts;
}

/**
 * @param body a parsed JSON body
 * @param length UTF-16 units of its text, if known: a short answer has nothing to cut
 * @returns the envelope in one form; undefined if the body is not an object with a boolean `successful`
 */
export function readEnvelope(body: Json, length = Number.POSITIVE_INFINITY): Envelope | undefined {
  if (!isObject(body) || typeof body.successful !== 'boolean') return undefined;
  const { response = null } = body;
  return {
    successful: body.successful,
    response:
      length > MAX_FIELD_LENGTH
        ? withTexts(response, (text) => boundedText(text, MAX_FIELD_LENGTH))
        : response,
    errors: readErrors(body.errors),
    test: typeof body.test === 'boolean' ? body.test : undefined,
    counts: readCounts(body),
  };
}

function readErrors(errors: Json | undefined): string[] {
  const list = Array.isArray(errors) ? errors : [errors];
  return list
    .filter(isError)
    .map((error) => (typeof error === 'string' ? withoutMark(error) : asJson(error)))
    .map((error) => boundedText(error, MAX_MESSAGE_LENGTH));
}

function isError(error: Json | undefined): error is Json {
  return Boolean(error) && !(isObject(error) && Object.keys(error).length === 0);
}

function asJson(value: Json): string {
  try {
    return withNumbers(JSON.stringify(value));
  } catch {
    // JSON.stringify has used up the stack.
    return 'an error that is nested too deeply';
  }
}

function readCounts(body: JsonObject): ListCounts {
  const counts: ListCounts = {};
  for (const [name, written] of COUNTS) {
    const count = countIn(body[written]);
    if (count !== undefined) counts[name] ??= count;
  }
  return counts;
}

/** The counts, and the names under which deployments send them. */
const COUNTS: readonly (readonly [name: keyof ListCounts, written: string])[] = [
  ['records', 'records'],
  ['total_records', 'total_records'],
  ['pages', 'pages'],
  ['pages', 'total_pages'],
  ['current_page', 'current_page'],
  ['current_page', 'page'],
];

/** Some gateways return a number as text, the way it was sent. */
function countIn(value: Json | undefined): number | undefined {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** Fields that gw reads too, and that the text does not have, or has in the envelope (section 2.1). */
// biome-ignore format: names that belong together stand in one line
const OTHERS = {
  captured: 'flag', captured_amount: 'integer', test: 'flag',
  authorization_id: 'text or integer', transaction_id: 'text',
  records: 'integer', total_records: 'integer', pages: 'integer', current_page: 'integer',
  total_pages: 'integer', page: 'integer',
} as const satisfies RecordFields;

const RECORDS = [...OPERATIONS, ...DEPLOYED_OPERATIONS].map(({ response }) => response);
const TYPES: ReadonlyMap<string, FieldType> = new Map([...RECORDS, OTHERS].flatMap(typesIn));

function typesIn(fields: RecordFields): [name: string, type: FieldType][] {
  const own = Object.entries(fields);
  return [...own, ...own.flatMap(([, type]) => (typeof type === 'object' ? typesIn(type) : []))];
}

/** A quick look for a number that may change. Finds others too, also inside texts. */
const MAY_CHANGE =
  /(?:^|[:[,\s])(?:-0(?![.\d])|-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|\d[\d.]*[eE]|0\.0{6}))/;
/** A text, and the number after it if it is the name of one; or a number in a list. */
const TOKENS = /"((?:[^"\\]|\\[\s\S]?)*)"?(?:\s*:\s*(-?\d[-+.\deE]*))?|-?\d[-+.\deE]*/g;

/**
 * A number that JSON.parse would change becomes a text in a field that has texts, such as an id. It stays a number in a
 * field that has amounts, counts or flags. In any other, it becomes a written number (base/json.ts).
 * @returns undefined if the text is not JSON
 */
export function answerJson(sent: string, types = TYPES): Json | undefined {
  const text = withoutForeignMarks(sent);
  const value = jsonIn(text);
  if (value === undefined || !MAY_CHANGE.test(text)) return value;
  const kept = text.replace(TOKENS, (found, name?: string, valueOfName?: string) => {
    const digits = name === undefined ? found : valueOfName;
    if (digits === undefined || String(Number(digits)) === digits) return found;
    // A card number with an exponent is found in the number: 4.111111111111111E15.
    if (/e/i.test(digits) && holdsCardNumber(String(Number(digits)))) return found;
    const type = types.get(name ?? '');
    if (type === 'integer' || type === 'number' || type === 'flag') return found;
    const text = type === undefined ? writtenNumber(digits) : digits;
    return `${found.slice(0, -digits.length)}"${text}"`;
  });
  return jsonIn(kept);
}

/** @returns JSON with each number as it is written, for a text that is printed or sent again; undefined if it is none */
export function writtenJson(text: string): Json | undefined {
  return answerJson(text, new Map());
}
