/** From an answer to what is kept of it: the outcome, and the records. */
import { boundedRecord, boundedText } from '../../base/bounded.ts';
import type { JsonObject } from '../../base/json.ts';
import { isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import { operationNamed } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson } from '../../host/redaction/scrub-json.ts';
import type { Destination, RecordSnapshot, Settlement } from '../../journal/ledger.ts';
import { keptId, MAX_KEPT_RECORD, MAX_KEPT_TEXT } from '../../journal/limits.ts';
import type { Reply } from '../exchange/classify.ts';
import type { CallInput } from '../exchange/wire-request.ts';

/** @returns what the record is found by again; subscriptions are looked up by reference (endpoint 15) */
function idOf(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'card') return text(record.token);
  return text(record.id) ?? (kind === 'subscription' ? text(record.reference) : null);
}

/** @returns the records of an answer that have an id; none of a request that is no row's */
export function snapshotsOf(
  { operation, records }: Reply,
  { body = {} }: CallInput,
  destination: Destination,
  now: Date,
): RecordSnapshot[] {
  if (!operationNamed(operation.name)) return [];
  const { account, profile, environment, host } = destination;
  const given = redactJson(body, 'kept') as JsonObject;
  return records.flatMap((seen): RecordSnapshot[] => {
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
export function amountOnly(seen: RecordSnapshot): RecordSnapshot[] {
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

/** @returns an answer whose records have no secrets of this run in them: a gateway may say them back */
export function scrubReply(reply: Reply, scrub: Scrub): Reply {
  return { ...reply, records: reply.records.map((record) => scrubJson(record, scrub)) };
}

/** @returns what an entry of the journal says of the outcome */
export function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string'
      ? // Before it is cut, since a part of a secret is not known any more.
        redactText(boundedText(scrub(message), MAX_KEPT_TEXT), 'foreign')
      : null;
  if (result instanceof Failure) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: keptId(result.id),
      message: told(result.message),
    };
  }
  const [record = {}, ...others] = result.records;
  return {
    // Several are what a request of the user's own was answered with: none of them speaks for all.
    state: others.length > 0 ? 'done' : stateOf(result, record),
    status: result.status,
    recordId: keptId(result.operation.kind === 'card' ? record.token : record.id),
    message: told(record.message),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A request that is no row of the interface may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (said === 'approved') return 'done';
  if (isUnsuccessful(said)) return said;
  return operation.authorizes ? 'unknown' : 'done';
}

/** A failure of any other kind says nothing certain about the money. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};
