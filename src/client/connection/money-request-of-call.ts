/** What the ledger keeps of a call that moves money, without its secrets. */
import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson, withoutHidden } from '../../host/redaction/scrub-json.ts';
import type { Destination, MoneyRequest } from '../../journal/ledger.ts';
import { moneyOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';

/**
 * The same for every door. A request that is no row of the interface is known by all of it: what it moves nobody knows.
 * @returns the request, of which card numbers are masked and a CVV is not even mentioned
 */
export function moneyRequestOf(
  { account, profile, environment, host }: Destination,
  operation: Operation,
  { query = {}, body = {} }: CallInput,
  scrub: Scrub = (text) => text,
): MoneyRequest {
  const keep = (given: JsonObject) =>
    scrubJson(withoutHidden(redactJson(given, 'kept')), scrub) as JsonObject;
  const kept = keep(body);
  const { target, amount, currency, reference } = moneyOf(operation, { body: kept });
  const known = { account, profile, environment, host, amount, currency, reference, body: kept };
  if (!operation.isForeign) {
    const refundOf = operation.money?.givesBack === undefined ? null : target;
    return { ...known, operation: operation.name, target, refundOf };
  }
  const keptQuery = pairsOf(query).flatMap(([name, value]) =>
    Object.entries(keep({ [name]: value })).map(([as, text]) => `${as}=${String(text)}`),
  );
  const asked = keptQuery.length === 0 ? '' : `?${keptQuery.join('&')}`;
  const name = scrub(redactText(operation.name, 'kept')) + asked;
  return { ...known, operation: name, target: `sha256:${digestOf([name, kept])}`, refundOf: null };
}

/** It is made of what may be kept: three digits of a CVV could be found by trying, and so could the middle of a card number. */
function digestOf(content: Json): string {
  return hash('sha256', JSON.stringify(content), 'hex').slice(0, 32);
}
