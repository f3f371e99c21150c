/**
 * What a disk still has after the power fails. `strace` records the system calls of a program. They are repeated here
 * on a disk in memory, which loses whatever was not synced:
 *
 *   bytes   of a file survive once an fsync or fdatasync of it ends, if they were written before that sync began
 *   names   in a directory (made, renamed, linked, removed) survive once an fsync of the directory ends
 *
 * A real disk may keep more. It may keep names at once and the bytes later, which leaves empty files: `names: 'all'`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Ended, start } from './run.ts';
import { havePrograms, notePart } from './skip.ts';
import { temporaryDirectory } from './temporary.ts';

const CHANGES = ['write', 'writev', 'pwrite64', 'pwritev', 'ftruncate'];
const NAMES = ['open', 'openat', 'mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2', 'link'];
const REMOVALS = ['linkat', 'unlink', 'unlinkat', 'rmdir'];
const SYNCS = ['fsync', 'fdatasync'];
/** Of calls to this disk, these would have to be repeated too. */
const NOT_REPEATED = ['truncate', 'fallocate', 'copy_file_range', 'sync_file_range', 'msync'];
const OTHERS = ['sendto', 'sendmsg', 'exit_group'];
/** A slow disk: whatever does not wait for it comes before it. In microseconds. */
const SLOW = 'fdatasync:delay_enter=30000';

/** @returns whether this machine has strace and lets it trace; notes it otherwise */
export function mayTrace(): boolean {
  if (!havePrograms('strace')) return false;
  const isPermitted = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
  if (!isPermitted) notePart('the right to use `strace`');
  return isPermitted;
}

/** A system call that has ended. */
export interface Call {
  name: string;
  /** As strace prints them: every string in hexadecimal digits. */
  args: readonly string[];
  /** Undefined for a call that failed. */
  result: string | undefined;
  /** The lines of the recording on which it began and ended. */
  began: number;
  ended: number;
}

/** @returns the bytes that a call writes */
export function bytesOf({ args }: Call): Buffer {
  const texts = args.join().match(/"(?:\\x[0-9a-f]{2})*"/g) ?? [];
  return Buffer.concat(texts.map(decoded));
}

/** @returns the two ends of the connection that a call writes to, such as `127.0.0.1:4010`; undefined for a file */
export function connectionOf({ args }: Call): { own: string; other: string } | undefined {
  const [, own, other] = /<TCP(?:v6)?:\[(.+)->(.+)\]>/.exec(args[0] ?? '') ?? [];
  return own === undefined || other === undefined ? undefined : { own, other };
}

export interface Recording {
  ended: Ended;
  calls: readonly Call[];
  /** Yields the disk as it is at the beginning of each call for which `isMoment` holds. */
  disks(isMoment: (call: Call) => boolean): Generator<{ call: Call; disk: Disk }>;
}

/**
 * Runs a program, and records what it does to a folder.
 * @param folder its content at the beginning is on the disk
 * @param onStart called when the program runs
 */
export async function recordCalls(
  folder: string,
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
  onStart: (running: ReturnType<typeof start>) => Promise<void> = async () => undefined,
): Promise<Recording> {
  const recording = path.join(temporaryDirectory(), 'calls');
  const kept = filesIn(folder);
  // Not every processor has all of them.
  const names = [CHANGES, NAMES, REMOVALS, SYNCS, NOT_REPEATED, OTHERS]
    .flat()
    .map((name) => `?${name}`);
  const options = ['-f', '-yy', '-xx', '-s', '16777216', '-o', recording];
  options.push('-e', `trace=${names}`, '-e', `inject=${SLOW}`);
  const running = start('strace', [...options, command, ...args], {
    cwd: folder,
    // strace does not see what is written through io_uring.
    env: { ...env, UV_USE_IO_URING: '0' },
    input: '',
  });
  await onStart(running);
  const ended = await running.ended;
  const calls = callsOf(readFileSync(recording, 'latin1'));
  return { ended, calls, disks: (isMoment) => disksAt(new Disk(folder, kept), calls, isMoment) };
}

function callsOf(recording: string): Call[] {
  const begun = new Map<string, { name: string; text: string; began: number }>();
  return recording.split('\n').flatMap((line, place): Call[] => {
    const [, thread = '', name = '', first, rest] =
      /^(\d+) +(?:<\.\.\. )?(\w+)(?:\((.*)| resumed>(.*))$/.exec(line) ?? [];
    if (name === '') return [];
    const call = begun.get(thread) ?? { name, text: '', began: place };
    const text = call.text + (first ?? rest ?? '');
    if (text.endsWith(' <unfinished ...>')) {
      begun.set(thread, { ...call, text: text.replace(/,? <unfinished \.\.\.>$/, '') });
      return [];
    }
    begun.delete(thread);
    const [, args = '', result] = /^(.*)\) += (.*)$/.exec(text) ?? [];
    const isFailed = result === undefined || result.startsWith('-1');
    const ended = { result: isFailed ? undefined : result, ended: place };
    return [{ name, args: args.split(', '), began: call.began, ...ended }];
  });
}

function* disksAt(disk: Disk, calls: readonly Call[], isMoment: (call: Call) => boolean) {
  const steps = calls.flatMap((call) => [
    { call, at: call.began, isEnd: false },
    { call, at: call.ended, isEnd: true },
  ]);
  steps.sort((one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd));
  for (const { call, isEnd } of steps) {
    if (isEnd) disk.end(call);
    else if (isMoment(call)) yield { call, disk };
    if (!isEnd) disk.begin(call);
  }
}

interface Inode {
  /** Undefined for a directory. */
  bytes: Buffer | undefined;
  synced: Buffer | undefined;
}

