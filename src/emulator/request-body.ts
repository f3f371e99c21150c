/**
 * The one step in front of all handlers: from the bytes of a request to a body in the form of the
 * interface's text, in either dialect. What the deployed dialect forgives, the strict one finds fault
 * with; handlers check what is left, which is the same for both.
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { maskCardNumbers, maskKnownNumbers } from '../contract/cards/find-card-numbers.ts';
import { forgive, unknownFields } from '../contract/forgiving.ts';
import type { Dialect } from '../contract/local-account.ts';
import type { Operation } from '../contract/operation.ts';
import { kindOfName, type NameKind } from '../host/redaction/names.ts';
import { Refusal } from './resources/handler.ts';
import { fieldName } from './resources/validation.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

export interface ReadBody {
  /** Empty where the request has none. Not checked yet. */
  body: JsonObject;
  /** What the strict dialect finds at fault with how the body was sent; empty in the other. */
  faults: readonly string[];
}

/** @throws Refusal 413 or 400 */
export function readBody(
  { method, body: request }: Operation,
  sent: string | Uint8Array,
  dialect: Dialect,
): ReadBody {
  if (Buffer.byteLength(sent) > MAX_BODY_BYTES) throw bodyTooLarge();
  const isStrict = dialect === 'strict';
  if (!request) {
    if (isStrict && sent.length > 0)
      throw new Refusal(400, [`Request body must be left out of a ${method} request`]);
    return { body: {}, faults: [] };
  }
  const { value, texts } = parseJson(sent);
  const { body, forgiven } = forgive(request, objectOf(value, isStrict));
  const safe = withoutStrayCardNumbers(body);
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

/** An empty list is what PHP makes of an empty object, and null what others make of it. */
function objectOf(value: Json, isStrict: boolean): JsonObject {
  if (isObject(value)) return value;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  if (isEmpty && !isStrict) return {};
  throw new Refusal(400, ['Request body is not a JSON object']);
}

interface ParsedBody {
  value: Json;
  /** Fields whose long numbers are texts in it. */
  texts: readonly string[];
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(sent: string | Uint8Array): ParsedBody {
  try {
    const text = typeof sent === 'string' ? sent : UTF8.decode(sent);
    if (text.trim() === '') return { value: {}, texts: [] };
    const { exact, texts } = withLongNumbersAsText(text);
    return { value: JSON.parse(exact), texts };
  } catch {
    throw new Refusal(400, ['Request body is not valid JSON']);
  }
}

/** A text that does not end is taken whole, and once. */
const TEXTS_AND_LONG_NUMBERS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*\\?"?|(?<=[:[,\s])\d{16,}(?![\d.eE])/g;

/** A number of more digits than a double holds, such as a reference, would come out as another one. */
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
    // An amount that is too large is refused as such.
    if (field === 'amount' || Number.isSafeInteger(Number(part))) return part;
    texts.push(field);
    return `"${part}"`;
  });
  return { exact, texts };
}

/**
 * A card number is nowhere stored or answered, and in no other field is it one to charge. By an identifier a record
 * is found again, so it stays what was sent, but for the number of the card of this request.
 */
function withoutStrayCardNumbers(body: JsonObject): JsonObject {
  return withoutCardNumbers(body, 'other', ownNumbers(body)) as JsonObject;
}

function withoutCardNumbers(value: Json, kind: NameKind, own: ReadonlySet<string>): Json {
  if (typeof value === 'string') {
    const text = maskKnownNumbers(value, own);
    return kind === 'identifier' ? text : maskCardNumbers(text);
  }
  if (Array.isArray(value)) return value.map((item) => withoutCardNumbers(item, kind, own));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => {
    const safe = name === 'card_number' ? inner : withoutCardNumbers(inner, kindOfName(name), own);
    return [name, safe];
  });
  return Object.fromEntries(entries);
}

/** @returns the digits of the cards that a body has */
function ownNumbers(body: JsonObject): Set<string> {
  const { card_number: number, card } = body;
  const numbers = [number, isObject(card) ? card.card_number : undefined];
  return new Set(
    numbers.flatMap((one) => (typeof one === 'string' ? [one.replace(/\D/g, '')] : [])),
  );
}
