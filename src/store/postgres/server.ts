/**
 * A connection to a PostgreSQL server: opened when it is first needed, opened again when it was lost,
 * one statement after the other.
 *
 * A statement by itself is a transaction: all of it is kept or nothing. So a statement whose answer
 * was lost has one question open, whether it was kept, and only whoever sent it knows how to ask
 * (`ledger-lost`). Whatever else fails has changed nothing; of a transaction of several statements, all
 * that is lost before its end was sent.
 *
 *   connecting          10 s; tried once, or as long as `Patience` says
 *   a statement         10 s without a byte, then the server is asked to end it, which leaves no doubt;
 *                       where it does not answer for 5 s more, the connection is given up: lost
 *   met another one     up to 10 times, from 20 to 200 ms apart
 *
 * This folder has all of gw that speaks to PostgreSQL, but for the SQL that is asked.
 *
 * A role may have settings of its own. Those that change how values are written and read are said as the session
 * begins (`SESSION`), and the isolation as a transaction begins (`BEGIN`). Nothing is set later and no statement is
 * prepared by name, so that one of many connections that a pool in front of the server lends for one transaction is
 * as good as one of its own.
 */
import { isIP, type Socket } from 'node:net';
import type { Client, QueryResultRow } from 'pg';
import { Failure } from '../../failure.ts';
import { toStored } from '../stored-text.ts';
import type { LedgerAddress } from './address.ts';
import { cancelStatement, type SessionKey } from './cancel.ts';
import {
  connectionFailure,
  isTransientError,
  readOnlyFailure,
  statementFailure,
  undone,
} from './failures.ts';
import type { Patience } from './patience.ts';
import { typesOf } from './types.ts';

/** What a statement is given: `undefined` is none of them. */
export type PostgresValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];

export interface ServerParts {
  address: LedgerAddress;
  /** Name of the user of this machine, which is the role's where the address has none. */
  userName: string;
  /** Asked for only where the server wants one. @throws Failure auth where there is none */
  password: () => Promise<string>;
  /** PEM of the authorities that are trusted; else those that Node knows. */
  rootCertificates: string | undefined;
  /** Waits between attempts. */
  sleep: (ms: number) => Promise<void>;
  /** How long a statement may take, for what is known to be slow. */
  statementMs?: number;
  /** Given by whoever waits for a server that was there and is away. */
  patience?: Patience | undefined;
}

/** Runs one statement, and gives its rows. */
export type RunStatement = <Row extends object>(
  sql: string,
  values?: readonly PostgresValue[],
) => Promise<Row[]>;

/** What is done in a transaction that has begun. */
export type InTransaction<Result> = (
  run: RunStatement,
  began?: readonly object[],
) => Promise<Result>;

/** Begins a transaction in which each statement sees what others have kept by then, whatever the role's default is. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
/** These alone, since PgBouncer takes no others, and gives them to each connection that it lends. */
const SESSION = { DateStyle: 'ISO', TimeZone: 'UTC', standard_conforming_strings: 'on' };

const CONNECT_MS = 10_000;
const STATEMENT_MS = 10_000;
/** For the server to say that it has ended a statement. */
const CANCEL_MS = 5_000;
/** A statement that met another one is sent again; each attempt changed nothing. */
const MAX_TRIES = 10;
const RETRY_MS = 20;
const MAX_LOSSES = 5;

