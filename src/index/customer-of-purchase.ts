/** Whose a purchase or a token is, as the index knows it. */
import { all, type Work } from '../store/sql.ts';
import type { KnownOwner } from './document-of-request.ts';
import { fold } from './normalise.ts';

/**
 * Without it a request that was declined, which made no record, would be found by nobody's name.
 * @param names ids of purchases, or tokens
 * @returns of those that are known, by their names as they were given: name and last four digits in the newest
 *   document that is called so and says them
 */
export function* ownersOf(names: readonly string[]): Work<Map<string, KnownOwner>> {
  if (names.length === 0) return new Map();
  const rows = yield* all<KnownOwner & { key: string }>(
    `SELECT named.value AS key, who, last_four AS "lastFour"
       FROM json_array_elements_text(:keys::json) AS named (value)
       JOIN gw.documents ON documents.doc = (
         SELECT known.doc FROM gw.document_keys /*sqlite CROSS */ JOIN gw.documents AS known USING (doc)
          WHERE key = named.value AND known.who IS NOT NULL AND known.kind <> 'request'
          ORDER BY known.doc DESC LIMIT 1)`,
    { keys: JSON.stringify([...new Set(names.map(fold))]) },
  );
  const owners = new Map(rows.map(({ key, ...owner }) => [key, owner]));
  return new Map(
    names.flatMap((name) => {
      const owner = owners.get(fold(name));
      return owner ? [[name, owner]] : [];
    }),
  );
}
