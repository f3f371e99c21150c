/** The record of a thing, as far as this machine knows it. */
import type { JsonObject } from '../../base/json.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { Document } from '../../index/document.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { Ledger } from '../../journal/ledger.ts';

export interface KnownRecord {
  /** In normal form. */
  record: JsonObject;
  /** When gw learnt the latest of it: ISO 8601, UTC. */
  seenAt: string;
}

/** Fields of a subscription that a webhook about a charge states (section 6). */
const TOLD_LATER = ['last_status', 'frequency', 'start_date', 'end_date'];

/**
 * @returns the record as it was last seen, with what a later webhook told of it; the record in the webhook if none was
 *   seen; undefined for a thing that only requests tell of
 */
export async function knownRecord(
  known: Pick<Ledger, 'remembered'>,
  document: Document,
): Promise<KnownRecord | undefined> {
  const { kind, id, outcome } = document;
  const { event } = document.sources;
  const seen = await rememberedOf(known, { kind: kind as RecordKind, id }, document);
  if (!seen) return event && { record: event.record, seenAt: event.seenAt };
  const { record, lastSeenAt } = seen;
  if (kind !== 'subscription') return { record, seenAt: lastSeenAt };
  const later = event && event.seenAt > lastSeenAt ? pick(event.record, TOLD_LATER) : {};
  const isStopped = outcome === 'stopped';
  return {
    record: {
      ...record,
      ...later,
      ...(isStopped && { is_active: false, next_billing_date: null }),
    },
    seenAt: document.seenAt,
  };
}

function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  );
}