export class Server {
  readonly #parts: ServerParts;
  #client: Promise<Client> | undefined;
  #opening: Client | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Answers that are waited for. */
  #asking = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  get address(): LedgerAddress {
    return this.#parts.address;
  }

  /** Begins to connect, so that whoever comes next waits less. Fails when a statement is run. */
  begin(): void {
    this.#connected().catch(() => undefined);
  }

  /**
   * Runs one statement, a transaction by itself.
   * @throws Failure guard: `ledger-unreachable` and all others when nothing was changed, `ledger-lost`
   *   when the connection ended, or the time was over, before the answer came
   */
  run<Row extends object>(sql: string, values: readonly PostgresValue[] = []): Promise<Row[]> {
    return this.#inTurn(() => this.#retried(() => this.#send<Row>(sql, values)));
  }

  /** As `run`, for what may be done twice: where the connection is lost it is run again, a few times. */
  async runAgain<Row extends object>(
    sql: string,
    values: readonly PostgresValue[] = [],
  ): Promise<Row[]> {
    for (let losses = 1; ; losses++) {
      try {
        return await this.run<Row>(sql, values);
      } catch (error) {
        // A server that is going down may still take a connection.
        if (losses === MAX_LOSSES || !isLost(error)) throw error;
        if (losses > 1) await this.#parts.sleep(RETRY_MS * losses);
      }
    }
  }

  /**
   * Runs several statements as one transaction.
   * @param work is given the rows of `begin` as well
   * @param begin asked right before it begins, and again when it is repeated: what begins it in one round trip,
   *   `BEGIN` of this file and statements without values
   * @throws as `run`
   */
  transaction<Result>(work: InTransaction<Result>, begin = () => BEGIN): Promise<Result> {
    return this.#inTurn(() => this.#retried(() => this.#transact(work, begin)));
  }

  async close(): Promise<void> {
    await this.#queue.catch(() => undefined);
    // Begun for nothing: nobody waits for a server that may never answer.
    this.#opening?.connection.stream.destroy();
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** All of it on one connection: on another one it would be statements by themselves. */
  async #transact<Result>(work: InTransaction<Result>, begin: () => string): Promise<Result> {
    const client = await this.#connected();
    let result: Result;
    try {
      const began = await this.#ask(client, begin(), []);
      result = await work((sql, values = []) => this.#ask(client, sql, values), began);
    } catch (error) {
      // Without its end a transaction is nothing.
      if (error instanceof Failure && isLost(error)) throw undone(error);
      await this.#ask(client, 'ROLLBACK', []).catch(() => undefined);
      throw error;
    }
    await this.#ask(client, 'COMMIT', []);
    return result;
  }

  async #retried<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === MAX_TRIES || !isTransientError(error)) throw error;
        await this.#parts.sleep(RETRY_MS * tries);
      }
    }
  }

  async #send<Row extends object>(sql: string, values: readonly PostgresValue[]): Promise<Row[]> {
    return this.#ask<Row>(await this.#connected(), sql, values);
  }

  async #ask<Row extends object>(
    client: Client,
    sql: string,
    values: readonly PostgresValue[],
  ): Promise<Row[]> {
    this.#asking++;
    try {
      const result = await client.query<Row & QueryResultRow>(sql, values.map(sendable));
      // Of several statements there is one for each.
      return [result].flat().flatMap(({ rows }) => rows);
    } catch (error) {
      const failure = statementFailure(error, this.address);
      // The address may lead to another server by now.
      const isStandby = failure.code === 'ledger-read-only';
      if (isLost(failure) || isStandby) this.#drop(client);
      throw isStandby && this.#parts.patience ? undone(failure) : failure;
    } finally {
      this.#asking--;
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connectPatiently().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connectPatiently(): Promise<Client> {
    const { patience } = this.#parts;
    for (;;) {
      try {
        const client = await this.#open();
        if (patience) await refuseStandby(client, this.address);
        patience?.met();
        return client;
      } catch (error) {
        const failure = error instanceof Failure ? error : connectionFailure(error, this.address);
        if (!(await patience?.waits(failure))) throw failure;
      }
    }
  }

  async #open(): Promise<Client> {
    const { address, userName, password, rootCertificates } = this.#parts;
    const { host, port } = address;
    const { statementMs = STATEMENT_MS } = this.#parts;
    // Not by the front door: that loads a pool and a way to native code as well.
    const { default: Client } = await import('pg/lib/client.js');
    let refused: unknown;
    const client = new Client({
      host,
      port,
      database: address.database,
      user: address.user ?? userName,
      password: () =>
        password().catch((error) => {
          refused = error;
          throw error;
        }),
      // Said in so many words, since Node and pg would take other things from the environment.
      ssl: address.isVerified && {
        rejectUnauthorized: true,
        ...(rootCertificates !== undefined && { ca: rootCertificates }),
        // Whose certificate it has to be; a name is said to the server too, an IP address may not be.
        ...(!host.startsWith('/') && { host, ...(isIP(host) === 0 && { servername: host }) }),
      },
      application_name: 'gw',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: statementMs + CANCEL_MS,
      keepAlive: true,
      // Statements of one transaction that do not wait for one another share a round trip.
      pipeline: true,
      types: typesOf,
    });
    const startup = client.getStartupConf();
    client.getStartupConf = () => ({ ...startup, ...SESSION });
    // Without a listener the end of an idle connection would end the program.
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    this.#opening = client;
    try {
      await client.connect();
    } catch (error) {
      throw refused ?? connectionFailure(error, address);
    } finally {
      this.#opening = undefined;
    }
    // The server is silent while it works, so a statement that takes long is a connection that is idle.
    (client.connection.stream as Socket).setTimeout(statementMs, () => {
      if (this.#asking > 0) cancelStatement(address, client as unknown as SessionKey);
    });
    return client;
  }

  /** The next statement connects anew. What a statement that took too long still does is not waited for. */
  #drop(client: Client): void {
    const current = this.#client;
    void current?.then(
      (connected) => {
        if (connected === client && this.#client === current) this.#client = undefined;
      },
      () => undefined,
    );
    client.removeAllListeners('end');
    client.connection.stream.destroy();
  }
}

/** @throws Failure guard, with the connection ended, when the server takes no writes: a standby that may take over */
async function refuseStandby(client: Client, address: LedgerAddress): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'SHOW transaction_read_only',
  );
  if (rows[0]?.transaction_read_only !== 'on') return;
  await client.end();
  throw readOnlyFailure(address);
}

/** @returns whether it is not known if the statement was kept */
export function isLost(error: unknown): boolean {
  return error instanceof Failure && error.code === 'ledger-lost';
}

function sendable(value: PostgresValue): unknown {
  if (typeof value === 'string') return toStored(value);
  if (!Array.isArray(value)) return value instanceof Uint8Array ? Buffer.from(value) : value;
  return value.map((one) =>
    one instanceof Uint8Array ? Buffer.from(one) : typeof one === 'string' ? toStored(one) : one,
  );
}
