/**
 * The record of a thing, as far as this machine knows it.
 *
 * Tests: test/scripts/commands/get-anything.script, test/scripts/commands/history.script
 */
import type { JsonObject } from '../../base/json.ts';
import { responseCodeOf } from '../../contract/normal.ts';
import type { RecordKind } from '../../contract/record.ts';
import type { StoredEvent } from '../../events/event.ts';
import { readDelivery } from '../../events/read/read-delivery.ts';
import type { Ledger, RememberedRecord } from '../../journal/ledger.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { newestEvent } from '../../things/sources.ts';
import { isSaidActive } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import type { KnownWithEvents } from './lazy-ledger.ts';
import { scheduleOf } from './subscription-schedule.ts';

/** Each account can have one record with a given id. Hardly anybody has more accounts than this. */
const MAX_OWNERS = 100;

/** @returns the record with that id as `owner` last saw it; undefined if the ledger has none */
export async function rememberedOf(
  known: Pick<Ledger, 'remembered'>,
  { kind, id }: { kind: RecordKind; id: string },
  owner: Owner,
): Promise<RememberedRecord | undefined> {
  const records = await known.remembered({ kind, id }, MAX_OWNERS);
  return records.find((one) => isOwnedBy(one, owner, 'named'));
}

export interface KnownRecord {
  /** In normal form. */
  record: JsonObject;
  /** When gw learnt the latest of it: ISO 8601, UTC. */
  seenAt: string;
}

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns the record as it was last seen, with what a later webhook told of it; the record in the webhook if none was
 *   seen; undefined for a thing that only requests tell of
 */
export async function knownRecord(
  known: Pick<KnownWithEvents, 'remembered' | 'events'>,
  thing: Thing,
  today: string,
): Promise<KnownRecord | undefined> {
  const { kind, id } = thing;
  const event = newestEvent(thing.sources);
  const seen = await rememberedOf(known, { kind: kind as RecordKind, id }, thing);
  if (!seen) {
    const [told] = event ? await known.events([event.event]) : [];
    return (
      event && { record: withState(recordIn(told, thing), thing, today), seenAt: event.seenAt }
    );
  }
  const { record, lastSeenAt } = seen;
  const isLater = event !== undefined && event.seenAt > lastSeenAt;
  if (kind !== 'subscription' || (!isLater && thing.outcome !== 'stopped'))
    return { record, seenAt: lastSeenAt };
  return { record: withState(record, thing, today), seenAt: thing.seenAt };
}

/**
 * @param thing a payment or a refund
 * @returns its response code (`responseCodeOf`), as its record says it or the request that made it; null if neither does
 */
export async function responseCodeOfThing(
  known: Pick<KnownWithEvents, 'remembered' | 'events' | 'find'>,
  thing: Thing,
): Promise<string | null> {
  const seen = thing.kind === 'request' ? undefined : await knownRecord(known, thing, '');
  const entries = await Promise.all(
    Object.keys(thing.sources.requests).map((id) => known.find(id)),
  );
  const sent = entries.flat().find(({ responseCode }) => responseCode);
  return responseCodeOf(seen?.record.response_code) ?? sent?.responseCode ?? null;
}

/** @returns the record of a subscription in the state that webhooks tell of; any other record as it is */
function withState(record: JsonObject, thing: Thing, today: string): JsonObject {
  if (thing.kind !== 'subscription') return record;
  const isActive = isSaidActive(thing);
  const { lastStatus, next } = scheduleOf(thing, today);
  // The record of one that was stopped has the date of the first charge that is not made.
  const missed = record.is_active === false ? (record.next_billing_date ?? null) : null;
  const state = { last_status: lastStatus, next_billing_date: isActive ? next : missed };
  return { ...record, ...state, is_active: isActive };
}

/** @returns the record of a thing as hearsay has it */
export async function recordHeard(
  known: Pick<KnownWithEvents, 'events'>,
  thing: Thing,
): Promise<JsonObject> {
  const { event } = thing.sources.heard ?? {};
  const [told] = event === undefined ? [] : await known.events([event]);
  return recordIn(told, thing);
}

/** @returns the record of the thing in the event; empty if the event is gone */
function recordIn(event: StoredEvent | undefined, { kind, id }: Thing): JsonObject {
  const parts = event ? readDelivery(event.body).parts : [];
  const records = parts.map((part) => part[kind as 'purchase' | 'subscription' | 'customer']);
  return records.find((record) => record?.id === id) ?? {};
}
