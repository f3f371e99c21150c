/** Whose a purchase or a token is, as the index knows it. */
import type { Queries } from '../store/sqlite/queries.ts';
import type { KnownOwner } from './document-of-request.ts';
import { fold } from './normalise.ts';

/**
 * Without it a request that was declined, which made no record, would be found by nobody's name.
 * @param name id of a purchase, or a token
 * @returns name and last four digits in the newest fact that is called so and says them
 */
export function ownerOf(queries: Queries, name: string): KnownOwner | undefined {
  return queries.get<KnownOwner>(
    `SELECT who, last_four AS lastFour
       FROM fact_keys CROSS JOIN facts ON facts.doc = fact_keys.doc
      WHERE key = ? AND who IS NOT NULL AND kind <> 'request'
      ORDER BY fact_keys.doc DESC LIMIT 1`,
    fold(name),
  );
}
