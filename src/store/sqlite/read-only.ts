/** Reads a SQLite file as it is: it is neither made, nor migrated, nor waited for. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { Queries } from './queries.ts';

/**
 * @param path of a file that another process may be writing to
 * @returns what `work` returns, or undefined where there is no file or it cannot be asked at once
 */
export function readOnly<Result>(
  path: string,
  work: (queries: Queries) => Result,
): Result | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    try {
      return work(new Queries(database));
    } finally {
      database.close();
    }
  } catch {
    return undefined; // Damaged, locked or of another gw: whoever needs it will say so.
  }
}
