/**
 * Reads a database file for a shell that completes a word: it writes nothing, waits for nobody and lets nobody wait. A
 * command that reads a file for its user opens it by `Database`, which says what is wrong with a file.
 *
 * Tests: test/unit/store/sqlite/glance-file.test.ts
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Work } from '../sql.ts';
import type { FileFormat } from './database.ts';
import { Queries } from './queries.ts';
import { logOf } from './same-file.ts';

/**
 * @param work only reads
 * @returns what the work returns; undefined without a file, and for one of another form
 * @throws Error if the file is damaged, or locked by another program
 */
export function glanceFile<Result>(
  { path, applicationId, form }: Pick<FileFormat, 'path' | 'applicationId' | 'form'>,
  work: Work<Result>,
): Result | undefined {
  if (!existsSync(path)) return undefined;
  // SQLite makes a log beside a file without one, even if it only reads.
  const place = existsSync(logOf(path)) ? path : `${pathToFileURL(path)}?immutable=1`;
  const connection = new DatabaseSync(place, { readOnly: true, timeout: 0 });
  try {
    const found = connection
      .prepare(
        'SELECT user_version, application_id FROM pragma_user_version, pragma_application_id',
      )
      .get();
    const isKnown = found.user_version === form && found.application_id === applicationId;
    return isKnown ? new Queries(connection).do(work) : undefined;
  } finally {
    connection.close();
  }
}
