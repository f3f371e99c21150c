/**
 * That a file which is open is still the one at its path, with its log, and is there by one name only.
 *
 * SQLite opens a file by its path once, and goes on with it wherever it is by then: what is written after
 * the file was moved, deleted or replaced is found by nobody. And a log is named by the path of its file, so
 * that a file with two paths (a hard link, a mount of the file by itself) is two that do not know of each
 * other. Links to the file and to its directory lead to one path, and so to one log.
 *
 *   begin      the file at the path, right before SQLite opens it
 *   opened     the same is there after it was opened, so that it is what was opened; its log is there by now
 *   check      both are there: before a transaction, so that nothing is written elsewhere, and when an intent or
 *              an event is on disk, so that nothing is done on the strength of what is elsewhere
 *
 * What is moved after the last check takes with it what was written. Device and number tell a file for as
 * long as it is open: the system gives them to no other one until then. Limits: a file into which another one
 * is copied is still the same, and between `begin` and `opened` one that is moved away and back.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { identityAt, identityOf } from '../../host/files/file-identity.ts';
import { type FileNaming, fileLinked, fileMounted, fileMoved } from './file-failure.ts';

/** What is at a path. */
interface FileIdentity {
  /** Where SQLite names the log by: a link to the file is followed. */
  path: string;
  device: bigint;
  file: string;
  log: string | undefined;
  /** Whether it has another name. */
  isLinked: boolean;
}

export class SameFile {
  readonly #naming: FileNaming;
  #held: FileIdentity | undefined;

  constructor(naming: FileNaming) {
    this.#naming = naming;
  }

  /** @throws Failure guard when the file has another name, or is mounted by itself */
  begin(): void {
    this.#held = this.#one();
    if (isMount(this.#held)) throw fileMounted(this.#naming);
  }

  /** @throws Failure guard when it may be another one that was opened */
  opened(): void {
    const { file } = this.#held ?? {};
    this.#held = this.#one();
    if (this.#held.file !== file) throw fileMoved(this.#naming);
  }

  /** @throws Failure guard when what is open is not at the path any more, or is there by two names */
  check(): void {
    if (!this.isThere(this.#one())) throw fileMoved(this.#naming);
  }

  /** @returns whether the file and its log are at the path */
  isThere(found = find(this.#naming.path)): boolean {
    return found?.file === this.#held?.file && found?.log === this.#held?.log;
  }

  #one(): FileIdentity {
    const found = find(this.#naming.path);
    if (!found) throw fileMoved(this.#naming);
    if (found.isLinked) throw fileLinked(this.#naming);
    return found;
  }
}

/** @returns where the log of a file is, which SQLite names by what links lead to */
export function logOf(path: string): string {
  try {
    return `${realpathSync.native(path)}-wal`;
  } catch {
    return `${path}-wal`;
  }
}

function find(path: string): FileIdentity | undefined {
  try {
    const there = lstatSync(path, { bigint: true });
    const real = there.isSymbolicLink() ? realpathSync.native(path) : path;
    const status = real === path ? there : statSync(real, { bigint: true });
    return {
      path: real,
      device: status.dev,
      file: identityOf(status),
      log: identityAt(`${real}-wal`),
      isLinked: status.isFile() && status.nlink > 1n,
    };
  } catch {
    return undefined;
  }
}

/** Linux lists what is mounted. Elsewhere a file on another device than its directory is. */
function isMount({ path, device }: FileIdentity): boolean {
  try {
    const point = realpathSync
      .native(path)
      .replace(
        /[ \t\n\\]/g,
        (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
      );
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((mount) => mount.split(' ', 5)[4] === point);
  } catch {
    return statSync(dirname(path), { bigint: true }).dev !== device;
  }
}
