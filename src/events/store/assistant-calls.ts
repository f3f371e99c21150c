/**
 * Keeps the questions of assistants on this machine (`gw mcp`): a row for each call, beside the events, in this user's file of the
 * ledger. The row is on disk before the answer leaves.
 *
 * Tests: test/unit/events/store/assistant-calls.test.ts
 */
import type { Host } from '../../host/host.ts';
import { type AskedRows, type GoneOver, goOver } from '../../journal/rewrite.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { allRows, change, insert, onlyRow, update, type Work } from '../../store/sql.ts';
import { Database } from '../../store/sqlite/database.ts';

export interface AssistantCall {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  profile: string;
  /** The program of the assistant, as it calls itself. */
  client: string;
  tool: string;
  /** JSON, without secrets; empty after the person in it was forgotten. */
  arguments: string;
  /** `done`, `cancelled`, or the code of the failure. */
  outcome: string;
  /** The rows that were returned. */
  rows: number;
  ms: number;
}

const COLUMNS = 'id, at, profile, client, tool, arguments, outcome, rows, ms';

/** Pruned in one transaction. */
const LOT = 5_000;

/** The calls in the file of this user, which is opened for each question alone. */
export class AssistantCalls {
  readonly #path: string;

  constructor({ files }: Pick<Host, 'files'>) {
    this.#path = ledgerPath(files);
  }

  /** @throws Failure usage or guard if the file cannot be used */
  async add(call: Omit<AssistantCall, 'id'>): Promise<void> {
    this.#do('write', () => insert('assistant_calls', { ...call }));
  }

  /** @returns the newest calls first, of a profile or of all, at most `limit` */
  async list(profile: string | undefined, limit: number): Promise<AssistantCall[]> {
    const condition = profile === undefined ? '' : 'WHERE profile = :profile';
    return this.#do('read', () =>
      allRows<AssistantCall>(
        `SELECT ${COLUMNS} FROM gw.assistant_calls ${condition} ORDER BY id DESC LIMIT ${limit}`,
        profile === undefined ? {} : { profile },
      ),
    );
  }

  /** @returns how many calls were made before an instant (ISO 8601, UTC) */
  async older(before: string): Promise<number> {
    const count = 'SELECT count(*) AS n FROM gw.assistant_calls WHERE at < :before';
    return this.#do('read', () => onlyRow<{ n: number }>(count, { before })).n;
  }

  /** Deletes some of those, the oldest first. @returns how many; 0 if none is left */
  async prune(before: string): Promise<number> {
    return this.#do('write', () =>
      change(
        `DELETE FROM gw.assistant_calls WHERE id IN (
           SELECT id FROM gw.assistant_calls WHERE at < :before ORDER BY id LIMIT ${LOT})`,
        { before },
      ),
    );
  }

  #do<Result>(kind: 'read' | 'write', work: () => Work<Result>): Result {
    const database = new Database(ledgerFile(this.#path));
    try {
      return database[kind]((queries) => queries.do(work()));
    } finally {
      database.close();
    }
  }
}

/** Empties the arguments of calls that name a person. @param isAbout whether a text names them */
export function rewriteCalls(
  isAbout: (call: AssistantCall) => boolean,
  asked: AskedRows,
): Work<GoneOver> {
  const rows = `SELECT rowid AS "number", ${COLUMNS} FROM gw.assistant_calls`;
  const empty = function* ({ number: _, ...call }: AssistantCall & { number: number }) {
    if (call.arguments === '' || !isAbout(call)) return false;
    if ('only' in asked) yield* update('assistant_calls', { arguments: '' }, { id: call.id });
    return true;
  };
  return goOver(rows, asked, empty);
}
