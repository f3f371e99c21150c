/** Received events in the ledger of a team, on a PostgreSQL server. */

import { randomUUID } from 'node:crypto';
import { likeOf } from '../../../contract/webhooks/patterns.ts';
import { changeOutcomes, dropFacts } from '../../../index/postgres/postgres-write-facts.ts';
import { eventIsOurs } from '../../../index/scope.ts';
import { refuseNewer } from '../../../store/ledger/init.ts';
import { labelOfAddress } from '../../../store/postgres/address.ts';
import {
  isLost,
  type RunStatement,
  type Server,
  type SqlValue,
} from '../../../store/postgres/server.ts';
import type { Appended, NewEvent, StoredEvent, Verification } from '../../event.ts';
import type {
  EventFilter,
  EventStore,
  ForwardLeases,
  ForwardResult,
  PrunedEvents,
  WaitingForward,
} from '../event-store.ts';
import { originsInRange } from '../index-events.ts';
import { appendEvents, lockSources } from './postgres-append.ts';
import { forwardSettler, leasesOf, waitingForwards } from './postgres-forwards.ts';

/** Rows read at once; a body may have 1 MiB. */
const PAGE_ROWS = 64;

/**
 * Opens the events of a ledger.
 * @param machine name of this machine, which is kept with what it receives
 * @throws Failure guard when the server cannot be reached, or has no ledger that this gw can use
 */
export async function openPostgresEvents(server: Server, machine: string): Promise<EventStore> {
  try {
    const [ledger] = await server.runAgain<{ form: number }>('SELECT form FROM gw.ledger');
    refuseNewer(ledger?.form ?? 0, labelOfAddress(server.address));
  } catch (error) {
    await server.close();
    throw error;
  }
  return new PostgresEventStore(server, machine);
}

export class PostgresEventStore implements EventStore {
  readonly leases: ForwardLeases;
  readonly settleForwards: (results: readonly ForwardResult[]) => Promise<void>;
  readonly #server: Server;
  readonly #machine: string;

  /** As `openPostgresEvents`, of a ledger that can be used. */
  constructor(server: Server, machine: string) {
    this.#server = server;
    this.#machine = machine;
    this.leases = leasesOf(server, `${machine} ${randomUUID()}`);
    this.settleForwards = forwardSettler(server);
  }

  async append(events: readonly NewEvent[]): Promise<Appended[]> {
    if (events.length === 0) return [];
    const server = this.#server;
    let ids: readonly number[] = [];
    const batch = {
      ...{ events, address: server.address, machine: this.#machine },
      numbered: (given: readonly number[]) => {
        ids = given;
      },
    };
    try {
      return await server.transaction((run) => appendEvents(run, batch));
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    const lost = ids;
    return server.transaction(async (run) => {
      // Waits for the end of that whose answer was lost, if it has not ended.
      await lockSources(run, events);
      const kept = await keptOf(run, lost);
      return kept.length > 0 ? kept : appendEvents(run, batch);
    });
  }

  async *list(filter: EventFilter): AsyncGenerator<StoredEvent> {
    const wanted = wantedOf(filter);
    let below = Number.MAX_SAFE_INTEGER;
    for (let left = filter.limit; left > 0; ) {
      const page = await this.#server.runAgain<Row>(`${EVENTS} ${WANTED}`, [
        ...wanted,
        below,
        PAGE_ROWS,
      ]);
      for (const row of page) {
        below = row.id;
        const event = eventOf(row);
        if (!names(event, filter)) continue;
        yield event;
        if (--left === 0) return;
      }
      if (page.length < PAGE_ROWS) return;
    }
  }

  async find(id: number): Promise<StoredEvent | undefined> {
    const [row] = await this.#server.runAgain<Row>(`${EVENTS} WHERE id = $1`, [id]);
    return row && eventOf(row);
  }

