/**
 * Intents on a server, a group of them in one transaction: their targets are locked, what is known of them is
 * read, each is judged and written, and all of it is kept.
 *
 * When the answer to the end of it is lost, nobody knows whether it was kept. The same rows are locked again
 * then, which waits for a transaction that is still under way: what is there after that is all there will be.
 */
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { isLost, type Server } from '../../store/postgres/server.ts';
import { all, time, together } from '../../store/sql.ts';
import type { Recorded, Refused } from '../ledger.ts';
import { type Intent, intend, type Writer } from '../requests/intents.ts';
import { beginLease } from '../requests/sending.ts';
import type { LedgerMark, LedgerMarks } from './ledger-marks.ts';
import { locksOf, transact } from './server-transactions.ts';

const MAX_LOSSES = 3;

export interface IntentParts {
  server: Server;
  clock: Pick<Clock, 'now' | 'uptimeMs'>;
  writer: Writer;
  marks: LedgerMarks | undefined;
  /** Told of ids of which nobody can say whether they were written; they are not sent. */
  onNotKnown(ids: readonly string[]): void;
  /** Told of ids that were written, and are not sent. */
  onNotSent(ids: readonly string[]): Promise<void>;
}

/**
 * @param tasks of which no two need the same lock
 * @returns of each what became of it; undefined for one that is to be tried again
 * @throws Failure guard when nobody can tell what became of them: nothing may be sent
 */
export async function intendAll(
  tasks: readonly Intent[],
  parts: IntentParts,
): Promise<(Recorded | Refused | undefined)[]> {
  const { server, clock, writer, marks } = parts;
  const locks = [...new Set(tasks.flatMap(locksOf))];
  let isStillOurs = () => false;
  let at = '';
  let found: readonly LedgerMark[] = [];
  let refused: (Refused | undefined)[] = [];
  let isThere = (_id: string) => true;
  try {
    await transact(
      server,
      function* () {
        at = yield* time();
        refused = yield* together(tasks.map((task) => intend(task, writer)));
      },
      {
        locks,
        // The server counts from its beginning, which comes after this; what it waits for then counts as well.
        onBegin: () => {
          isStillOurs = beginLease(clock);
        },
        marks: () => {
          found = marks?.all() ?? [];
          return found;
        },
      },
    );
  } catch (error) {
    if (!isLost(error)) throw error;
    const ids = tasks.filter((_, i) => !refused[i]).map(({ id }) => id);
    const kept = await lookUp(ids, { locks, lost: error }, parts);
    isThere = (id) => kept.has(id);
  }
  const written = tasks.map(({ id }) => id).filter((id, i) => !refused[i] && isThere(id));
  try {
    // They were kept together, so one tells of all.
    if (written[0] !== undefined) marks?.wrote({ entry: written[0], at }, found);
  } catch (error) {
    await parts.onNotSent(written);
    throw error;
  }
  return tasks.map(({ id }, i) => {
    const recorded: Recorded = { kind: 'recorded', id, isStillOurs };
    return refused[i] ?? (isThere(id) ? recorded : undefined);
  });
}

/** @returns those that were kept */
async function lookUp(
  ids: readonly string[],
  { locks, lost }: { locks: readonly number[]; lost: unknown },
  { server, marks, onNotKnown }: IntentParts,
): Promise<Set<string>> {
  const find = () =>
    all<{ id: string }>('SELECT id FROM gw.money_requests WHERE id = ANY (:ids)', { ids });
  for (let losses = 1; ; losses++) {
    try {
      const rows = await transact(server, find, { locks, marks: () => marks?.all() ?? [] });
      return new Set(rows.map(({ id }) => id));
    } catch (error) {
      if (losses < MAX_LOSSES) continue;
      onNotKnown(ids);
      throw notKnown(error, lost);
    }
  }
}

function notKnown(error: unknown, lost: unknown): unknown {
  if (!(error instanceof Failure && lost instanceof Failure)) return error;
  return new Failure('guard', lost.message, {
    code: 'ledger-lost',
    next: 'Run the command again when the server is back. If the journal shows this request as unknown, it was not sent.',
    cause: error,
  });
}
