/** Learns what entries of the journal and records say of things, when they are due (src/index/deferred.ts). */
import type { JsonObject } from '../base/json.ts';
import type { RecordKind } from '../contract/record-id.ts';
import { learn, unlearn } from '../index/learn.ts';
import type { Identity } from '../index/row-of.ts';
import { withRecord, withRequest } from '../index/sources.ts';
import { get, type Work } from '../store/sql.ts';
import { type RememberedRow, recordOfRow } from './entries.ts';
import { toldByRecord } from './told-by-record.ts';
import { madeBy, type SentRequest, toldByRequest } from './told-by-request.ts';

/** Learns what an entry says now: of the record that it made, or else of itself. */
export function* learnEntry(id: string): Work<void> {
  const row = yield* get<Omit<SentRequest, 'body'> & { body: string }>(
    `SELECT id, created_at AS "createdAt", account, profile, environment, host, operation, target,
            refund_of AS "refundOf", amount, currency, reference, body, note, state,
            settled_at AS "settledAt", record_id AS "recordId", message, operator
       FROM gw.money_requests WHERE id = :id`,
    { id },
  );
  const entry = row && { ...row, body: JSON.parse(row.body) as JsonObject };
  const about: Identity | undefined = entry && {
    ...(madeBy(entry) ?? { kind: 'request', id }),
    account: entry.account,
    profile: entry.profile,
    environment: entry.environment,
  };
  // Before its outcome was known, it told of itself.
  yield* unlearn(
    id,
    function* (known) {
      return withRequest(known, id, undefined);
    },
    about ? [about] : [],
  );
  if (entry && about) yield* learn(about, (known) => withRequest(known, id, toldByRequest(entry)));
}

/** Learns what a record says now, or that it is gone. */
export function* learnRecord(kind: RecordKind, account: string, id: string): Work<void> {
  const row = yield* get<RememberedRow>(
    `SELECT account, profile, environment, host, kind, id, reference, name, last_four AS "lastFour", amount,
            seen_by AS "seenBy", record, deeds, first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"
       FROM gw.records WHERE account = :account AND kind = :kind AND id = :id`,
    { account, kind, id },
  );
  const seen = row && recordOfRow(row);
  const owner = { account, profile: seen?.profile ?? null, environment: seen?.environment ?? null };
  const isNamedTwice = kind === 'customer' || kind === 'subscription';
  yield* learn(
    { kind, id, ...owner },
    (known) => withRecord(known, seen && toldByRecord(seen)),
    isNamedTwice ? (seen?.reference ?? null) : null,
  );
}
