/**
 * A connection to a PostgreSQL server. It opens when first needed, reopens after it was lost, and runs one statement
 * after the other.
 *
 * A single statement is a transaction: the server keeps all of it or nothing. If its answer is lost, gw does not know
 * whether it was kept. Only the caller knows how to find out (`ledger-lost`). After any other failure nothing has
 * changed. A transaction of several statements changes nothing if the connection is lost before its COMMIT was sent.
 *
 *   connecting          10 s; tried once, or for as long as `Patience` says. If finding the password takes longer, gw
 *                       connects again when it has it
 *   a statement         10 s without a byte, then gw asks the server to cancel it, which leaves no doubt;
 *                       without an answer for 5 s more, gw closes the connection: lost
 *   a conflict          up to 10 tries, 20 to 200 ms apart
 *
 * This folder has all code that speaks to PostgreSQL, except the SQL itself.
 *
 * A role may have settings of its own. The session sets those that change how values are written and read (`SESSION`),
 * and each transaction sets its isolation (`BEGIN`). Nothing is set later, and no statement is prepared by name. So a
 * pool in front of the server may lend a different connection for each transaction.
 */
import { isIP, type Socket } from 'node:net';
import type { Client, QueryResultRow } from 'pg';
import { Failure } from '../../failure.ts';
import { toStored } from '../sql.ts';
import type { LedgerAddress } from './address.ts';
import { cancelStatement, type SessionKey } from './cancel.ts';
import {
  connectionFailure,
  encodingFailure,
  isTransientError,
  readOnlyFailure,
  statementFailure,
  undone,
} from './failures.ts';
import type { LedgerPassword } from './password-file.ts';
import type { Patience } from './patience.ts';
import { typesOf } from './types.ts';

/** A value for a statement. `undefined` is not allowed. */
export type PostgresValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];

export interface ServerParts {
  address: LedgerAddress;
  /** Name of this machine's user. It is the role if the address names none. */
  userName: string;
  /** Called only if the server asks for a password. @throws Failure auth if there is none */
  password: () => Promise<LedgerPassword>;
  /** PEM of the trusted authorities; undefined means those that Node trusts. */
  rootCertificates: string | undefined;
  /** Waits between tries. */
  sleep: (ms: number) => Promise<void>;
  /** Time limit of a statement that is known to be slow. */
  statementMs?: number;
  /** Waits for a server that is away; without it, commands fail at once. */
  patience?: Patience | undefined;
}

/** Runs one statement and returns its rows. */
export type RunStatement = <Row extends object>(
  sql: string,
  values?: readonly PostgresValue[],
) => Promise<Row[]>;

/** Work inside a transaction that has begun. */
export type InTransaction<Result, Asked = undefined> = (
  run: RunStatement,
  begun: Begun<Asked>,
) => Promise<Result>;

export interface Begun<Asked> {
  /** The rows of the statements that began the transaction. */
  rows: readonly object[];
  /** The answer to what was asked in the same round trip. */
  asked: Promise<Asked>;
  /**
   * Sends COMMIT, so that it shares the round trip of statements that were sent right before. If one of these fails, the
   * server rolls back. Otherwise COMMIT is sent when the work is done.
   */
  commit: () => Promise<unknown>;
}

/** Statements that begin a transaction, and questions that are sent with them. */
export interface Beginning<Asked> {
  /** Called right before each try: `BEGIN` of this file and statements without values. */
  begin?: () => string;
  /** Sends questions without waiting: only what changes nothing, as the transaction may not have begun. */
  ask?: (run: RunStatement) => Promise<Asked>;
}

/** Begins a transaction in which each statement sees what others have committed, whatever the role's default is. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
/** PgBouncer accepts only these settings, and applies them to each connection that it lends. */
const SESSION = { DateStyle: 'ISO', TimeZone: 'UTC', standard_conforming_strings: 'on' };

const CONNECT_MS = 10_000;
const STATEMENT_MS = 10_000;
/** Time for the server to report that it cancelled a statement. */
const CANCEL_MS = 5_000;
/** A statement that met a conflict is sent again. A failed try changed nothing. */
const MAX_TRIES = 10;
const RETRY_MS = 20;
const MAX_LOSSES = 5;

