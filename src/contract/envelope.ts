/**
 * The response envelope (section 2.1) and its variants: `errors` as one string or missing; `response` null, {} or
 * filled on a failure; list counts as `page` and `total_pages`.
 */

import { boundedJson, boundedText } from '../base/bounded.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';

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
    response: length > MAX_FIELD_LENGTH ? boundedJson(response, MAX_FIELD_LENGTH) : response,
    errors: readErrors(body.errors),
    test: typeof body.test === 'boolean' ? body.test : undefined,
    counts: readCounts(body),
  };
}

function readErrors(errors: Json | undefined): string[] {
  const list = Array.isArray(errors) ? errors : [errors];
  return list
    .filter(isError)
    .map((error) => (typeof error === 'string' ? error : asJson(error)))
    .map((error) => boundedText(error, MAX_MESSAGE_LENGTH));
}

function isError(error: Json | undefined): error is Json {
  return Boolean(error) && !(isObject(error) && Object.keys(error).length === 0);
}

function asJson(value: Json): string {
  try {
    return JSON.stringify(value);
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