type Names = Map<string, Inode>;

export class Disk {
  readonly #folder: string;
  /** What every process sees, and what is on the disk, by path. */
  readonly #seen: Names;
  readonly #synced: Names;
  /** Where the next write of each open file goes; undefined for its end. */
  readonly #offsets = new Map<string, number | undefined>();
  /** What a running sync has taken. */
  readonly #taken = new Map<Call, () => void>();

  constructor(folder: string, files: ReadonlyMap<string, Buffer | undefined>) {
    this.#folder = folder;
    this.#seen = new Map(
      [...files].map(([name, bytes]) => [path.join(folder, name), { bytes, synced: bytes }]),
    );
    this.#synced = new Map(this.#seen);
  }

  /**
   * Writes what survives into a new folder.
   * @param names 'synced' loses the names that were not synced, 'all' keeps them
   */
  afterFailure(names: 'synced' | 'all' = 'synced'): string {
    const into = temporaryDirectory();
    const there = names === 'all' ? this.#seen : this.#synced;
    const folders = new Set([into]);
    for (const [file, { bytes, synced }] of [...there].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const to = path.join(into, path.relative(this.#folder, file));
      if (!folders.has(path.dirname(to))) continue;
      if (bytes !== undefined) writeFileSync(to, synced ?? '', { mode: 0o600 });
      else {
        mkdirSync(to, { mode: 0o700 });
        folders.add(to);
      }
    }
    return into;
  }

  begin(call: Call): void {
    if (!SYNCS.includes(call.name)) return;
    const file = pathOf(call.args[0]);
    const inode = this.#seen.get(file);
    if (inode?.bytes) {
      const bytes = Buffer.from(inode.bytes);
      this.#taken.set(call, () => {
        inode.synced = bytes;
      });
      return;
    }
    const isIn = ([name]: readonly [string, Inode]) => path.dirname(name) === file;
    const entries = [...this.#seen].filter(isIn);
    this.#taken.set(call, () => {
      for (const old of [...this.#synced].filter(isIn)) this.#synced.delete(old[0]);
      for (const [name, entry] of entries) this.#synced.set(name, entry);
    });
  }

  end(call: Call): void {
    const { name, args, result } = call;
    if (result === undefined) return;
    if (SYNCS.includes(name)) this.#taken.get(call)?.();
    else if (CHANGES.includes(name)) this.#change(call, result);
    else if (name.startsWith('open')) this.#open(call, result);
    else if (NAMES.includes(name) || REMOVALS.includes(name)) this.#rename(call);
    else if (NOT_REPEATED.includes(name) && this.#seen.has(pathOf(args[0])))
      throw new Error(`${name} of ${pathOf(args[0])} is not repeated`);
  }

  #open({ args }: Call, result: string): void {
    const file = pathOf(result);
    if (!file.startsWith(`${this.#folder}/`)) return;
    const flags = args.find((arg) => /\bO_(RDONLY|WRONLY|RDWR)\b/.test(arg)) ?? '';
    const inode = this.#seen.get(file);
    if (!inode && flags.includes('O_CREAT'))
      this.#seen.set(file, { bytes: Buffer.alloc(0), synced: undefined });
    else if (inode?.bytes && flags.includes('O_TRUNC')) inode.bytes = Buffer.alloc(0);
    this.#offsets.set(numberOf(result), flags.includes('O_APPEND') ? undefined : 0);
  }

  #change(call: Call, result: string): void {
    const { name, args } = call;
    const [file = ''] = args;
    const inode = this.#seen.get(pathOf(file));
    if (!inode?.bytes) return;
    if (name === 'ftruncate') {
      inode.bytes = sized(inode.bytes, Number(args[1]));
      return;
    }
    const bytes = bytesOf(call).subarray(0, Number.parseInt(result, 10));
    const next = this.#offsets.get(numberOf(file));
    const at = name.startsWith('p') ? Number(args.at(-1)) : (next ?? inode.bytes.length);
    if (next !== undefined && !name.startsWith('p'))
      this.#offsets.set(numberOf(file), at + bytes.length);
    inode.bytes = sized(inode.bytes, Math.max(inode.bytes.length, at + bytes.length));
    bytes.copy(inode.bytes, at);
  }

  #rename({ name, args }: Call): void {
    const paths = args.filter((arg) => arg.startsWith('"')).map((arg) => decoded(arg).toString());
    const [from = '', to = ''] = paths.map((one) => path.resolve(this.#folder, one));
    const inode = this.#seen.get(from);
    if (name.startsWith('mkdir')) {
      if (from.startsWith(`${this.#folder}/`))
        this.#seen.set(from, { bytes: undefined, synced: undefined });
      return;
    }
    if (inode && /^(rename|link)/.test(name)) this.#seen.set(to, inode);
    if (!name.startsWith('link')) this.#seen.delete(from);
  }
}

/** @returns a copy that is shorter, or ends in zeros */
function sized(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.alloc(length);
  bytes.copy(copy);
  return copy;
}

/** @returns the path of an open file: `19<\x2f\x74…>` */
function pathOf(file = ''): string {
  return decoded(/<((?:\\x[0-9a-f]{2})*)>/.exec(file)?.[1] ?? '').toString();
}

function numberOf(file: string): string {
  return file.split('<')[0] ?? '';
}

function decoded(text: string): Buffer {
  return Buffer.from(text.replaceAll(/"|\\x/g, ''), 'hex');
}

/** @returns the bytes of each file in a folder, and undefined for each folder in it, by relative path */
function filesIn(folder: string): Map<string, Buffer | undefined> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), entry.isFile() ? readFileSync(file) : undefined];
    }),
  );
}
