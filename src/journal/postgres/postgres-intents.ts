/**
 * Intents on a server, for a group of them at a time:
 *
 *   ask      the turns of their targets, and what is known of them, in one statement
 *   judge    each of them (journal/requests/judge-intent.ts)
 *   write    takes the turns, and writes each whose turns were still those that were read
 *
 * Whoever writes about the same target in between takes its turn, and what was judged without knowing of
 * that is not written but asked about again. Nothing is locked between the statements.
 *
 * When the answer to a write is lost, nobody knows whether it was kept. The turns are taken again then,
 * which waits for a write that is still under way, and keeps one from being written that is not: after
 * that what is there is all that there will be.
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';
import { isLost, type Server, type SqlValue } from '../../store/postgres/server.ts';
import type { Author, LedgerEntry, MoneyRequest, Refused } from '../ledger.ts';
import { judgeIntent } from '../requests/judge-intent.ts';
import { type Asked, askKnowledge } from './postgres-knowledge.ts';
import { LEASE_UNTIL, type Lease, type Sender } from './postgres-lease.ts';
import { turnsOf } from './postgres-turns.ts';

/** How often an intent is judged while others write about the same, or the connection is lost. */
const MAX_ROUNDS = 100;
const MAX_LOSSES = 3;

/** An intent, and how often it was tried. */
export interface IntentTask extends Asked {
  rounds: number;
}

/** An intent that is written. */
export interface Written {
  kind: 'written';
  id: string;
  sender: Sender;
}

export interface IntentParts {
  server: Server;
  lease: Lease;
  author: Author;
  /** Told of ids of which nobody can say whether they were written; they are not sent. */
  onNotKnown(ids: readonly string[]): void;
}

/** A request that nothing speaks against. */
interface Free {
  task: IntentTask;
  id: string;
  turns: readonly [number, number];
  retried: LedgerEntry | undefined;
}

export class PostgresIntents {
  readonly #parts: IntentParts;

  constructor(parts: IntentParts) {
    this.#parts = parts;
  }

  /**
   * @param tasks of which no two have a turn in common
   * @returns of each what became of it; undefined for one that is to be tried again
   * @throws Failure guard when nobody can tell what became of them: nothing may be sent
   */
  async intend(tasks: readonly IntentTask[]): Promise<(Written | Refused | undefined)[]> {
    try {
      return await this.#intend(tasks);
    } catch (error) {
      if (!isOfLine(error)) throw error;
      // Another one has the line by now: it is found when each is asked about by itself.
      const [first] = tasks;
      if (tasks.length > 1) return this.#oneByOne(tasks);
      if (first && first.rounds < MAX_ROUNDS) return [undefined];
      throw error;
    }
  }

  async #oneByOne(tasks: readonly IntentTask[]) {
    const results: (Written | Refused | undefined)[] = [];
    for (const task of tasks) {
      try {
        results.push(...(await this.intend([task])));
      } catch (error) {
        if (results.length === 0) throw error;
        // What is written by now is to be sent; the rest are tried again, and fail by themselves.
        break;
      }
    }
    return tasks.map((_, i) => results[i]);
  }

  async #intend(tasks: readonly IntentTask[]): Promise<(Written | Refused | undefined)[]> {
    const { server, lease } = this.#parts;
    for (const task of tasks) if (task.rounds++ > MAX_ROUNDS) throw tooMany(server);
    const turnsOfEach = tasks.map(({ request }) => turnsOf(request));
    const all = [...new Set(turnsOfEach.flat())];
    const { knowledge, turns } = await askKnowledge((...args) => server.runAgain(...args), tasks, {
      turns: all,
      senders: lease.senders,
    });
    const judged = tasks.map(({ request, conditions }, i) =>
      judgeIntent(request, conditions, knowledge[i]!),
    );
    const free = tasks.flatMap((task, i): Free[] => {
      const { refused, retried } = judged[i]!;
      return refused ? [] : [{ task, id: randomUUID(), turns: turnsOfEach[i]!, retried }];
    });
    const written = free.length > 0 ? await this.#write(free, turns) : new Map();
    return tasks.map((task, i) => judged[i]!.refused ?? written.get(task));
  }

  async #write(
    free: readonly Free[],
    turns: ReadonlyMap<number, number>,
  ): Promise<Map<IntentTask, Written>> {
    const ids = new Set<string>();
    const sender = await this.#parts.lease.under(async (by) => {
      const { isHeld, kept } = await this.#kept(free, turns, by);
      for (const id of kept) ids.add(id);
      return isHeld;
    });
    const written = new Map<IntentTask, Written>();
    if (sender)
      for (const { task, id } of free)
        if (ids.has(id)) written.set(task, { kind: 'written', id, sender });
    return written;
  }

  /** @returns ids of what is written, and whether the lease was not over */
  async #kept(free: readonly Free[], turns: ReadonlyMap<number, number>, sender: Sender) {
    const { server } = this.#parts;
    try {
      const rows = await server.run<{ id: string | null; isHeld: boolean }>(
        WRITE,
        this.#valuesOf(free, turns, sender),
      );
      const kept = rows.flatMap(({ id }) => id ?? []);
      return { isHeld: rows.some(({ isHeld }) => isHeld), kept };
    } catch (error) {
      if (!isLost(error)) throw error;
      const kept = await this.#lookUp(free, [...turns.keys()], error);
      return { isHeld: kept.length > 0, kept };
    }
  }

  /** After the turns are taken nothing is under way any more. */
  async #lookUp(free: readonly Free[], turns: readonly number[], lost: unknown): Promise<string[]> {
    const { server } = this.#parts;
    for (let losses = 1; ; losses++) {
      try {
        await server.run(FENCE, [turns]);
        const rows = await server.run<{ id: string }>(
          'SELECT id FROM gw.money_requests WHERE id = ANY ($1::text[])',
          [free.map(({ id }) => id)],
        );
        return rows.map(({ id }) => id);
      } catch (error) {
        if (losses < MAX_LOSSES) continue;
        this.#parts.onNotKnown(free.map(({ id }) => id));
        throw notKnown(error, lost);
      }
    }
  }

  #valuesOf(free: readonly Free[], turns: ReadonlyMap<number, number>, sender: Sender): SqlValue[] {
    const { operator, machine } = this.#parts.author;
    const rows = free.map((one) => ({
      id: one.id,
      turn_one: one.turns[0],
      turn_two: one.turns[1],
      retried: one.retried?.id ?? null,
      ...columnsOf(one.task.request),
      batch: one.task.conditions?.line?.batch ?? null,
      line: one.task.conditions?.line?.line ?? null,
    }));
    return [
      [...turns.keys()],
      [...turns.values()],
      ...[sender.id, operator, machine],
      ...GIVEN.map((name) => rows.map((row) => row[name])),
    ];
  }
}

