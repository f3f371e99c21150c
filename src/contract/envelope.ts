/**
 * The response envelope (section 2.1) and what deployments make of it: `errors` as one string or
 * left out, `response` null, {} or filled on a failure, list counts as `page` and `total_pages`.
 */

import { boundedJson, boundedText } from '../base/bounded.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';

/** As long as all of a body that gw sends may be; the answer as it came has all of it (`--raw`). */
const MAX_FIELD_LENGTH = 1024 * 1024;
/** Of what becomes a part of gw's own messages. */
export const MAX_MESSAGE_LENGTH = 2_000;

/** Counts of a list response, under the interface's names. */
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
  /** true in the sandbox, false live, undefined where the body does not say. */
  test: boolean | undefined;
  counts: ListCounts;
}

/**
 * @param body a parsed JSON body
 * @returns the envelope in one form, or undefined when the body is not an envelope: not an object,
 *   or one without a boolean `successful`
 */
export function readEnvelope(body: Json): Envelope | undefined {
  if (!isObject(body) || typeof body.successful !== 'boolean') return undefined;
  return {
    successful: body.successful,
    response: boundedJson(body.response ?? null, MAX_FIELD_LENGTH),
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
    // The stack is used up.
    return 'an error that is nested too deeply';
  }
}

function readCounts(body: JsonObject): ListCounts {
  const counts: ListCounts = {};
  const take = (name: keyof ListCounts, ...alternatives: string[]) => {
    const found = [name, ...alternatives]
      .map((key) => countIn(body[key]))
      .find((count) => count !== undefined);
    if (found !== undefined) counts[name] = found;
  };
  take('records');
  take('total_records');
  take('pages', 'total_pages');
  take('current_page', 'page');
  return counts;
}

/** Some gateways send back the text that was sent. */
function countIn(value: Json | undefined): number | undefined {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return typeof value === 'number' ? value : undefined;
}
