import type { JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';

/** @returns an entry of the journal as it is printed, without the body of the request */
export function entryRecord(entry: LedgerEntry): JsonObject {
  return {
    id: entry.id,
    created_at: entry.createdAt,
    state: entry.state,
    operation: entry.operation,
    amount: entry.amount,
    currency: entry.currency,
    reference: entry.reference,
    target: entry.target,
    record_id: entry.recordId,
    message: entry.message,
    status: entry.status,
    profile: entry.profile,
    environment: entry.environment,
    host: entry.host,
    settled_at: entry.settledAt,
    resolution: entry.resolution,
    batch: entry.batch,
  };
}