export class Server {
  readonly #parts: ServerParts;
  #client: Promise<Client> | undefined;
  #opening: Client | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Number of answers that are awaited. */
  #asking = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  get address(): LedgerAddress {
    return this.#parts.address;
  }

  /** Starts connecting, so the first statement waits less. A failure shows when a statement runs. */
  begin(): void {
    this.#connected().catch(() => undefined);
  }

  /**
   * Runs one statement as a transaction of its own.
   * @throws Failure guard: `ledger-lost` if the connection ended, or time ran out, before the answer. After any other
   *   code, such as `ledger-unreachable`, nothing was changed.
   */
  run<Row extends object>(sql: string, values: readonly PostgresValue[] = []): Promise<Row[]> {
    return this.#inTurn(() => this.#retried(() => this.#send<Row>(sql, values)));
  }

  /** Runs a statement that is safe to run twice. If the connection is lost, runs it again, a few times. */
  async runAgain<Row extends object>(
    sql: string,
    values: readonly PostgresValue[] = [],
  ): Promise<Row[]> {
    for (let losses = 1; ; losses++) {
      try {
        return await this.run<Row>(sql, values);
      } catch (error) {
        // A server that is shutting down may still accept a connection.
        if (losses === MAX_LOSSES || !isLost(error)) throw error;
        if (losses > 1) await this.#parts.sleep(RETRY_MS * losses);
      }
    }
  }

  /**
   * Runs several statements as one transaction.
   * @throws what `run` throws
   */
  transaction<Result, Asked = undefined>(
    work: InTransaction<Result, Asked>,
    beginning: Beginning<Asked> = {},
  ): Promise<Result> {
    return this.#inTurn(() => this.#retried(() => this.#transact(work, beginning)));
  }

  async close(): Promise<void> {
    await this.#queue.catch(() => undefined);
    // Nobody needs a connection that is still opening, and the server may never answer.
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.connection.stream.destroy();
    const client = opening ? undefined : await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Runs all statements on one connection; on another, each would be a transaction of its own. */
  async #transact<Result, Asked>(
    work: InTransaction<Result, Asked>,
    { begin = () => BEGIN, ask }: Beginning<Asked>,
  ): Promise<Result> {
    const client = await this.#connected();
    const run: RunStatement = (sql, values = []) => this.#ask(client, sql, values);
    let committing: Promise<unknown> | undefined;
    const commit = () => {
      committing ??= run('COMMIT');
      return committing;
    };
    let result: Result;
    try {
      const beginning = run<object>(begin());
      const asked = ask?.(run) as Promise<Asked>;
      asked?.catch(() => undefined);
      result = await work(run, { rows: await beginning, asked, commit });
    } catch (error) {
      // Without its COMMIT, a transaction changes nothing.
      if (error instanceof Failure && isLost(error)) throw committing ? error : undone(error);
      await (committing ?? run('ROLLBACK')).catch(() => undefined);
      throw error;
    }
    await commit();
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
      // Several statements in one query give one result each.
      return [result].flat().flatMap(({ rows }) => rows);
    } catch (error) {
      const failure = statementFailure(error, this.address);
      // The address may lead to another server now.
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
        const failure = connectionFailure(error, this.address);
        if (!(await patience?.waits(failure))) throw failure;
      }
    }
  }

  async #open(): Promise<Client> {
    const { address, password, statementMs = STATEMENT_MS } = this.#parts;
    let asking: Promise<LedgerPassword> | undefined;
    const give = async () => {
      asking ??= password();
      return (await asking).password;
    };
    for (let tries = 1; ; tries++) {
      const client = await this.#newClient(give);
      this.#opening = client;
      try {
        await client.connect();
        this.#opening = undefined;
        // The server sends nothing while it works, so a slow statement shows as an idle connection.
        (client.connection.stream as Socket).setTimeout(statementMs, () => {
          if (this.#asking > 0) cancelStatement(address, client as unknown as SessionKey);
        });
        return client;
      } catch (error) {
        client.connection.stream.destroy();
        const given = await asking;
        const failure = connectionFailure(error, address, given?.source);
        // A person or a program may need longer for the password than the server waits.
        const isLate = given !== undefined && failure.code === 'ledger-unreachable' && tries === 1;
        if (!isLate || this.#opening !== client) throw failure;
      }
    }
  }

  async #newClient(password: () => Promise<string>): Promise<Client> {
    const { address, userName, rootCertificates, statementMs = STATEMENT_MS } = this.#parts;
    const { host, port } = address;
    // The main entry of pg would also load a pool and a binding to native code.
    const { default: Client } = await import('pg/lib/client.js');
    const role = { user: address.user ?? userName, database: address.database };
    const client = new Client({
      host,
      port,
      ...role,
      password,
      // Set explicitly, because Node and pg would take other values from the environment.
      ssl: address.isVerified && {
        rejectUnauthorized: true,
        ...(rootCertificates !== undefined && { ca: rootCertificates }),
        // The name that the certificate must have. The server is told a name, but may not be told an IP address.
        ...(!host.startsWith('/') && { host, ...(isIP(host) === 0 && { servername: host }) }),
      },
      sslnegotiation: 'postgres',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: statementMs + CANCEL_MS,
      keepAlive: true,
      // Statements of one transaction that do not wait for each other share a round trip.
      pipeline: true,
      types: typesOf,
    });
    client.getStartupConf = () => ({ ...role, application_name: 'gw', ...SESSION });
    // Without a listener, losing an idle connection would end the program.
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    // These keep every text as it is. The server says its encoding before it lets anybody in.
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'server_encoding' && !/^(UTF8|SQL_ASCII)$/.test(parameterValue))
        client.connection.emit('error', encodingFailure(parameterValue, address));
    });
    return client;
  }

  /** The next statement connects again. gw does not wait for a statement that took too long. */
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

/**
 * @throws Failure guard, after closing the connection, if the server accepts no writes: a standby that may take over
 */
async function refuseStandby(client: Client, address: LedgerAddress): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'SHOW transaction_read_only',
  );
  if (rows[0]?.transaction_read_only !== 'on') return;
  await client.end();
  throw readOnlyFailure(address);
}

/** @returns whether gw cannot know if the statement was kept */
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
