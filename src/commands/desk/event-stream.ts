/**
 * The events that `gw listen` keeps: those that fit a page, and new ones as they come.
 *
 * Tests: test/unit/commands/desk/events-page.test.ts
 */
import { scopeOf } from '../../cli/flags/whose.ts';
import type { StoredEvent } from '../../events/event.ts';
import { EVENT_VIEW, shownEvent } from '../../events/show/event-view.ts';
import { type EventStore, openEvents } from '../../events/store/event-file.ts';
import type { EventFilter } from '../../events/store/kept-events.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import type { Html } from '../../view/html/html.ts';
import { tableHtml } from '../../view/html/parts.ts';
import { type Desk, EVENT_PATH } from './desk.ts';

/** The events that a page shows. */
export interface EventWish {
  /** A pattern of names, as `charge:*`; empty for all. */
  event: string;
  /** Id, reference, email or full name; empty for all. */
  customer: string;
}

/** New events of a page. */
export interface NewEvents extends EventWish {
  /** The number of the newest event that the page has; 0 if it has none. */
  after: number;
}

/** The most rows of a page, and of what is added to it at once. */
const MOST_EVENTS = 100;
const LOOK_MS = 1_000;
/** An event has no account, and the profile is enough. */
const NO_ACCOUNTS = { accountOf: async () => null };

/** @returns the newest events that a page shows, the newest first; those alone whose number is above `after` */
export async function newestEvents(
  { context, us }: Desk,
  store: Pick<EventStore, 'list'>,
  { event, customer }: EventWish,
  after = 0,
): Promise<StoredEvent[]> {
  const filter: EventFilter = {
    limit: MOST_EVENTS,
    scope: await scopeOf(context.host, us, NO_ACCOUNTS),
    ...(event !== '' && { events: [event] }),
    ...(customer !== '' && { customer: customer.toLowerCase() }),
  };
  const found: StoredEvent[] = [];
  for await (const one of store.list(filter)) {
    if (one.id <= after) break;
    found.push(one);
  }
  return found;
}

export function eventTable({ context, tokens }: Desk, events: readonly StoredEvent[]): Html {
  const records = events.map((one) => tokens.record(EVENT_VIEW.record(shownEvent(one))));
  const zone = timeZoneOf(context.host, undefined);
  const caption = records.length === 0 ? 'No events yet' : 'The newest first';
  return tableHtml(records, EVENT_VIEW, { path: EVENT_PATH, zone, caption, isWhole: true });
}

/** @returns the number of the newest; 0 if there is none */
export const numberOf = ([newest]: readonly StoredEvent[]): number => newest?.id ?? 0;

/**
 * Looks for new events until the page is left, and for the verification of those that wait for it. `gw listen` is another
 * process. Those that were verified while the page was made come once more: the script knows which rows it has.
 * @returns texts of server-sent events (HTML, "Server-sent events"): a table of rows each
 */
export async function* eventStream(
  desk: Desk,
  { after, ...wish }: NewEvents,
  left: AbortSignal,
): AsyncGenerator<string> {
  const store = openEvents(desk.context.host);
  const waiting = new Set<number>();
  try {
    const all = await newestEvents(desk, store, wish);
    let news = all.filter(({ id, verification }) => id > after || verification !== null);
    let last = Math.max(after, numberOf(all));
    while (!left.aborted) {
      for (const one of news) if (isWaiting(one)) waiting.add(one.id);
      const data = eventTable(desk, news).text.replaceAll(/[\r\n]/g, ' ');
      if (news.length > 0) yield `id: ${last}\nevent: event\ndata: ${data}\n\n`;
      await desk.context.host.clock.sleep(LOOK_MS, left).catch(() => undefined);
      const fresh = await newestEvents(desk, store, wish, last);
      last = Math.max(last, numberOf(fresh));
      news = [...fresh, ...(await settled(store, waiting))];
    }
  } finally {
    await store.close();
  }
}

const isWaiting = ({ verification }: StoredEvent) => verification?.state === 'waiting';

/** @returns the events that wait no longer, which are taken out of `waiting` */
async function settled(
  store: Pick<EventStore, 'find'>,
  waiting: Set<number>,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (const id of waiting) {
    const event = await store.find(id);
    if (event && isWaiting(event)) continue;
    waiting.delete(id);
    if (event) found.push(event);
  }
  return found;
}
