/**
 * The single step before all handlers: turns the bytes of a request into a body in the form of the interface's text, in
 * either dialect. The strict dialect reports as faults what the deployed one forgives. Handlers check the rest, which
 * is the same for both.
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { readJson } from '../base/json-text.ts';
import { maskCardNumbers, maskKnownNumbers } from '../contract/cards/find-card-numbers.ts';
import { forgive, unknownFields } from '../contract/forgiving.ts';
import type { Dialect } from '../contract/local-account.ts';
import type { Operation } from '../contract/operation.ts';
import { kindOfName, type NameKind } from '../host/redaction/redact.ts';
import { type Call, Refusal } from './resources/handler.ts';
import { fieldName } from './resources/validation.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

/** @throws Refusal 413 or 400 */
export function readBody(
  { method, body: written, deployedBody }: Operation,
  sent: string | Uint8Array,
  dialect: Dialect,
): Pick<Call, 'body' | 'faults'> {
  if (Buffer.byteLength(sent) > MAX_BODY_BYTES) throw bodyTooLarge();
  const isStrict = dialect === 'strict';
  const request = isStrict ? written : (deployedBody ?? written);
  if (!request) {
    if (isStrict && sent.length > 0)
      throw new Refusal(400, [`Request body must be left out of a ${method} request`]);
    return { body: {}, faults: [] };
  }
  const { value, texts } = parseJson(sent, isStrict);
  const { body, forgiven } = forgive(request, objectOf(value, isStrict));
  const safe = withoutCardNumbers(body, 'other', { own: ownNumbers(body), depth: 1 }) as JsonObject;
  if (!isStrict) return { body: safe, faults: [] };
  const faults = [
    ...texts.map((field) => `${fieldName(field)} must be text, not a number`),
    ...forgiven.map(({ path, rule }) => `${fieldName(String(path.at(-1)))} ${rule}`),
    ...unknownFields(request, body).map((path) => `${path.join('.')} is no field of this request`),
  ];
  return { body: safe, faults };
}

export function bodyTooLarge(): Refusal {
  return new Refusal(413, ['Request body is larger than 1 MiB']);
}

/** PHP encodes an empty object as an empty list, and other clients as null. */
function objectOf(value: Json, isStrict: boolean): JsonObject {
  if (isObject(value)) return value;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  if (isEmpty && !isStrict) return {};
  throw new Refusal(400, ['Request body is not a JSON object']);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * @returns `texts` are the fields whose long numbers became texts
 * @throws Refusal 400 for what is not JSON, and if it is strict for a field that is there twice
 */
function parseJson(
  sent: string | Uint8Array,
  isStrict: boolean,
): { value: Json; texts: readonly string[] } {
  try {
    const text = typeof sent === 'string' ? sent : UTF8.decode(sent);
    if (text.trim() === '') return { value: {}, texts: [] };
    const { exact, texts } = withLongNumbersAsText(text);
    const fault = isStrict ? readJson(exact).fault : undefined;
    if (fault?.code === 'json-field-repeated')
      throw new Refusal(400, [`Request body ${fault.problem} at character ${fault.offset + 1}`]);
    return { value: JSON.parse(exact), texts };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, ['Request body is not valid JSON']);
  }
}

/** Matches a text without an end as a whole, in one attempt. */
const TEXTS_AND_LONG_NUMBERS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*\\?"?|(?<=[:[,\s])\d{16,}(?![\d.eE])/g;

/** A number with more digits than a double holds, such as a reference, would change its value. */
function withLongNumbersAsText(text: string): { exact: string; texts: readonly string[] } {
  if (!/[:,[]\s*\d{16}/.test(text)) return { exact: text, texts: [] };
  const texts: string[] = [];
  let before = '""';
  const exact = text.replace(TEXTS_AND_LONG_NUMBERS, (part) => {
    if (part.startsWith('"')) {
      before = part;
      return part;
    }
    const field = JSON.parse(before) as string;
    // An amount that is too large is refused later.
    if (field === 'amount' || Number.isSafeInteger(Number(part))) return part;
    texts.push(field);
    return `"${part}"`;
  });
  return { exact, texts };
}

/** Far more than any body needs, and far less than the stack allows. */
const MAX_DEPTH = 100;

interface At {
  /** The numbers of this request's own cards. */
  own: ReadonlySet<string>;
  /** The number of levels that contain the value. */
  depth: number;
}

/**
 * Card numbers are never stored or answered, and only the card's own fields charge one. An identifier finds a record
 * again, so it keeps the text that was sent. The exception is the number of this request's own card.
 * @throws Refusal 400 for more levels than `MAX_DEPTH`
 */
function withoutCardNumbers(value: Json, kind: NameKind, { own, depth }: At): Json {
  if (typeof value === 'string') {
    const text = maskKnownNumbers(value, own);
    return kind === 'identifier' ? text : maskCardNumbers(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH)
    throw new Refusal(400, [`Request body is nested more than ${MAX_DEPTH} levels deep`]);
  const inside = { own, depth: depth + 1 };
  if (Array.isArray(value)) return value.map((item) => withoutCardNumbers(item, kind, inside));
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => {
    const safe =
      name === 'card_number' ? inner : withoutCardNumbers(inner, kindOfName(name), inside);
    return [name, safe];
  });
  return Object.fromEntries(entries);
}

/** @returns the digits of the card numbers in a body */
function ownNumbers(body: JsonObject): Set<string> {
  const { card_number: number, card } = body;
  const numbers = [number, isObject(card) ? card.card_number : undefined];
  return new Set(
    numbers.flatMap((one) => (typeof one === 'string' ? [one.replace(/\D/g, '')] : [])),
  );
}
