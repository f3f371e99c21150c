/** What the ledger keeps of a call that moves money, without its secrets. */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { CallInput } from '../client/wire-request.ts';
import { minorUnits } from '../contract/money.ts';
import { type Operation, targetOf } from '../contract/operations.ts';
import { HIDDEN, redactJson } from '../redaction/redact.ts';
import { type Scrub, scrubJson } from '../redaction/scrub-json.ts';
import type { Destination, MoneyRequest } from './ledger.ts';

/** @returns the request, of which card numbers are masked and a CVV is not even mentioned */
export function moneyRequestOf(
  { account, profile, environment, host }: Destination,
  operation: Operation,
  { id, body = {} }: CallInput,
  scrub: Scrub = (text) => text,
): MoneyRequest {
  const kept = scrubJson(withoutHidden(redactJson(body, 'kept')), scrub) as JsonObject;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const target = targetOf(operation, { ...(id !== undefined && { id }), body: kept });
  return {
    account,
    profile,
    environment,
    host,
    operation: operation.name,
    target,
    refundOf: operation.money?.givesBack === undefined ? null : target,
    // A body of the user's own may have any number there, and a ledger must stay readable.
    amount: minorUnits(kept.amount) ?? null,
    currency: text(kept.currency),
    reference: text(kept.reference),
    body: kept,
  };
}

/** Of a CVV or another secret not even that there was one is kept. */
function withoutHidden(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHidden);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== HIDDEN);
  return Object.fromEntries(entries.map(([field, inner]) => [field, withoutHidden(inner)]));
}
