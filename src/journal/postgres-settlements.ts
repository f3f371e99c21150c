/** Outcomes on a server, with the records that answers showed and the facts of both. */
import { factOfRequest, originOfRequest } from '../facts/fact-of-request.ts';
import { ownersOf } from '../facts/postgres-owner.ts';
import { type OriginatedFact, putFacts } from '../facts/postgres-write-facts.ts';
import type { RunStatement } from '../postgres/server.ts';
import type { LedgerEntry, Settlement, Sighting } from './ledger.ts';
import {
  type EntryRow,
  entryOf,
  IS_ABANDONED,
  SENDER_GONE,
  STORED_COLUMNS,
} from './postgres-entries.ts';
import { takeIn } from './postgres-sightings.ts';

/** What is to be written at once; without an entry the sightings alone. */
export interface Outcome {
  entry?: { id: string; settlement: Settlement };
  sightings: readonly Sighting[];
}

/**
 * Writes outcomes, in one transaction, which may be done twice.
 * @returns ids of the entries that are there; of one that is not, nothing is written
 */
export async function writeOutcomes(
  run: RunStatement,
  outcomes: readonly Outcome[],
): Promise<ReadonlySet<string>> {
  const entries = await settled(
    run,
    outcomes.flatMap(({ entry }) => entry ?? []),
  );
  const there = new Set(entries.map(({ id }) => id));
  const seen = outcomes.filter(({ entry }) => !entry || there.has(entry.id));
  const ofRecords = await takeIn(
    run,
    seen.flatMap(({ sightings }) => sightings),
  );
  // Last, since whose they are may be known from the records.
  await putFacts(run, [...ofRecords, ...(await factsOfEntries(run, entries))]);
  return there;
}

/**
 * An attempt that somebody resolved meanwhile, and whose line was sent again, is one more at its line:
 * its outcome is written all the same, and it makes room for the other.
 */
const SETTLE = `
  UPDATE gw.money_requests AS m
     SET state = given.state, settled_at = now(), status = given.status,
         record_id = given.record_id, message = given.message,
         superseded = m.superseded OR m.state NOT IN ('sending', 'unknown') AND EXISTS (
           SELECT 1 FROM gw.money_requests AS other
            WHERE coalesce(other.account, '') = coalesce(m.account, '') AND other.batch = m.batch
              AND other.line = m.line AND other.id <> m.id AND NOT other.superseded
              AND other.state IN ('sending', 'unknown', 'done'))
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[])
           AS given (id, state, status, record_id, message)
   WHERE m.id = given.id
  RETURNING ${STORED_COLUMNS}`;

async function settled(
  run: RunStatement,
  given: readonly { id: string; settlement: Settlement }[],
): Promise<LedgerEntry[]> {
  if (given.length === 0) return [];
  const rows = await run<EntryRow>(SETTLE, [
    given.map(({ id }) => id),
    given.map(({ settlement }) => settlement.state),
    given.map(({ settlement }) => settlement.status),
    given.map(({ settlement }) => settlement.recordId),
    given.map(({ settlement }) => settlement.message),
  ]);
  return rows.map(entryOf);
}

/** @returns facts of entries as they are given */
export async function factsOfEntries(
  run: RunStatement,
  entries: readonly LedgerEntry[],
): Promise<OriginatedFact[]> {
  const nameOf = ({ target, body }: LedgerEntry) =>
    target !== null && body.card_number === undefined ? target : undefined;
  const owners = await ownersOf(
    run,
    entries.flatMap((entry) => nameOf(entry) ?? []),
  );
  return entries.map((entry) => ({
    origin: originOfRequest(entry.id),
    fact: factOfRequest(entry, owners.get(nameOf(entry) ?? '')),
  }));
}

/** What is resolved keeps what was known before. */
const RESOLVE = `
  UPDATE gw.money_requests AS m
     SET state = $2, settled_at = now(), status = coalesce($3, m.status),
         record_id = coalesce($4, m.record_id),
         message = coalesce($5, CASE m.state WHEN 'sending' THEN '${SENDER_GONE}' ELSE m.message END),
         resolution = $6, resolved_by = $7
   WHERE m.id IN (SELECT m.id FROM gw.money_requests AS m LEFT JOIN gw.senders AS s ON s.id = m.sender
                   WHERE m.id = $1 AND (m.state = 'unknown' OR ${IS_ABANDONED}))
  RETURNING ${STORED_COLUMNS}`;

/** How a person settles an entry. */
export interface Resolution {
  id: string;
  settlement: Settlement;
  resolution: string;
  resolvedBy: string;
}

/** @returns as `Ledger.resolve` */
export async function writeResolution(
  run: RunStatement,
  { id, settlement, resolution, resolvedBy }: Resolution,
): Promise<boolean> {
  const { state, status, recordId, message } = settlement;
  const rows = await run<EntryRow>(RESOLVE, [
    ...[id, state, status, recordId, message],
    ...[resolution, resolvedBy],
  ]);
  await putFacts(run, await factsOfEntries(run, rows.map(entryOf)));
  return rows.length > 0;
}
