/** Which file something is, whatever it is called: no two that exist at the same time have the same. */
import fs from 'node:fs';

/** @returns device and number of what was looked at */
export function identityOf({ dev, ino }: Pick<fs.BigIntStats, 'dev' | 'ino'>): string {
  return `${dev} ${ino}`;
}

/** @returns what is at a path, links followed; undefined where that is nothing, or cannot be reached */
export function identityAt(file: string): string | undefined {
  try {
    return identityOf(fs.statSync(file, { bigint: true }));
  } catch {
    return undefined; // What is wrong with it shows when it is used.
  }
}
