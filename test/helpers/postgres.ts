/**
 * A real PostgreSQL server for a test file: a cluster of its own in a temporary folder, on a Unix socket
 * (and TCP with a password, for what is about that), run by a user who is not root. It ends with the process
 * that made it, however that ends.
 */
import {
  type ChildProcess,
  execFileSync,
  type SpawnSyncOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findGap } from '../../src/journal/postgres/restored.ts';
import { acceptRestore, makeLedger, SYSTEM_ID } from '../../src/store/ledger/init.ts';
import { parseLedgerAddress } from '../../src/store/postgres/address.ts';
import { Server, type ServerParts } from '../../src/store/postgres/server.ts';
import { scanOutput } from './scan.ts';
import { isOnPath, notePart } from './skip.ts';

const DEBIAN = '/usr/lib/postgresql';
/** Role that owns the cluster; by the Unix socket nobody is asked for a password. */
export const SUPERUSER = 'gw';
/** Nobody: a server does not run as root. */
const NOBODY = 65_534;
const TEMPLATE = 'gw_template';
/** Tables of a ledger that are empty when it is made. */
const ROWS = ['money_requests', 'outcomes', 'records', 'sightings', 'things', 'thing_keys'].concat(
  'sources_due',
  'pruned_refunds',
  'profile_uses',
  'doubts',
);
/** The SQL that `gw ledger init` runs. */
export const SCHEMA = readFileSync('docs/schema.sql', 'utf8');
/** For a copy of a database that is to be like a snapshot of its files. */
export const AT_HOME = `UPDATE gw.ledger SET system_id = ${SYSTEM_ID}`;
/** Waits until its stdin closes, as it does when the process that holds it has ended, and stops the server. */
const STOP_AT_END = 'cat; "$0" -D "$1/data" -m immediate stop; rm -rf "$1"';
const RESTART = `DO $$ DECLARE s text; BEGIN
  FOR s IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'gw' LOOP
    EXECUTE 'ALTER SEQUENCE gw.' || s || ' RESTART';
  END LOOP; END $$`;
const COPIED = { recursive: true, preserveTimestamps: true };
const NAMED_PORT = 5432;

