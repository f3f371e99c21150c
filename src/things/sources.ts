/**
 * The known values of one thing, by source. Joining a source keeps the newest of each kind, or adds to a list. So the
 * order in which sources are learnt does not matter, nor how often.
 */
import type { CardNotice, Sources, Thing, Told, ToldByEvent, ToldField } from './thing.ts';

export const NO_SOURCES: Sources = { requests: {}, events: [] };

export function withRecord(sources: Sources, told: Told): Sources {
  return { ...sources, record: told };
}

export function withRequest(sources: Sources, entry: string, told: Told): Sources {
  return { ...sources, requests: sorted({ ...sources.requests, [entry]: told }) };
}

export function withReference(sources: Sources, reference: string): Sources {
  const { references = [] } = sources;
  if (references.includes(reference)) return sources;
  return { ...sources, references: [...references, reference].sort() };
}

/** The part of an event about one thing: its records, or a notice about a card. */
export type EventNews = { told: ToldByEvent } | { notice: CardNotice };

export function withEvent(sources: Sources, news: EventNews): Sources {
  if ('notice' in news) {
    const { notice } = news;
    const isNewer = (sources.notice?.event ?? 0) <= notice.event;
    const listed = withNumber(sources, notice.event);
    return isNewer ? { ...listed, notice } : listed;
  }
  const { told } = news;
  const listed = withNumber(sources, told.event);
  return sources.event && compareNews(sources.event, told) > 0
    ? listed
    : { ...listed, event: told };
}

/** @returns what is known, if it does not come from this event */
export function withoutEvent(sources: Sources, number: number): Sources {
  return { ...sources, events: sources.events.filter((one) => one !== number) };
}

/** @returns what two rows know, which turned out to be one thing */
export function joined(one: Sources, other: Sources): Sources {
  let both: Sources = { ...one, requests: sorted({ ...other.requests, ...one.requests }) };
  const record = one.record ?? other.record;
  if (record) both = { ...both, record };
  for (const number of other.events) both = withNumber(both, number);
  for (const reference of other.references ?? []) both = withReference(both, reference);
  if (other.event) both = withEvent(both, { told: other.event });
  return other.notice ? withEvent(both, { notice: other.notice }) : both;
}

export function isEmpty({ record, requests, events }: Sources): boolean {
  return !record && events.length === 0 && Object.keys(requests).length === 0;
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

function withNumber(sources: Sources, number: number): Sources {
  const { events } = sources;
  if (events.includes(number)) return sources;
  return { ...sources, events: [...events, number].sort((one, other) => one - other) };
}

/** Fields that a source has in common with the row; each is written as its place in this list, in base 36. */
const SHARED: readonly (ToldField | 'seenAt')[] = [
  ...(['at', 'seenAt', 'profile', 'environment', 'host', 'outcome', 'amount', 'currency'] as const),
  ...(['reference', 'who', 'email', 'lastFour', 'message', 'label', 'purchase'] as const),
  ...(['customer', 'subscription', 'plan', 'token', 'operator'] as const),
];
const SAME = '=';

type Row = Pick<Thing, ToldField | 'seenAt'>;

/** @returns JSON, the same for the same sources, without what a source does not say or what the row says as well */
export function textOfSources(sources: Sources, row: Row): string {
  const { record, event, notice, requests, events, references } = sources;
  const entries = Object.entries(requests).map(([id, told]) => [id, packed(told, row)]);
  return JSON.stringify({
    record: record && packed(record, row),
    event: event && packed(event, row),
    notice,
    requests: Object.fromEntries(entries),
    events,
    references,
  });
}

/** @returns the sources in a text from `textOfSources`. @param row the same */
export function sourcesIn(text: string, row: Row): Sources {
  const { record, event, requests, ...others } = JSON.parse(text) as Sources;
  const entries = Object.entries(requests).map(([id, told]) => [id, unpacked(told, row)]);
  return {
    ...(record && { record: unpacked(record, row) }),
    ...(event && { event: unpacked(event, row) }),
    ...others,
    requests: Object.fromEntries(entries),
  };
}

function packed(told: Told, row: Row): object {
  const isSame = (name: ToldField | 'seenAt') =>
    (told[name] ?? null) !== null && told[name] === row[name];
  const same = SHARED.flatMap((name, n) => (isSame(name) ? n.toString(36) : []));
  const others = Object.entries(told)
    .filter(([name, value]) => isSaid(value) && !isSame(name as ToldField))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries([[SAME, same.join('')], ...others]);
}

function unpacked<Source extends Told>(packed: Source, row: Row): Source {
  const { [SAME]: same = '', ...told } = packed as Source & { [SAME]?: string };
  const shared: Partial<Record<keyof Row, unknown>> = {};
  for (const place of same) {
    const name = SHARED[Number.parseInt(place, 36)];
    if (name) shared[name] = row[name];
  }
  return Object.assign(told, shared) as unknown as Source;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