function columnsOf({ refundOf, body, ...same }: MoneyRequest) {
  return { ...same, refund_of: refundOf, body: JSON.stringify(body) };
}

const COLUMNS = {
  ...{ id: 'text', account: 'text', profile: 'text', environment: 'text', host: 'text' },
  ...{ operation: 'text', target: 'text', refund_of: 'text', amount: 'bigint', currency: 'text' },
  ...{ reference: 'text', body: 'text', batch: 'text', line: 'text' },
} as const;
const TYPES = { ...COLUMNS, turn_one: 'integer', turn_two: 'integer', retried: 'text' } as const;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const GIVEN = Object.keys(TYPES) as (keyof typeof TYPES)[];
const FIRST_AT = 6;

/** In one order by all, so that of two who want several neither waits for the other for ever. */
const LOCKED = `
  SELECT number, turn FROM gw.turns WHERE number = ANY ($1::integer[]) ORDER BY number FOR UPDATE`;

const FENCE = `
  WITH locked AS (${LOCKED})
  UPDATE gw.turns SET turn = turns.turn + 1 FROM locked WHERE turns.number = locked.number`;

/** What is superseded makes room for what is sent in its place, so it is written first. */
const WRITE = `
  WITH locked AS (${LOCKED}
  ), taken AS (
    UPDATE gw.turns SET turn = turns.turn + 1
      FROM locked JOIN unnest($1::integer[], $2::bigint[]) AS was (number, turn)
                    ON was.number = locked.number AND was.turn = locked.turn
     WHERE turns.number = locked.number
    RETURNING turns.number
  ), lease AS (
    INSERT INTO gw.senders AS known (id, operator, machine, started_at, seen_at, lease_until)
    VALUES ($3, $4, $5, now(), now(), ${LEASE_UNTIL})
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), lease_until = excluded.lease_until
     WHERE known.lease_until >= now()
    RETURNING id
  ), going AS (
    SELECT * FROM unnest(${GIVEN.map((name, i) => `$${FIRST_AT + i}::${TYPES[name]}[]`)})
      WITH ORDINALITY AS given (${GIVEN}, nth)
     WHERE turn_one IN (SELECT number FROM taken) AND turn_two IN (SELECT number FROM taken)
       AND EXISTS (SELECT 1 FROM lease)
  ), superseded AS (
    UPDATE gw.money_requests AS m SET superseded = true FROM going WHERE m.id = going.retried
    RETURNING m.id
  ), written AS (
    INSERT INTO gw.money_requests
           (${NAMES}, created_at, sender, operator, machine, state)
    SELECT ${NAMES}, now(), $3, $4, $5, 'sending'
      FROM going WHERE (SELECT count(*) FROM superseded) >= 0 ORDER BY nth
    RETURNING id
  )
  SELECT written.id, EXISTS (SELECT 1 FROM lease) AS "isHeld"
    FROM (SELECT 1) AS always LEFT JOIN written ON true`;

/** Whether it is the last line of defence: no two live attempts at one line. */
function isOfLine(error: unknown): boolean {
  const { code, constraint } = ((error as Failure).cause ?? {}) as Record<string, unknown>;
  return error instanceof Failure && code === '23505' && constraint === 'money_requests_by_line';
}

function tooMany(server: Server): Failure {
  return new Failure(
    'guard',
    `The ledger at ${server.address.hosts[0]?.host} is busy: others keep writing about the same purchase or reference.`,
    { code: 'ledger-busy', next: 'Try again in a moment.' },
  );
}

function notKnown(error: unknown, lost: unknown): unknown {
  if (!(error instanceof Failure && lost instanceof Failure)) return error;
  return new Failure('guard', lost.message, {
    code: 'ledger-lost',
    next: 'Run the command again when the server is back. If the journal shows this request as unknown, it was not sent.',
    cause: error,
  });
}
