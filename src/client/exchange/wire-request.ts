/** Builds the request to send: address, headers and body. */
import type { JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { invariant, usage } from '../../failure.ts';
import type { WireRequest } from '../senders/sender.ts';

export interface CallInput {
  /** Value of the path's parameter. */
  id?: string;
  /** By name, or as pairs if a name may occur more than once. */
  query?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];
  body?: JsonObject;
  /**
   * ISO 4217 code of the body's amount if the body does not say: the currency in which a decimal was read, or that of
   * the purchase to refund. It is not sent. The answer is compared with it.
   */
  currency?: string | undefined;
}

export interface Addressee {
  baseUrl: URL;
  /** Value of the Authorization header (section 5). */
  authorization: string;
  userAgent: string;
}

/**
 * @returns the request as it will be sent; a dry run shows the same
 * @throws Failure usage if an id or a body cannot be put into a request
 */
export function wireRequest(
  { baseUrl, authorization, userAgent }: Addressee,
  { method, path }: Operation,
  input: CallInput,
): WireRequest {
  const url = urlOf(baseUrl, path, input);
  const headers = { accept: 'application/json', authorization, 'user-agent': userAgent };
  if (input.body === undefined) return { method, url, headers };
  return {
    method,
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    body: bodyText(input.body),
  };
}

function urlOf(baseUrl: URL, path: string, { id, query = {} }: CallInput): URL {
  const filled = path.replace(/\{\w+\}/, (name) => {
    invariant(id !== undefined, `a request without ${name}`);
    return encodeId(id);
  });
  const url = new URL(baseUrl.href.replace(/\/$/, '') + filled);
  for (const [name, value] of pairsOf(query)) url.searchParams.append(name, value);
  return url;
}

/** @returns the query in order; a name may occur twice */
export function pairsOf(
  query: NonNullable<CallInput['query']>,
): readonly (readonly [name: string, value: string])[] {
  return Array.isArray(query) ? query : Object.entries(query);
}

/**
 * Refuses two kinds of id. A segment of dots cannot be escaped and would lead to another endpoint. Half a surrogate
 * pair cannot be sent.
 */
function encodeId(id: string): string {
  if (!/^\.{1,2}$/.test(id) && id.isWellFormed()) return encodeURIComponent(id);
  throw usage(
    'id-invalid',
    `${JSON.stringify(id)} is not a valid id.`,
    'Check the id, then run the command again.',
  );
}

/** @returns the text that is sent. @throws Failure usage if the body is nested too deeply */
export function bodyText(body: JsonObject): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    // JSON throws a RangeError only if the stack is used up.
    if (!(error instanceof RangeError)) throw error;
    const next = 'Use a body with fewer levels.';
    throw usage('body-too-deep', 'The body is nested too deeply.', next, { cause: error });
  }
}
