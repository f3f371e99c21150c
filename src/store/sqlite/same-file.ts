/**
 * Checks that an open file is still the one at its path, with its log, and has only one name.
 *
 * SQLite opens a file by its path once. If the file is then moved, deleted or replaced, later writes end up where
 * nobody finds them. SQLite also names the log after the path. So a file with two paths has two logs that do not know
 * of each other. A hard link, or a mount of the file alone, creates such a second path. Symbolic links to the file or
 * its directory lead to one path, and so to one log.
 *
 *   begin      identifies the file at the path, right before SQLite opens it
 *   opened     checks that the same file is there afterwards, so it is the one opened; its log exists by now
 *   check      checks both: before a transaction, so nothing is written elsewhere, and after an intent or
 *              event is on disk, so nobody acts on a write that is elsewhere
 *
 * A file moved after the last check takes its writes with it. Device and inode number identify a file while it is open,
 * because the system does not reuse them until then. Limits: a file overwritten by a copy still counts as the same. So
 * does one that is moved away and back between `begin` and `opened`.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { identityAt, identityOf } from '../../host/files/files.ts';
import { type FileNaming, fileLinked, fileMounted, fileMoved } from './file-failure.ts';

/** Identity of the file at a path. */
interface FileIdentity {
  /** Path that SQLite derives the log's name from, with symbolic links resolved. */
  path: string;
  device: bigint;
  file: string;
  log: string | undefined;
  /** Whether the file has a hard link. */
  isLinked: boolean;
}

export class SameFile {
  readonly #naming: FileNaming;
  #held: FileIdentity | undefined;

  constructor(naming: FileNaming) {
    this.#naming = naming;
  }

  /** @throws Failure guard if the file has another name, or is mounted alone */
  begin(): void {
    this.#held = this.#one();
    if (isMount(this.#held)) throw fileMounted(this.#naming);
  }

  /** @throws Failure guard if SQLite may have opened another file */
  opened(): void {
    const { file } = this.#held ?? {};
    this.#held = this.#one();
    if (this.#held.file !== file) throw fileMoved(this.#naming);
  }

  /** @throws Failure guard if the open file is gone from its path, or has two names */
  check(): void {
    if (!this.isThere(this.#one())) throw fileMoved(this.#naming);
  }

  /** @returns whether the open file and its log are at the path */
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

/** @returns the path of a file's log; SQLite derives it from the path with symbolic links resolved */
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

/** Linux lists its mounts. Elsewhere, a mounted file is on another device than its directory. */
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
