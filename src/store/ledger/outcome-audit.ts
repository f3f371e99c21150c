/** What was written of outcomes on a server, where each leaves a row that stays, and entries that say something else. */
import { all, engine, get, type Work } from '../sql.ts';

/** An entry that says another outcome than was written last. */
export interface ChangedEntry {
  id: string;
  /** What the entry says. */
  state: string;
  /** What was written last, and by which role of the server; null where nothing was. */
  written: string | null;
  writtenBy: string | null;
}

/** An outcome of an entry, as it was written. */
export interface OutcomeRow {
  state: string;
  status: number | null;
  recordId: string | null;
  message: string | null;
  /** As of the entry at that time: what a person found out, and who that was. */
  resolution: string | null;
  resolvedBy: string | null;
  /** Role that wrote it, and when (ISO 8601, UTC), both as the server says; null of what an older gw wrote. */
  enteredBy: string | null;
  enteredAt: string | null;
}

/** As many are named, and counted. */
const MAX_CHANGED = 100;
/** Entries that are compared in one statement, which a server does within a second. */
const ENTRIES_A_PAGE = 50_000;
const SAID = ['state', 'status', 'record_id', 'resolution', 'resolved_by'];
const DIFFERS = SAID.map((name) => `m.${name} IS DISTINCT FROM last.${name}`).join(' OR ');

/** Of which entries, is added. */
const CHANGED = `
  SELECT m.id, m.state, last.state AS written, last.entered_by AS "writtenBy"
    FROM gw.money_requests AS m
    LEFT JOIN LATERAL (SELECT * FROM gw.outcomes AS o WHERE o.entry = m.id
                        ORDER BY o.number DESC LIMIT 1) AS last ON true
   WHERE NOT (m.state = 'sending' AND last.entry IS NULL)
     AND (last.entry IS NULL OR ${DIFFERS})`;

/** @returns some of them, by their ids; none where nobody did that. It takes seconds for a million entries */
export function* changedEntries(): Work<ChangedEntry[]> {
  const found: ChangedEntry[] = [];
  for (let after = ''; ; ) {
    const last = yield* get<{ id: string }>(
      `SELECT id FROM gw.money_requests WHERE id > :after ORDER BY id
       OFFSET ${ENTRIES_A_PAGE - 1} LIMIT 1`,
      { after },
    );
    found.push(
      ...(yield* all<ChangedEntry>(
        `${CHANGED} AND m.id > :after AND (m.id <= :upTo OR :upTo = '') ORDER BY m.id LIMIT ${MAX_CHANGED}`,
        { after, upTo: last?.id ?? '' },
      )),
    );
    if (!last || found.length >= MAX_CHANGED) return found.slice(0, MAX_CHANGED);
    after = last.id;
  }
}

/** What was said of an entry. */
export interface Outcomes {
  /** The first one first. */
  rows: readonly OutcomeRow[];
  /** Whether the entry says another one than the last of them. */
  isChanged: boolean;
}

/** @returns all outcomes of an entry; undefined of one in a file */
export function* outcomesOf(id: string): Work<Outcomes | undefined> {
  if ((yield* engine()) === 'sqlite') return undefined;
  const rows = yield* all<OutcomeRow>(
    `SELECT state, status, record_id AS "recordId", message, resolution, resolved_by AS "resolvedBy",
            entered_by AS "enteredBy", entered_at AS "enteredAt"
       FROM gw.outcomes WHERE entry = :id ORDER BY number`,
    { id },
  );
  const changed = yield* all(`${CHANGED} AND m.id = :id`, { id });
  return { rows, isChanged: changed.length > 0 };
}
