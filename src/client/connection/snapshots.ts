/** Makes the snapshots of an answer's records that the ledger remembers: pure functions. */

import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { boundedRecord } from '../../base/text.ts';
import { lastFourOf } from '../../contract/cards/card-number.ts';
import { amountOf, fullNameOf, paidOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { findOperation } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { customerDelete } from '../../contract/resources/customer.ts';
import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson } from '../../host/redaction/redactor.ts';
import type { RecordSnapshot, RememberedRecord } from '../../journal/ledger.ts';
import type { Deed } from '../../things/deed.ts';
import type { Owner } from '../../things/owner.ts';
import type { Reply } from '../exchange/classify.ts';
import type { CallInput } from '../exchange/wire-request.ts';
import { keepable, keptId, MAX_KEPT_TEXT } from './entry.ts';

/** UTF-16 units of a record as JSON that gw stores. */
const MAX_KEPT_RECORD = 64 * 1024;

/** The circumstances in which an answer is remembered. */
export interface Sighting {
  destination: Owner<string>;
  now: Date;
  /** Takes this run's secrets out of a text: a gateway may echo them. */
  scrub: Scrub;
  /** Who sends the request; '' for a look-up. */
  operator: string;
  /** Why, in the operator's words. */
  note: string | null;
  /** Whether the profile keeps more of a record than money is compared with (`remember`). */
  isWhole: boolean;
}

/** @returns what is remembered of an answer, with the change that the request made */
export function snapshotsOfReply(
  reply: Reply,
  input: CallInput,
  { destination, now, scrub, operator, note, isWhole }: Sighting,
): RecordSnapshot[] {
  const { operation } = reply;
  // The body of a purchase or refund is in the journal, and a look-up has none.
  const body = isDeed(operation)
    ? (scrubJson(keepable(input.body ?? {}), scrub) as JsonObject)
    : {};
  const changed = deedOf(operation, body);
  const sent = changed ? { ...body, id: input.id ?? null } : {};
  const records = reply.records.map((record) =>
    scrubJson({ ...record, ...unsaidOf(operation, record, sent) }, scrub),
  );
  const seen = snapshotsOf({ operation, records }, input, destination, now);
  if (changed) {
    const deed = { ...timesOf(reply, destination, now), ...changed, operator, note };
    for (const one of seen) {
      const card = sentCard(body, one.record, new Date(reply.answeredAt ?? now));
      one.deed = { ...deed, card };
      one.lastFour ??= lastFourOf(card?.record.card_number);
    }
  }
  return isWhole ? seen : seen.flatMap(amountOnly);
}

/**
 * @param to reference of the subscription that is to take the place of the one in the answer
 * @returns a note of that on the record that the answer shows
 */
export function snapshotsOfMove(
  reply: Reply,
  to: string,
  { destination, now, scrub, operator, note, isWhole }: Sighting,
): RecordSnapshot[] {
  const times = timesOf(reply, destination, now);
  const deed: Deed = { ...times, what: 'moving', fields: [], to, operator, note };
  const records = reply.records.map((record) => scrubJson(record, scrub));
  return snapshotsOf({ ...reply, records }, {}, destination, now).map((one) =>
    isWhole ? { ...one, deed } : { ...one, record: { id: one.id }, deed },
  );
}

function timesOf(
  { answeredAt }: Reply,
  { environment }: Owner,
  now: Date,
): Pick<Deed, 'at' | 'dated'> {
  const isDated = environment === 'local' && answeredAt !== undefined;
  const dated = isDated ? { dated: new Date(answeredAt).toISOString() } : {};
  return { at: now.toISOString(), ...dated };
}

/** @returns whether the answer to a change may leave out fields of the record */
export function isPartial({ deed }: RecordSnapshot): boolean {
  return deed !== undefined && deed.what !== 'created';
}

/**
 * @param known the record before it was changed
 * @returns the snapshot with what the answer leaves out. Nothing is kept of a card that was replaced
 */
export function completed(
  seen: RecordSnapshot,
  known: Pick<RememberedRecord, 'record' | 'lastFour'> | undefined,
): RecordSnapshot {
  const { record, deed } = seen;
  if (!known || !deed) return seen;
  const isNewCard = deed.card?.record.card_number !== undefined;
  const isKept = ([name]: [string, Json]) => !(isNewCard && name.startsWith('card_'));
  const before = Object.fromEntries(Object.entries(known.record).filter(isKept));
  const replaced = isNewCard ? { replaced: known.lastFour } : {};
  return { ...seen, record: { ...before, ...record }, deed: { ...deed, ...replaced } };
}

