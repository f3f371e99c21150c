/**
 * Reads and writes files: gw's own, and those that a user names.
 *
 * A read never waits and never exceeds its limit. gw opens a file without blocking, so a FIFO cannot hang it, and
 * checks the file's type before reading. A write replaces the file in one step. At any moment, even after a crash, a
 * reader sees the old text or the new one.
 */
import { once } from 'node:events';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type Failure, fileExists, usage } from '../../failure.ts';
import { codeOf, reasonOf } from '../error-reason.ts';
import type { Files } from '../host.ts';
import { textOfBytes } from '../utf8.ts';
import { makeFolders, syncFolder } from './durable-folders.ts';
import {
  directoryOf,
  directoryVariable,
  findExposed,
  makePrivate,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
} from './folders.ts';
import { writeWhole } from './write-whole.ts';

const CHUNK_BYTES = 64 * 1024;
/**
 * Some file systems give the same file a different number each time. On a busy machine, ten times in a row the file may
 * really have been taken.
 */
const MAX_APPENDS = 50;

const OWN_DIRECTORIES = ['config', 'state'] as const;
type OwnDirectory = (typeof OWN_DIRECTORIES)[number];

type Env = Readonly<Record<string, string | undefined>>;

export function createFiles(env: Env, platform: NodeJS.Platform = process.platform): Files {
  return {
    get configDirectory() {
      return ownDirectory('config', env, platform);
    },
    get stateDirectory() {
      return ownDirectory('state', env, platform);
    },
    read,
    writePrivate: (file, text) => writePrivate(file, text, ownDirectories(env, platform)),
    writeNew,
    append: (file, text) => append(file, text, ownDirectories(env, platform)),
    take,
    list,
    remove,
    size,
    isSame,
    keepPrivate: () => makePrivate(ownDirectories(env, platform)),
    findExposed: () => findExposed(ownDirectories(env, platform)),
  };
}

/** @returns gw's own directories, as far as they are known */
function ownDirectories(env: Env, platform: NodeJS.Platform): string[] {
  return OWN_DIRECTORIES.flatMap((kind) => directoryOf(kind, env, platform) ?? []);
}

/** @throws Failure usage if no variable names it and there is no home directory */
function ownDirectory(kind: OwnDirectory, env: Env, platform: NodeJS.Platform): string {
  const directory = directoryOf(kind, env, platform);
  if (directory !== undefined) return directory;
  throw usage(
    'home-missing',
    'gw has no home directory to keep its files in.',
    `Set HOME or ${directoryVariable(kind, platform)} to a directory of yours.`,
  );
}

function read(file: string, maxBytes: number, encoding?: 'windows-1252'): string | undefined {
  const bytes = readBytes(file, maxBytes);
  return bytes && textOfBytes(bytes, file, encoding);
}

function readBytes(file: string, maxBytes: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw unreadable(file, error);
  }
  try {
    return readDescriptor(file, descriptor, maxBytes);
  } catch (error) {
    if (codeOf(error) !== '') throw unreadable(file, error);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function readDescriptor(file: string, descriptor: number, maxBytes: number): Buffer {
  const status = fstatSync(descriptor);
  if (status.isDirectory()) {
    throw usage('file-is-directory', `${file} is a directory.`, 'Name a file in it instead.');
  }
  if (!status.isFile()) {
    throw usage(
      'file-not-regular',
      `${file} is not a regular file.`,
      'Name a regular file, or pipe the text in and name - instead.',
    );
  }
  // The reported size is not a limit: a file may grow meanwhile, and files in /proc report 0.
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes + 1 - bytes));
    const taken = readSync(descriptor, chunk);
    if (taken === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, taken));
    bytes += taken;
    if (bytes > maxBytes) throw tooLarge(file, maxBytes);
  }
}

/**
 * Reads a file that a user named, which may be a pipe: `--input <(jq …)`. Waits for a pipe until the program is
 * interrupted.
 * @returns what `Host.readNamed` returns, and throws the same
 */
export async function readNamed(
  file: string,
  maxBytes: number,
  interrupted: AbortSignal,
): Promise<Buffer | undefined> {
  if (!isPipe(file)) return readBytes(file, maxBytes);
  interrupted.throwIfAborted();
  const interruption = once(interrupted, 'abort').then(() => Promise.reject(interrupted.reason));
  try {
    // A stream's own signal would not end the wait for a pipe that nobody has opened yet.
    const bytes = await Promise.race([readPipe(file, maxBytes + 1), interruption]);
    if (bytes.length > maxBytes) throw tooLarge(file, maxBytes);
    return bytes;
  } catch (error) {
    throw codeOf(error) === '' ? error : unreadable(file, error);
  }
}

