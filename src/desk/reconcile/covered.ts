/** The period that a file is about, and what the ledger knows of it that the file lacks. */
import { isOf } from '../../base/account.ts';
import { DAY_MS } from '../../base/calendar.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { Destination } from '../../journal/ledger.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { FoundSpan } from './reconciliation.ts';

/** ISO 8601, UTC. */
export interface Covered {
  since: string;
  /** The first instant after it. */
  until: string;
}

/**
 * @param given what the user says of it
 * @param span of the records that were found
 * @returns whole days of the zone, from that of the first record to that of the last, where the user does
 *   not say; undefined where nothing tells, or nothing is between the two
 */
export function coveredBy(
  given: Partial<Record<keyof Covered, string | undefined>>,
  span: FoundSpan | undefined,
  zone: TimeZone,
): Covered | undefined {
  const instant = (ms: number) => new Date(ms).toISOString();
  const since = given.since ?? (span && instant(startOf(zone, span.first)));
  const until = given.until ?? (span && instant(endOf(zone, span.last)));
  if (since === undefined || until === undefined || since >= until) return undefined;
  return { since, until };
}

function startOf(zone: TimeZone, ms: number): number {
  return zone.startOf(zone.dayOf(ms));
}

/** A day has 25 hours at the most, but the one after it begins before it is over. */
function endOf(zone: TimeZone, ms: number): number {
  const start = startOf(zone, ms);
  return startOf(zone, start + DAY_MS + DAY_MS / 2);
}

/** @returns the purchases and refunds of an account that the index knows of a period, oldest first */
export async function* knownIn(
  things: Pick<SearchIndex, 'each'>,
  period: Covered,
  destination: Destination,
): AsyncGenerator<Thing> {
  for await (const thing of things.each({ kinds: ['purchase', 'refund'], ...period }))
    if (isOf(thing, destination)) yield thing;
}