  async verify(id: number, verification: Verification): Promise<void> {
    await this.#server.transaction(async (run) => {
      const values = [id, JSON.stringify(verification)];
      await run('UPDATE gw.events SET verification = $2 WHERE id = $1', values);
      if (verification.state === 'contradicted')
        await changeOutcomes(run, originsInRange(id), 'contradicted');
    });
  }

  waiting(target: string): Promise<WaitingForward[]> {
    return waitingForwards(this.#server, target);
  }

  async prune(before: string): Promise<PrunedEvents> {
    return this.#server.transaction(async (run) => {
      const [counted] = await run<{ waiting: number }>(
        `SELECT count(*) AS waiting FROM gw.events WHERE received_at < $1 AND id IN (${WAITING})`,
        [before],
      );
      const events = await remove(run, 'received_at < $1', before);
      return { events, waiting: counted?.waiting ?? 0 };
    });
  }

  async forget(profile: string): Promise<void> {
    await this.#server.transaction((run) => remove(run, 'profile = $1', profile));
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

async function keptOf(run: RunStatement, ids: readonly number[]): Promise<Appended[]> {
  return run<Appended>(
    `SELECT id, duplicate_of AS "duplicateOf" FROM gw.events WHERE id = ANY ($1::bigint[]) ORDER BY id`,
    [ids],
  );
}

const WAITING = "SELECT event FROM gw.event_forwards WHERE state = 'waiting'";

/** Removes the events that a condition with one value names, but for those that wait. @returns how many */
async function remove(run: RunStatement, condition: string, value: string): Promise<number> {
  const rows = await run<{ id: number }>(
    `DELETE FROM gw.events WHERE ${condition} AND id NOT IN (${WAITING}) RETURNING id`,
    [value],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await run('DELETE FROM gw.event_forwards WHERE event = ANY ($1::bigint[])', [ids]);
  await run('DELETE FROM gw.event_sources WHERE event = ANY ($1::bigint[])', [ids]);
  await dropFacts(run, "kind = 'event' AND id = ANY ($1::text[])", [ids.map(String)]);
  return ids.length;
}

const EVENTS = `
  SELECT id, received_at AS "receivedAt", profile, mode, status, authentication, event, outcome,
         fault, subjects, customers, source, identity, is_masked AS "isMasked",
         duplicate_of AS "duplicateOf", verification, headers, body, machine
    FROM gw.events`;

const WHOSE = { profile: '$5::text', environment: '$9::text' };

/**
 * A filter that is null lets everything through. Of a name in a list the text is looked for, with its
 * quotes; whether it is one of the list is seen in the row.
 */
const WANTED = `
  WHERE ($1::text[] IS NULL OR event LIKE ANY ($1::text[]))
    AND ($2::text IS NULL OR received_at >= $2)
    AND ($3::text IS NULL OR received_at < $3)
    AND ($4::text IS NULL OR outcome = $4)
    AND ($5::text IS NULL OR ${eventIsOurs(WHOSE, 'mode')})
    AND ($6::bigint[] IS NULL OR coalesce(duplicate_of, id) = ANY ($6::bigint[]))
    AND ($7::text IS NULL OR position($7 in subjects) > 0)
    AND ($8::text IS NULL OR position($8 in customers) > 0)
    AND id < $10
  ORDER BY id DESC LIMIT $11`;

/** @returns the values of `WANTED` but for the last two */
function wantedOf(filter: EventFilter): SqlValue[] {
  const { events = [], since, before, outcome, scope, among, reference, customer } = filter;
  return [
    events.length > 0 ? events.map(likeOf) : null,
    since ?? null,
    before ?? null,
    outcome ?? null,
    scope?.profile ?? null,
    among ?? null,
    reference === undefined ? null : JSON.stringify(reference),
    customer === undefined ? null : JSON.stringify(customer),
    scope?.environment ?? null,
  ];
}

function names({ subjects, customers }: StoredEvent, { reference, customer }: EventFilter) {
  return (
    (reference === undefined || subjects.includes(reference)) &&
    (customer === undefined || customers.includes(customer))
  );
}

type InJson = 'subjects' | 'customers' | 'headers';
type Row = Omit<StoredEvent, InJson | 'verification' | 'machine'> &
  Record<InJson, string> & { verification: string | null; machine: string | null };

function eventOf({ machine, body, ...row }: Row): StoredEvent {
  return {
    ...row,
    body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
    subjects: JSON.parse(row.subjects),
    customers: JSON.parse(row.customers),
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
    ...(machine !== null && { machine }),
  };
}
