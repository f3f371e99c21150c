/**
 * The known values of one thing, by source. Joining two of them keeps the newest of each kind, or adds to a list. So the
 * order in which sources are learnt does not matter, nor how often.
 */
import type { Sources, ToldByEvent } from './thing.ts';

export const NO_SOURCES: Sources = { requests: {}, events: [] };

/**
 * @param one counts where both have a form of the same source
 * @returns what both know
 */
export function joinedSources(one: Partial<Sources>, other: Sources): Sources {
  const { record = other.record, event = other.event, notice = other.notice } = one;
  const isOlder = event && other.event && compareNews(other.event, event) > 0;
  const isOldNotice = notice && other.notice && other.notice.event > notice.event;
  const numbers = new Set([...(one.events ?? []), ...other.events]);
  const events = [...numbers].sort((first, second) => first - second);
  const hasFirst = events.length > 0 && one.events?.[0] === events[0];
  return {
    ...(record && { record }),
    ...(event && { event: isOlder ? other.event : event }),
    ...(notice && { notice: isOldNotice ? other.notice : notice }),
    requests: sorted({ ...other.requests, ...one.requests }),
    events,
    since: hasFirst ? one.since : other.since,
  };
}

/** @returns what is known, if nothing but a date comes from this event */
export function withoutEvent(sources: Sources, number: number): Sources {
  const { events, since } = sources;
  return {
    ...sources,
    events: events.filter((one) => one !== number),
    since: events[0] === number ? undefined : since,
  };
}

/** A charge says more than its announcement. The later date counts, then the later delivery. */
function compareNews(one: ToldByEvent, other: ToldByEvent): number {
  return (
    Number(other.isPending) - Number(one.isPending) ||
    Date.parse(one.date ?? one.seenAt) - Date.parse(other.date ?? other.seenAt) ||
    one.event - other.event
  );
}

function sorted(requests: Sources['requests']): Sources['requests'] {
  return Object.fromEntries(
    Object.entries(requests).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
