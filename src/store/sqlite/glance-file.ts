/**
 * Reads a database file for a shell that completes a word: it writes nothing, waits for nobody and lets nobody wait. A
 * command that reads a file for its user opens it by `Database`, which says what is wrong with a file.
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Work } from '../sql.ts';
import { Queries } from './queries.ts';
import { logOf } from './same-file.ts';

/**
 * @param work only reads
 * @throws Error if there is no file, if it is damaged or locked by another program, and what `work` throws
 */
export function glanceFile<Result>(path: string, work: Work<Result>): Result {
  // SQLite makes a log beside a file without one, even if it only reads.
  const place = existsSync(logOf(path)) ? path : `${pathToFileURL(path)}?immutable=1`;
  const connection = new DatabaseSync(place, { readOnly: true, timeout: 0 });
  try {
    return new Queries(connection).do(work);
  } finally {
    connection.close();
  }
}
