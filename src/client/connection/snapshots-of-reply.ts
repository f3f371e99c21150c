/** From an answer to the records that are remembered of it. */
import { boundedRecord } from '../../base/bounded.ts';
import type { JsonObject } from '../../base/json.ts';
import { operationNamed } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import type { Destination, Sighting } from '../../journal/ledger.ts';
import { keptId, MAX_KEPT_RECORD, MAX_KEPT_TEXT } from '../../journal/records/limits.ts';
import type { Reply } from '../exchange/classify.ts';
import type { CallInput } from '../exchange/wire-request.ts';

/** @returns what the record is found by again; subscriptions are looked up by reference (endpoint 15) */
function idOf(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'card') return text(record.token);
  return text(record.id) ?? (kind === 'subscription' ? text(record.reference) : null);
}

/** @returns the records of an answer that have an id; none of a request that is no row's */
export function sightingsOf(
  { operation, records }: Reply,
  { body = {} }: CallInput,
  destination: Destination,
  now: Date,
): Sighting[] {
  if (!operationNamed(operation.name)) return [];
  const { account, profile, environment, host } = destination;
  const given = redactJson(body, 'kept') as JsonObject;
  return records.flatMap((seen): Sighting[] => {
    const held = boundedRecord(seen, MAX_KEPT_TEXT, MAX_KEPT_RECORD);
    const record = redactJson(held, 'kept') as JsonObject;
    const id = idOf(operation.kind, record);
    // A record that was declined may have no id; without one there is nothing to come back to.
    if (id === null) return [];
    const { amount } = record;
    return [
      {
        account,
        profile,
        environment,
        host,
        kind: operation.kind,
        id,
        // A refund does not show the reference it was made with.
        reference: text(record.reference) ?? text(given.reference),
        name: nameOf(record),
        lastFour: /(\d{4})$/.exec(text(record.card_number) ?? '')?.[1] ?? null,
        amount: typeof amount === 'number' && record.successful !== false ? amount : null,
        seenBy: operation.name,
        seenAt: now.toISOString(),
        record,
      },
    ];
  });
}

/**
 * What is kept for a profile that remembers nothing: of a purchase its id and what was paid, since a
 * refund is compared with it, and nothing of whose it is.
 */
export function amountOnly(seen: Sighting): Sighting[] {
  const { kind, id, amount, record } = seen;
  if (kind !== 'purchase' || amount === null) return [];
  const { currency = null, successful = null } = record;
  return [
    {
      ...seen,
      ...{ reference: null, name: null, lastFour: null },
      record: { id, amount, currency, successful },
    },
  ];
}

function nameOf(record: JsonObject): string | null {
  const parts = [text(record.first_name), text(record.last_name)].filter((part) => part !== null);
  if (parts.length > 0) return parts.join(' ');
  return text(record.card_holder) ?? text(record.name);
}

function text(value: unknown): string | null {
  return value === '' ? null : keptId(value);
}