/** @returns the folder of the server's programs; notes that they are missing, for the reader of a skipped test */
export function findPostgres(): string | undefined {
  // Debian has the server's programs beside PATH, and its client on it.
  const versions =
    isOnPath('psql') && existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().toReversed() : [];
  const folders = [
    ...versions.map((version) => path.join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  const found = folders.find((folder) => existsSync(path.join(folder, 'initdb')));
  if (!found) notePart('postgresql');
  return found;
}

/** A database of a cluster. */
export interface TestDatabase {
  name: string;
  /** For `--ledger` and GW_LEDGER_URL. */
  url: string;
}

export class Cluster {
  readonly folder: string = '';
  readonly port: number = 0;
  readonly #programs: string = '';
  #made = 0;
  #emptied: TestDatabase | undefined;
  readonly #stopper: ChildProcess | undefined;

  /** Makes and starts it. @param programs as `findPostgres` gives it; without them it is nothing, for tests that are skipped */
  constructor(programs: string | undefined, settings: readonly string[] = []) {
    if (programs === undefined) return;
    this.#programs = programs;
    // Beside the folder of the run, which only its user may enter.
    this.folder = mkdtempSync(path.join(tmpdir(), process.env.GW_TEST_ROOT ? '..' : '.', 'gw-pg-'));
    // Names the socket, and is the port of TCP where a test turns that on.
    // None that a system gives to whoever asks for any: somebody might have it.
    this.port = 20_000 + (parseInt(randomUUID().slice(0, 4), 16) % 12_000);
    this.#own();
    this.#stopper = this.#startStopper();
    this.run('initdb', [
      '-D',
      this.#data,
      '-U',
      SUPERUSER,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ]);
    const own = [
      `unix_socket_directories = '${this.folder}'`,
      `port = ${this.port}`,
      "listen_addresses = ''",
      'fsync = off',
      'autovacuum = off',
      'max_connections = 60',
      'shared_buffers = 32MB',
      ...settings,
    ];
    appendFileSync(path.join(this.#data, 'postgresql.conf'), `${own.join('\n')}\n`);
    this.start();
  }

  get #data(): string {
    return path.join(this.folder, 'data');
  }

  /** Copies all that the server keeps, as a snapshot of its machine would. @returns what brings that back */
  snapshot(): () => void {
    const copy = `${this.#data}.copy`;
    this.stop();
    cpSync(this.#data, copy, COPIED);
    this.start();
    return () => {
      this.stop();
      rmSync(this.#data, { recursive: true });
      cpSync(copy, this.#data, COPIED);
      this.#own();
      this.start();
    };
  }

  /** A name that moves: an address that leads to the server at one port, and to another one when it is told. */
  movingUrl(database: string): { url: string; moveTo(port: number): void } {
    const folder = path.join(this.folder, `name${++this.#made}`);
    mkdirSync(folder, { mode: 0o755 });
    const name = path.join(folder, `.s.PGSQL.${NAMED_PORT}`);
    const moveTo = (port: number) => {
      rmSync(name, { force: true });
      symlinkSync(path.join(this.folder, `.s.PGSQL.${port}`), name);
    };
    moveTo(this.port);
    const at = `host=${encodeURIComponent(folder)}&port=${NAMED_PORT}`;
    return { url: `postgres://${SUPERUSER}@/${database}?${at}`, moveTo };
  }

  start(): void {
    this.run('pg_ctl', ['-D', this.#data, '-w', '-l', path.join(this.folder, 'log'), 'start']);
  }

  /** @param mode `immediate` is as if the machine had died */
  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.run('pg_ctl', ['-D', this.#data, '-w', '-m', mode, 'stop']);
  }

  /** Adds lines to pg_hba.conf or postgresql.conf, in front of what is there of the first. */
  configure(file: 'postgresql.conf' | 'pg_hba.conf', lines: readonly string[]): void {
    const name = path.join(this.#data, file);
    const text = `${lines.join('\n')}\n`;
    // In pg_hba.conf the first matching line counts; among settings, the last.
    if (file === 'pg_hba.conf') writeFileSync(name, text + readFileSync(name, 'utf8'));
    else appendFileSync(name, text);
  }

  /** Scans what is in it for secrets, and removes it. */
  remove(): void {
    try {
      const text = execFileSync(
        path.join(this.#programs, 'pg_dumpall'),
        ['-h', this.folder, '-p', String(this.port), '-U', SUPERUSER, '--data-only'],
        { encoding: 'utf8', maxBuffer: 2 ** 29, stdio: ['ignore', 'pipe', 'ignore'] },
      );
      scanOutput(text, 'the databases of a test');
    } finally {
      this.discard();
    }
  }

  /** Removes it without a look: what a bench has filled it with is its own, and more than a text can hold. */
  discard(): void {
    if (!existsSync(this.folder)) return;
    const args = ['-D', this.#data, '-m', 'immediate', 'stop'];
    spawnSync(path.join(this.#programs, 'pg_ctl'), args, this.#as);
    rmSync(this.folder, { recursive: true, force: true });
    this.#stopper?.stdin?.end();
  }

  url(database: string): string {
    return `postgres://${SUPERUSER}@/${database}?host=${encodeURIComponent(this.folder)}&port=${this.port}`;
  }

  /** @returns a database with an empty ledger; an empty one with `isEmpty` */
  async database({ isEmpty = false } = {}): Promise<TestDatabase> {
    if (!isEmpty && this.#made === 0) await this.#makeTemplate();
    const name = `d${++this.#made}`;
    await this.query(
      'postgres',
      `CREATE DATABASE ${name}${isEmpty ? '' : ` TEMPLATE ${TEMPLATE}`}`,
    );
    if (!isEmpty)
      await this.query(name, `${AT_HOME}, id = replace(gen_random_uuid()::text, '-', '')`);
    return { name, url: this.url(name) };
  }

  /**
   * Its old content is scanned for secrets. Making a database takes 200 ms, emptying one 10.
   * @returns one database with an empty ledger, the same each time, for tests that come one after the other and change
   *   nothing but rows
   */
  async emptied(): Promise<TestDatabase> {
    this.#emptied ??= await this.database();
    const { name } = this.#emptied;
    const rows = ROWS.map((table) => `SELECT row_to_json(t)::text AS row FROM gw.${table} AS t`);
    const found = await this.query<{ row: string }>(name, rows.join(' UNION ALL '));
    scanOutput(found.map(({ row }) => row).join('\n'), 'the database of a test');
    const empty = ROWS.map((table) => `DELETE FROM gw.${table};`).join(' ');
    // Rows that others refer to, and rows that nobody may change.
    await this.query(name, `SET session_replication_role = replica; ${empty} ${RESTART}`);
    return this.#emptied;
  }

  /** Asks the server as its superuser, by a connection of its own. */
  async query<Row>(database: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ host: this.folder, port: this.port, user: SUPERUSER, database });
    // A server that is killed fails what it is asked; told to nobody, the end of the connection would end the run.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** A server runs only on what is its user's own. */
  #own(): void {
    if (process.getuid?.() !== 0) return;
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, this.folder]);
  }

  async #makeTemplate(): Promise<void> {
    await this.query('postgres', `CREATE DATABASE ${TEMPLATE}`);
    const server = serverOf(this.url(TEMPLATE));
    await makeLedger(server, SCHEMA);
    await server.close();
  }

  #startStopper(): ChildProcess {
    const args = ['-c', STOP_AT_END, path.join(this.#programs, 'pg_ctl'), this.folder];
    const { uid, gid } = this.#as;
    const stopper = spawn('sh', args, {
      cwd: '/',
      // A session of its own: what is sent to the group of this process does not end it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...(uid !== undefined && { uid, gid }),
    });
    stopper.unref();
    (stopper.stdin as Socket).unref();
    return stopper;
  }

  get #as(): SpawnSyncOptions {
    const isRoot = process.getuid?.() === 0;
    return { stdio: 'pipe', cwd: this.folder, ...(isRoot && { uid: NOBODY, gid: NOBODY }) };
  }

  /** Runs one of the server's programs as the user who owns the cluster. */
  run(program: string, args: readonly string[]): void {
    // A server that keeps the pipe of pg_ctl would keep the caller waiting.
    execFileSync(path.join(this.#programs, program), args, { ...this.#as, stdio: 'ignore' });
  }
}

/** Accepts all that machines doubt, as an owner does. */
export async function acceptAll(owner: Server): Promise<void> {
  const { doubts } = await findGap(owner);
  await acceptRestore(
    owner,
    doubts.flatMap(({ number }) => number ?? []),
  );
}

/** @returns the server of an address, as gw speaks to it */
export function serverOf(url: string, parts: Partial<ServerParts> = {}): Server {
  return new Server({
    address: parseLedgerAddress(url, 'The address'),
    userName: SUPERUSER,
    password: () => Promise.reject(new Error('no password')),
    rootCertificates: undefined,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...parts,
  });
}
