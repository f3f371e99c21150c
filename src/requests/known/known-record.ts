/** The record of a thing, as far as this machine knows it. */
import type { JsonObject } from '../../base/json.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { Thing } from '../../things/thing.ts';
import { scheduleOf } from './subscription-schedule.ts';

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
  known: Pick<Ledger, 'remembered'>,
  thing: Thing,
  today: string,
): Promise<KnownRecord | undefined> {
  const { kind, id, outcome } = thing;
  const { event } = thing.sources;
  const seen = await rememberedOf(known, { kind: kind as RecordKind, id }, thing);
  if (!seen) return event && { record: event.record, seenAt: event.seenAt };
  const { record, lastSeenAt } = seen;
  if (kind !== 'subscription') return { record, seenAt: lastSeenAt };
  const isLater = event !== undefined && event.seenAt > lastSeenAt;
  if (!isLater && outcome !== 'stopped') return { record, seenAt: lastSeenAt };
  const { lastStatus, next } = scheduleOf(thing, today);
  const later = {
    last_status: lastStatus,
    next_billing_date: outcome === 'active' ? next : null,
    is_active: outcome === 'active',
  };
  return { record: { ...record, ...later }, seenAt: thing.seenAt };
}
