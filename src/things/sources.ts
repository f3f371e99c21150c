/**
 * The known values of one thing, by source. Joining a source keeps the newest of each kind, or adds to a list. So the
 * order in which sources are learnt does not matter, nor how often.
 */
import type { CardNotice, Sources, Told, ToldByEvent } from './thing.ts';

export const NO_SOURCES: Sources = { requests: {}, events: [] };

export function withRecord(sources: Sources, told: Told): Sources {
  return { ...sources, record: told };
}

export function withRequest(sources: Sources, entry: string, told: Told): Sources {
  return { ...sources, requests: sorted({ ...sources.requests, [entry]: told }) };
}

/** The part of an event about one thing: its records, or a notice about a card. */
export type EventNews = { told: ToldByEvent } | { notice: CardNotice };

export function withEvent(sources: Sources, news: EventNews): Sources {
  if ('notice' in news) {
    const { notice } = news;
    const listed = withNumber(sources, notice.event, notice.seenAt);
    return (sources.notice?.event ?? 0) > notice.event ? listed : { ...listed, notice };
  }
  const { told } = news;
  const listed = withNumber(sources, told.event, told.at ?? told.seenAt);
  const isOlder = sources.event !== undefined && compareNews(sources.event, told) > 0;
  return isOlder ? listed : { ...listed, event: told };
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

/** @returns what two rows know, which turned out to be one thing */
export function joinedSources(one: Sources, other: Sources): Sources {
  let both: Sources = { ...one, requests: sorted({ ...other.requests, ...one.requests }) };
  const record = one.record ?? other.record;
  if (record) both = { ...both, record };
  for (const number of other.events) both = withNumber(both, number, other.since);
  if (other.event) both = withEvent(both, { told: other.event });
  return other.notice ? withEvent(both, { notice: other.notice }) : both;
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

/** @param at the date in the event */
function withNumber(sources: Sources, number: number, at: string | undefined): Sources {
  const { events, since } = sources;
  const [first = number] = events;
  const isKnown = events.includes(number);
  return {
    ...sources,
    events: isKnown ? events : [...events, number].sort((one, other) => one - other),
    since: number <= first ? at : since,
  };
}
