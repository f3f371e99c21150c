/** The result of a line as it is printed. */
import type { Json, JsonObject } from '../../base/json.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import type { Operation } from '../../contract/operation.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import type { NumberedResult } from './engine/run.ts';
import { reasonOf } from './reason.ts';

/** @returns the result as JSON has it: the record of the gateway whole, keys left out that have no value */
export function nestedRecord({
  line,
  outcome,
  isEarlier,
  entry,
  record,
  error,
}: NumberedResult): JsonObject {
  const shown: JsonObject = { line, outcome };
  if (isEarlier) shown.earlier = true;
  if (entry !== undefined) shown.entry = entry;
  if (record !== undefined) shown.record = redactJson(record);
  if (error !== undefined) shown.error = error as Json;
  return shown;
}

/**
 * @returns the result as a row of a table, with the same fields for each line, null where there is none
 */
export function flatRecord(result: NumberedResult, operation: Operation): JsonObject {
  const { line, outcome, isEarlier, entry, record = {}, error, body, currency } = result;
  const asked = redactJson(body) as JsonObject;
  const made = redactJson(record) as JsonObject;
  return {
    line,
    outcome,
    earlier: isEarlier,
    id: made.id ?? made.token ?? null,
    reference: asked.reference ?? null,
    amount: asked.amount ?? null,
    currency: asked.currency ?? (asked.amount === undefined ? null : (currency ?? null)),
    target: targetOf(operation, { body: asked }),
    message: reasonOf(result) || null,
    next: error?.next ?? null,
    entry: entry ?? null,
  };
}
