/**
 * A connection to a PostgreSQL server: opened when it is first needed, opened again when it was lost,
 * one statement after the other.
 *
 * A statement by itself is a transaction: all of it is kept or nothing. So a statement whose answer
 * was lost has one question open, whether it was kept, and only whoever sent it knows how to ask
 * (`ledger-lost`). Whatever else fails has changed nothing.
 *
 * This folder has all of gw that speaks to PostgreSQL, but for the SQL that is asked.
 *
 * Nothing is set on the connection and no statement is prepared by name, so that one of many that a
 * pool in front of the server lends for one transaction is as good as one of its own.
 */
import type { Client, QueryResultRow } from 'pg';
import { Failure } from '../failure.ts';
import { toStored } from '../storage/stored-text.ts';
import type { LedgerAddress, ServerHost } from './address.ts';
import { connectionFailure, isPassing, statementFailure } from './failures.ts';
import { typesOf } from './types.ts';

/** What a statement is given: `undefined` is none of them. */
export type SqlValue =
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
  /** How long a connection, and each statement, may take. */
  timeoutMs?: number;
}

/** Runs one statement, and gives its rows. */
export type RunStatement = <Row extends object>(
  sql: string,
  values?: readonly SqlValue[],
) => Promise<Row[]>;

const TIMEOUT_MS = 10_000;
/** A statement that met another one is sent again; each attempt changed nothing. */
const MAX_TRIES = 10;
const RETRY_MS = 20;

export class Server {
  readonly #parts: ServerParts;
  #client: Promise<Client> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

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
  run<Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#inTurn(() => this.#retried(() => this.#send<Row>(sql, values)));
  }

  /** As `run`, for what may be done twice: where the connection is lost it is run once more. */
  async runAgain<Row extends object>(
    sql: string,
    values: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    try {
      return await this.run<Row>(sql, values);
    } catch (error) {
      if (!isLost(error)) throw error;
      return this.run<Row>(sql, values);
    }
  }

  /** Runs several statements as one transaction. @throws as `run` */
  transaction<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() =>
      this.#retried(async () => {
        await this.#send('BEGIN', []);
        let result: Result;
        try {
          result = await work((sql, values = []) => this.#send(sql, values));
        } catch (error) {
          if (!isLost(error)) await this.#send('ROLLBACK', []).catch(() => undefined);
          throw error;
        }
        await this.#send('COMMIT', []);
        return result;
      }),
    );
  }

  async close(): Promise<void> {
    await this.#queue.catch(() => undefined);
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #retried<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === MAX_TRIES || !isPassing(error)) throw error;
        await this.#parts.sleep(RETRY_MS * tries);
      }
    }
  }

  async #send<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    const client = await this.#connected();
    try {
      const { rows } = await client.query<Row & QueryResultRow>(sql, values.map(sendable));
      return rows;
    } catch (error) {
      const failure = statementFailure(error, this.address);
      if (isLost(failure)) this.#drop(client);
      throw failure;
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  /** Of several hosts the first one that takes writes. */
  async #connect(): Promise<Client> {
    const { hosts } = this.address;
    let last: unknown;
    for (const host of hosts) {
      try {
        const client = await this.#open(host);
        if (hosts.length === 1 || !(await isReadOnly(client))) return client;
        await client.end();
        last ??= new Failure('guard', `No server of ${hosts.length} takes writes.`, {
          code: 'ledger-read-only',
          next: 'A standby takes over in a moment: run the command again.',
        });
      } catch (error) {
        last = error;
        if (error instanceof Failure && error.code !== 'ledger-unreachable') break;
      }
    }
    throw last;
  }

  async #open({ host, port }: ServerHost): Promise<Client> {
    const { address, userName, password, rootCertificates, timeoutMs = TIMEOUT_MS } = this.#parts;
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
        ...(!host.startsWith('/') && { servername: host }),
      },
      application_name: 'gw',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      types: typesOf,
    });
    // Without a listener the end of an idle connection would end the program.
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    try {
      await client.connect();
      return client;
    } catch (error) {
      throw refused ?? connectionFailure(error, address);
    }
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

async function isReadOnly(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'SHOW transaction_read_only',
  );
  return rows[0]?.transaction_read_only === 'on';
}

/** @returns whether it is not known if the statement was kept */
export function isLost(error: unknown): boolean {
  return error instanceof Failure && error.code === 'ledger-lost';
}

function sendable(value: SqlValue): unknown {
  if (typeof value === 'string') return toStored(value);
  if (!Array.isArray(value)) return value instanceof Uint8Array ? Buffer.from(value) : value;
  return value.map((one) =>
    one instanceof Uint8Array ? Buffer.from(one) : typeof one === 'string' ? toStored(one) : one,
  );
}
