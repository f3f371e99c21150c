/** The period that a file covers, and the known records that it lacks. */
import { addDays } from '../../base/calendar.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { FoundSpan } from './reconciliation.ts';

/** ISO 8601, UTC. */
export interface Covered {
  since: string;
  /** The first instant after the period. */
  until: string;
}

/**
 * @param given the user's period
 * @param span of the records that were found
 * @returns the user's period, otherwise whole days of the zone from the first record to the last; undefined if neither
 *   is known, or nothing is between them
 */
export function coveredBy(
  given: Partial<Record<keyof Covered, string | undefined>>,
  span: FoundSpan | undefined,
  zone: TimeZone,
): Covered | undefined {
  const instant = (ms: number) => new Date(ms).toISOString();
  const since = given.since ?? (span && instant(zone.startOf(zone.dayOf(span.first))));
  const until = given.until ?? (span && instant(zone.startOf(addDays(zone.dayOf(span.last), 1))));
  if (since === undefined || until === undefined || since >= until) return undefined;
  return { since, until };
}

/** @returns the purchases and refunds of an account in a period, oldest first, from the index */
export async function* knownIn(
  things: Pick<SearchIndex, 'each'>,
  period: Covered,
  destination: Owner<string>,
): AsyncGenerator<Thing> {
  for await (const thing of things.each({ kinds: ['purchase', 'refund'], ...period }))
    if (isOwnedBy(thing, destination, 'named')) yield thing;
}
