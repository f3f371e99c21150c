/** Outcomes on a server, with the records that answers showed and the facts of both. */
import { sameAccount } from '../../base/account.ts';
import { factOfRequest, originOfRequest } from '../../index/document-of-request.ts';
import { ownersOf } from '../../index/postgres/postgres-owner.ts';
import { type OriginatedFact, putFacts } from '../../index/postgres/postgres-write-facts.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type { EntryState, LateOutcome, LedgerEntry, Settlement, Sighting } from '../ledger.ts';
import { sentAgain } from '../requests/late-outcome.ts';
import {
  ENTRIES,
  type EntryRow,
  entriesOf,
  entryOf,
  IS_ABANDONED,
  IS_RUNNING,
  SENDER_GONE,
  STORED_COLUMNS,
} from './postgres-entries.ts';
import { takeIn } from './postgres-sightings.ts';

/** What is to be written at once; without an entry the sightings alone. */
export interface Outcome {
  entry?: { id: string; settlement: Settlement };
  sightings: readonly Sighting[];
}

/** What became of outcomes that were to be written. */
export interface WrittenOutcomes {
  /** Ids of the entries that are there; of one that is not, nothing is written. */
  there: ReadonlySet<string>;
  late: readonly LateOutcome[];
}

/** Writes outcomes, in one transaction, which may be done twice. */
export async function writeOutcomes(
  run: RunStatement,
  outcomes: readonly Outcome[],
): Promise<WrittenOutcomes> {
  const given = outcomes.flatMap(({ entry }) => entry ?? []);
  const written = await settled(run, given);
  const ids = given.map(({ id }) => id).filter((id) => !written.some(({ now }) => now.id === id));
  const left = ids.length > 0 ? await entriesOf(run, ids) : [];
  const there = new Set([...written.map(({ now }) => now), ...left].map(({ id }) => id));
  const seen = outcomes.filter(({ entry }) => !entry || there.has(entry.id));
  const ofRecords = await takeIn(
    run,
    seen.flatMap(({ sightings }) => sightings),
  );
  const facts = await factsOfEntries(
    run,
    written.map(({ now }) => now),
  );
  // Last, since whose they are may be known from the records.
  await putFacts(run, [...ofRecords, ...facts]);
  const late: LateOutcome[] = [];
  for (const { now, before } of written)
    if (now.resolution !== null) {
      const again = sentAgain(before, await attemptsAtTheSame(run, before));
      late.push({ before, state: now.state as Settlement['state'], again });
    }
  return { there, late };
}

/**
 * An attempt that somebody resolved meanwhile, and whose line was sent again, is one more at its line:
 * its outcome is written all the same, and it makes room for the other. Only what the answer does not
 * say was found out by whoever resolved it.
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
         JOIN gw.money_requests AS was ON was.id = given.id
   WHERE m.id = given.id AND NOT (m.resolution IS NOT NULL AND given.state = 'unknown')
  RETURNING ${STORED_COLUMNS}, was.state AS "stateBefore", was.settled_at AS "settledBefore"`;

interface SettledRow extends EntryRow {
  stateBefore: EntryState;
  settledBefore: string | null;
}

/** @returns each entry as it is now, and as it was */
async function settled(
  run: RunStatement,
  given: readonly { id: string; settlement: Settlement }[],
): Promise<{ now: LedgerEntry; before: LedgerEntry }[]> {
  if (given.length === 0) return [];
  const rows = await run<SettledRow>(SETTLE, [
    given.map(({ id }) => id),
    given.map(({ settlement }) => settlement.state),
    given.map(({ settlement }) => settlement.status),
    given.map(({ settlement }) => settlement.recordId),
    given.map(({ settlement }) => settlement.message),
  ]);
  return rows.map(({ stateBefore: state, settledBefore: settledAt, ...row }) => {
    const now = entryOf(row);
    return { now, before: { ...now, state, settledAt } };
  });
}

/** Seldom asked, so that it has no index. */
async function attemptsAtTheSame(run: RunStatement, { id }: LedgerEntry): Promise<LedgerEntry[]> {
  const same = ['operation', 'target', 'reference', 'amount'].map(
    (name) => `m.${name} IS NOT DISTINCT FROM a.${name}`,
  );
  const rows = await run<EntryRow>(
    `${ENTRIES} JOIN gw.money_requests AS a ON a.id = $1
      WHERE ${same.join(' AND ')} AND ${sameAccount('m.', 'a.')}
        AND m.state IN ('sending', 'unknown', 'done') AND (m.state = 'done' OR NOT m.superseded)
      ORDER BY m.created_at, m.number`,
    [id],
  );
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
                   WHERE m.id = $1 AND (m.state = 'unknown' OR ${IS_ABANDONED}
                     OR $8 AND m.state = 'sending' AND NOT ${IS_RUNNING}))
  RETURNING ${STORED_COLUMNS}`;

/** How a person settles an entry. */
export interface Resolution {
  id: string;
  settlement: Settlement;
  resolution: string;
  resolvedBy: string;
  /** As `Ledger.resolve`. */
  isSenderGone: boolean;
}

/** @returns as `Ledger.resolve` */
export async function writeResolution(
  run: RunStatement,
  { id, settlement, resolution, resolvedBy, isSenderGone }: Resolution,
): Promise<boolean> {
  const { state, status, recordId, message } = settlement;
  const rows = await run<EntryRow>(RESOLVE, [
    ...[id, state, status, recordId, message],
    ...[resolution, resolvedBy, isSenderGone],
  ]);
  await putFacts(run, await factsOfEntries(run, rows.map(entryOf)));
  return rows.length > 0;
}