async function readPipe(file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: maxBytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function isPipe(file: string): boolean {
  try {
    return statSync(file).isFIFO();
  } catch {
    return false; // The error shows when the file is read.
  }
}

/** @param own gw's own directories; makes them private if somebody else may enter them */
function writePrivate(file: string, text: string, own: readonly string[]): void {
  refuseDevice(file);
  const target = linkTarget(file);
  const directory = dirname(target);
  const suffix = `${process.pid}.${process.hrtime.bigint()}.tmp`;
  const temporary = join(directory, `.${basename(target)}.${suffix}`);
  try {
    makeFolder(directory, own);
    replace(temporary, target, text);
    syncFolder(directory);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw unwritable(target, error);
  }
}

function writeNew(file: string, contents: string | Uint8Array): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', PRIVATE_FILE);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileExists(file);
    throw unwritable(file, error);
  }
  try {
    writeWhole(descriptor, Buffer.from(contents));
    fsyncSync(descriptor);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(file, { force: true });
    throw unwritable(file, error);
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses to replace a device or a pipe, because that would destroy it. */
function refuseDevice(file: string): void {
  if (!isDevice(file)) return;
  throw usage(
    'not-a-file',
    `${file} is a device or a pipe, and gw replaces only files.`,
    'Choose the path of a file.',
  );
}

function isDevice(file: string): boolean {
  try {
    const there = statSync(file);
    return !there.isFile() && !there.isDirectory();
  } catch {
    return false; // The file does not exist yet. Any other error shows when it is written.
  }
}

/** Creates a missing directory, and closes gw's own directories to others. */
function makeFolder(directory: string, own: readonly string[]): void {
  makeFolders(directory);
  const root = own.find((each) => `${directory}${sep}`.startsWith(`${each}${sep}`));
  if (root !== undefined) chmodSync(root, PRIVATE_FOLDER);
}

/**
 * A process that takes the file renames it before reading it. If the file still has its name after the write, the text
 * will be read. If not, the write may have come too late, so gw writes again.
 */
function append(file: string, text: string, own: readonly string[]): number {
  try {
    makeFolder(dirname(file), own);
    for (let attempt = 1; ; attempt++) {
      const descriptor = openSync(file, 'a', PRIVATE_FILE);
      try {
        writeFileSync(descriptor, text);
        const written = fstatSync(descriptor, { bigint: true });
        const isStillThere = identityAt(file) === identityOf(written);
        if (isStillThere || attempt === MAX_APPENDS) return Number(written.size);
      } finally {
        closeSync(descriptor);
      }
    }
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw unwritable(file, error);
  }
}

function take(file: string): string | undefined {
  const taken = `${file}.taken`;
  try {
    // An existing one is left over from a process that was killed.
    if (!existsSync(taken)) renameSync(file, taken);
    const text = readFileSync(taken, 'utf8');
    rmSync(taken);
    return text;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === '') throw error;
    throw unwritable(file, error);
  }
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // The error shows when something is written there.
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw unwritable(file, error);
  }
}

function isSame(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [first, second] = [one, other].map(identityAt);
  return first !== undefined && first === second;
}

function size(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return 0; // The error shows when the file is opened.
  }
}

/** Keeps a symbolic link in the file's place, such as one to a dotfiles repository. */
function linkTarget(file: string): string {
  try {
    return lstatSync(file).isSymbolicLink() ? realpathSync(file) : resolve(file);
  } catch {
    return resolve(file); // The file does not exist yet. Any other error shows when it is written.
  }
}

function replace(temporary: string, target: string, text: string): void {
  const descriptor = openSync(temporary, 'wx', PRIVATE_FILE);
  try {
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function tooLarge(file: string, maxBytes: number): Failure {
  return usage(
    'file-too-large',
    `${file} is larger than the ${maxBytes} bytes that gw reads here.`,
    'Check that this is the file you meant, or split it.',
  );
}

function unreadable(file: string, error: unknown): Failure {
  const next =
    codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
      ? `Allow yourself to read it (chmod u+r), or name another file.`
      : 'Name another file.';
  return usage(
    'file-unreadable',
    `${printable(file)} could not be read: ${reasonOf(error)}.`,
    next,
    { cause: error },
  );
}

function unwritable(file: string, error: unknown): Failure {
  return usage(
    'file-unwritable',
    `${file} could not be written: ${reasonOf(error)}.`,
    `Make ${dirname(file)} writable, or set HOME or the XDG directories to another directory.`,
    { cause: error },
  );
}

function printable(file: string): string {
  return file.replaceAll('\0', '\\0');
}

/** Identifies a file independently of its name: no two existing files have the same. @returns its device and inode number */
export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev} ${ino}`;
}

/** @returns the identity of the file at a path, following links; undefined if there is none or it cannot be reached */
export function identityAt(file: string): string | undefined {
  try {
    return identityOf(statSync(file, { bigint: true }));
  } catch {
    return undefined; // The error shows when the file is used.
  }
}
