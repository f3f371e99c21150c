/** A request as the ledger keeps it: pure functions, the same for a single request and for the lines of a batch. */

import type { Json, JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { sha256 } from '../../host/digest.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson, withoutHidden } from '../../host/redaction/redactor.ts';
import type { IntentConditions, LineClaim, MoneyRequest } from '../../journal/ledger.ts';
import type { Owner } from '../../things/owner.ts';
import { moneyOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';
import type { RequestOptions } from './request-options.ts';

/** A request as `moneyRequestOf` returned it, and the batch line that it claims. */
export interface KeptRequest {
  request: MoneyRequest;
  line?: LineClaim | undefined;
}

/** @returns the rules by which the ledger judges the intent of a request */
export function conditionsOf(
  { money }: Operation,
  line: LineClaim | undefined,
  {
    refusesDuplicates,
    refusesOverRefunds,
  }: Pick<RequestOptions, 'refusesDuplicates' | 'refusesOverRefunds'>,
): IntentConditions {
  return {
    noDuplicate: refusesDuplicates,
    noOverRefund: refusesOverRefunds && money?.givesBack !== undefined,
    ...(line && { line }),
  };
}

/**
 * Builds the ledger's form of a request, the same for every caller. A custom request (`gw api`) is identified by all of
 * its content, because nobody knows what it moves.
 * @returns the request with card numbers masked and the CVV removed
 */
export function moneyRequestOf(
  { account, profile, environment, host }: Owner<string>,
  operation: Operation,
  { query = {}, body = {}, currency: read }: CallInput,
  { scrub = (text) => text, note = null }: { scrub?: Scrub; note?: string | null } = {},
): MoneyRequest {
  const keep = (given: JsonObject) => scrubJson(keepable(given), scrub) as JsonObject;
  const kept = keep(body);
  const { target, amount, currency, reference } = moneyOf(operation, {
    body: kept,
    currency: read,
  });
  const refundOf = operation.money?.givesBack === undefined ? null : target;
  const request = {
    account,
    profile,
    environment,
    host,
    operation: operation.name,
    target,
    refundOf,
    amount,
    currency,
    reference,
    body: kept,
    note,
  };
  if (!operation.isForeign) return request;
  const keptQuery = pairsOf(query).flatMap(([name, value]) =>
    Object.entries(keep({ [name]: value })).map(([as, text]) => `${as}=${String(text)}`),
  );
  const asked = keptQuery.length === 0 ? '' : `?${keptQuery.join('&')}`;
  const name = scrub(redactText(operation.name, 'kept')) + asked;
  const digest = `sha256:${digestOf([name, kept])}`;
  return { ...request, operation: name, target: digest, refundOf: null };
}

/** @returns the body with card numbers masked, and without what is hidden */
export function keepable(body: JsonObject): Json {
  const safe = redactJson(body, 'kept');
  return safe === body ? body : withoutHidden(safe);
}

/**
 * Digests only masked content. From a digest, somebody could guess three digits of a CVV, or the middle of a card
 * number.
 */
function digestOf(content: Json): string {
  return sha256(JSON.stringify(content)).slice(0, 32);
}
