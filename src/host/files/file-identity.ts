/** Identifies a file independently of its name. No two existing files have the same identity. */
import { type BigIntStats, statSync } from 'node:fs';

/** @returns device and inode number of a file */
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