/**
 * @param body as it was sent; only its names are kept, and whether it stops or resumes a subscription
 * @returns undefined for a look-up, and for a purchase or refund: its entry in the journal says the same
 */
function deedOf(operation: Operation, body: JsonObject): Pick<Deed, 'what' | 'fields'> | undefined {
  if (!isDeed(operation)) return undefined;
  return { what: whatOf(operation, body), fields: fieldsOf(body) };
}

function isDeed({ effect, kind }: Operation): boolean {
  return effect !== 'read' && kind !== 'purchase' && kind !== 'refund';
}

/** The parts of a card are one field, whose names say nothing more. */
function fieldsOf(body: JsonObject): string[] {
  const isOfCard = (name: string) => name === 'cvv' || /^card_(?:number|holder|expiry)$/.test(name);
  return [...new Set(Object.keys(body).map((name) => (isOfCard(name) ? 'card' : name)))];
}

function whatOf(operation: Operation, body: JsonObject): Deed['what'] {
  if (operation.name === customerDelete.name) return 'deleted';
  if (operation.name === subscriptionUpdate.name && typeof body.is_active === 'boolean')
    return body.is_active ? 'resumed' : 'stopped';
  return operation.method === 'POST' ? 'created' : 'changed';
}

/** @returns those of the fields sent that the record of the answer has, and does not say: they were accepted */
function unsaidOf({ response }: Operation, record: JsonObject, sent: JsonObject): JsonObject {
  const isUnsaid = ([name, value]: [string, Json]) =>
    value !== null && Object.hasOwn(response, name) && (record[name] ?? null) === null;
  return Object.fromEntries(Object.entries(sent).filter(isUnsaid));
}

/** @returns what the body of a request says of a customer's card. A field that is undefined is not stored. */
function sentCard({ card }: JsonObject, { card_token }: JsonObject, at: Date) {
  if (!isObject(card)) return undefined;
  const { expiry_date: card_expiry, ...said } = card;
  const record = { ...said, card_expiry, card_token: card_token ?? undefined };
  return { since: at.toISOString(), record: record as JsonObject };
}

/** @returns the id that finds the record again; subscriptions are looked up by reference (endpoint 15) */
function idOf(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'card') return text(record.token);
  return text(record.id) ?? (kind === 'subscription' ? text(record.reference) : null);
}

/** @returns snapshots of an answer's records that have an id; none for a custom request (`gw api`) */
export function snapshotsOf(
  { operation, records }: Pick<Reply, 'operation' | 'records'>,
  { body = {} }: CallInput,
  destination: Owner<string>,
  now: Date,
): RecordSnapshot[] {
  if (!findOperation(operation.name)) return [];
  const { account, profile, environment, host } = destination;
  const given = redactJson({ reference: body.reference ?? null }, 'kept') as JsonObject;
  return records.flatMap((seen): RecordSnapshot[] => {
    const held = boundedRecord(seen, MAX_KEPT_TEXT, MAX_KEPT_RECORD);
    const record = redactJson(held, 'kept') as JsonObject;
    const id = idOf(operation.kind, record);
    // A declined record may have no id. Without one, nothing could refer to it.
    if (id === null) return [];
    return [
      {
        account,
        profile,
        environment,
        host,
        kind: operation.kind,
        id,
        // A refund's record does not show its reference.
        reference: text(record.reference) ?? text(given.reference),
        name: fullNameOf(record) ?? text(record.card_holder) ?? text(record.name),
        lastFour: lastFourOf(record.card_number),
        amount: operation.kind === 'purchase' ? paidOf(record) : amountOf(record),
        seenBy: operation.name,
        seenAt: now.toISOString(),
        record,
      },
    ];
  });
}

/**
 * Keeps what a profile with `remember: false` stores: the id, amount, currency and success of a purchase. A refund is
 * compared with these. Everything that identifies the customer is dropped.
 */
function amountOnly(seen: RecordSnapshot): RecordSnapshot[] {
  const { kind, id, amount, record } = seen;
  if (kind !== 'purchase' || !amount) return [];
  const { currency = null, successful = null } = record;
  return [
    {
      ...seen,
      reference: null,
      name: null,
      lastFour: null,
      record: { id, amount, currency, successful },
    },
  ];
}

function text(value: unknown): string | null {
  return value === '' ? null : keptId(value);
}
