/**
 * The known values of one thing, by source. Joining two of them keeps the newest of each kind, or adds to a list. So the
 * order in which sources are learnt does not matter, nor how often.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/desk/report/at-risk.test.ts
 */
import type { Deed, SentCard } from './deed.ts';
import type { CardNotice, EventValues, SourceIds, Sources, Thing } from './thing.ts';

export const NO_SOURCES: Sources = { requests: {}, events: [] };

/** @returns what all of them know; of two forms of one source, the later one in the list counts */
export function joinedSources(all: readonly Partial<Sources>[]): Sources {
  let joined = NO_SOURCES;
  for (const one of all) joined = joinedWith(one, joined);
  return { ...joined, requests: sorted(joined.requests) };
}

function joinedWith(one: Partial<Sources>, other: Sources): Sources {
  const record = one.record ?? other.record;
  const event = newest(one.event, other.event);
  const heard = newest(one.heard, other.heard);
  const notice = betterNotice(one.notice, other.notice);
  const stop = one.stop ?? other.stop;
  const events = numbersOf(one.events, other.events);
  const heardEvents = numbersOf(one.heardEvents, other.heardEvents);
  const hasFirst = events.length > 0 && one.events?.[0] === events[0];
  return {
    ...(record && { record }),
    ...(event && { event }),
    ...(heard && { heard }),
    ...(notice && { notice }),
    ...(stop && { stop }),
    requests: one.requests ? { ...other.requests, ...one.requests } : other.requests,
    events,
    ...(heardEvents.length > 0 && { heardEvents }),
    since: hasFirst ? one.since : other.since,
  };
}

/** @returns the ids that the row of a thing with these sources holds */
export function idsOf(sources: Sources): SourceIds {
  const { requests, events, heardEvents, event, heard, notice, stop } = sources;
  const numbers = [event?.event, heard?.event, notice?.event, events[0]];
  const deciding = numbersOf(numbers.filter((number) => number !== undefined));
  const entries = Object.keys(requests);
  return {
    requests: entries.length > 0 ? entries : undefined,
    events: events.length > 0 ? events : undefined,
    heardEvents,
    deciding: deciding.length < events.length ? deciding : undefined,
    stop,
  };
}

/** @returns what is known without hearsay; undefined if that is nothing */
export function askedSources(sources: Sources): Sources | undefined {
  const { record, requests, heardEvents, notice } = sources;
  const events = heardEvents
    ? sources.events.filter((number) => !heardEvents.includes(number))
    : sources.events;
  if (!record && events.length === 0 && Object.keys(requests).length === 0) return undefined;
  // Most things have no hearsay.
  if (!sources.heard && !heardEvents && !notice?.isHeard) return sources;
  const { heard: _, heardEvents: _heard, notice: _notice, ...asked } = sources;
  return { ...asked, ...(notice && !notice.isHeard && { notice }), events };
}

/** @returns the latest news of an event that counts: hearsay does only if nothing else tells of the thing */
export function newestEvent(sources: Sources): EventValues | undefined {
  return (askedSources(sources) ?? { event: sources.heard }).event;
}

/** @returns the latest notice about a card of the customer, likewise */
export function noticeOf(sources: Sources): CardNotice | undefined {
  return (askedSources(sources) ?? sources).notice;
}

/** @returns the tokens of the cards that a customer has and had, as all that is believed tells; empty for other kinds */
export function tokensOf({ kind, token, sources }: Thing): string[] {
  if (kind !== 'customer') return [];
  const { record, event } = askedSources(sources) ?? NO_SOURCES;
  const told = [token, record?.token, event?.token, ...(record?.formerTokens ?? [])];
  return [...new Set(told.flatMap((one) => one ?? []))];
}

/** @returns the notice about the card that a customer has: one that was changed from here since is another */
export function cardNotice(sources: Sources): CardNotice | undefined {
  const notice = noticeOf(sources);
  const isChanged = ({ at, card }: Deed) =>
    notice !== undefined && at > notice.seenAt && card?.record.card_expiry !== undefined;
  return sources.record?.deeds?.some(isChanged) ? undefined : notice;
}

/**
 * @param paid the date of the latest payment with the card, which says more than what was sent before
 * @returns what was sent of the card that a customer has; undefined if nothing was, or it was replaced elsewhere
 */
export function sentCardOf({ sources, token }: Thing, paid: string | null): SentCard | undefined {
  let known: SentCard | undefined;
  for (const { card } of sources.record?.deeds ?? []) {
    const isNew = card?.record.card_number !== undefined;
    if (card) known = isNew ? card : { ...card, record: { ...known?.record, ...card.record } };
  }
  const { card_token: had = token } = known?.record ?? {};
  const isOver = Date.parse(paid ?? '') > Date.parse(known?.since ?? '');
  return isOver || (token !== null && token !== had) ? undefined : known;
}

function numbersOf(one: readonly number[] = [], other: readonly number[] = []): number[] {
  return [...new Set([...one, ...other])].sort((first, second) => first - second);
}

function newest(one?: EventValues, other?: EventValues): EventValues | undefined {
  if (!one || !other) return one ?? other;
  return compareNews(other, one) > 0 ? other : one;
}

/** Hearsay never replaces a confirmed notice. */
function betterNotice(one?: CardNotice, other?: CardNotice): CardNotice | undefined {
  if (!one || !other) return one ?? other;
  if (one.isHeard !== other.isHeard) return one.isHeard ? other : one;
  return other.event > one.event ? other : one;
}

/** A charge says more than its announcement. The later date counts, then the later delivery. */
function compareNews(one: EventValues, other: EventValues): number {
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
