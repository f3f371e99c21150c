/** What the ledger keeps of a call that moves money, without its secrets. */
import { hash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson, withoutHidden } from '../../host/redaction/scrub-json.ts';
import type { Destination, MoneyRequest } from '../../journal/ledger.ts';
import { moneyOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';

/**
 * The same for every door: what a command, a line of a batch and a request of the user's own are known by.
 * @returns the request, of which card numbers are masked and a CVV is not even mentioned
 */
export function moneyRequestOf(
  { account, profile, environment, host }: Destination,
  operation: Operation,
  { id, query = {}, body = {} }: CallInput,
  scrub: Scrub = (text) => text,
): MoneyRequest {
  const keep = (given: JsonObject) =>
    scrubJson(withoutHidden(redactJson(given, 'kept')), scrub) as JsonObject;
  const kept = keep(body);
  const keptQuery = pairsOf(query).flatMap(([name, value]) =>
    Object.entries(keep({ [name]: value })).map(([as, kept]): [string, string] => [
      as,
      String(kept),
    ]),
  );
  const input = { ...(id !== undefined && { id }), query: keptQuery, body: kept };
  const { target, amount, currency, reference, unread } = moneyOf(operation, input);
  // Whose money it moves how much, or its reference, is enough to know a request by. What only starts charges,
  // or is the user's own, may say neither.
  const mayBeSilent = operation.isForeign || operation.recurring;
  const isKnown =
    unread.length === 0 &&
    (!mayBeSilent || reference !== null || (target !== null && amount !== null));
  return {
    account,
    profile,
    environment,
    host,
    operation: operation.name,
    target: isKnown ? target : `sha256:${digestOf([operation.name, id ?? null, keptQuery, kept])}`,
    refundOf: operation.money?.givesBack === undefined ? null : target,
    amount,
    currency,
    reference,
    body: kept,
  };
}

/**
 * A request by all of its content, in whatever order its fields stand. It is made of what may be kept: three
 * digits of a CVV could be found by trying, and so could the middle of a card number.
 */
function digestOf(content: Json): string {
  return hash('sha256', JSON.stringify(sorted(content)), 'hex').slice(0, 32);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, inner]) => [name, sorted(inner)]);
}
