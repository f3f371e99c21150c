/** The events that `gw listen` keeps: those that fit a page, and new ones as they come. */
import { scopeOf } from '../../cli/flags/whose.ts';
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

/** @returns the rows of the newest events, and the number of the newest; 0 if there is none */
export async function newestEvents(
  desk: Desk,
  store: Pick<EventStore, 'list'>,
  { event, customer }: EventWish,
  after = 0,
): Promise<{ table: Html; count: number; newest: number }> {
  const { host } = desk.context;
  const filter: EventFilter = {
    limit: MOST_EVENTS,
    scope: await scopeOf(host, desk.us, NO_ACCOUNTS),
    ...(event !== '' && { events: [event] }),
    ...(customer !== '' && { customer: customer.toLowerCase() }),
  };
  const records = [];
  let newest = after;
  for await (const one of store.list(filter)) {
    if (one.id <= after) break;
    newest = Math.max(newest, one.id);
    records.push(desk.tokens.record(EVENT_VIEW.record(shownEvent(one))));
  }
  const zone = timeZoneOf(host, undefined);
  const caption = records.length === 0 ? 'No events yet' : 'The newest first';
  const options = { path: EVENT_PATH, zone, caption, isWhole: true };
  return { table: tableHtml(records, EVENT_VIEW, options), count: records.length, newest };
}

/**
 * Looks for new events until the page is left. `gw listen` is another process.
 * @returns texts of server-sent events (HTML, "Server-sent events"): a table of new rows each
 */
export async function* eventStream(
  desk: Desk,
  { after, ...wish }: NewEvents,
  left: AbortSignal,
): AsyncGenerator<string> {
  const store = openEvents(desk.context.host);
  let last = after;
  try {
    while (!left.aborted) {
      const { table, count, newest } = await newestEvents(desk, store, wish, last);
      last = newest;
      const data = table.text.replaceAll(/[\r\n]/g, ' ');
      if (count > 0) yield `id: ${newest}\nevent: event\ndata: ${data}\n\n`;
      await desk.context.host.clock.sleep(LOOK_MS, left).catch(() => undefined);
    }
  } finally {
    await store.close();
  }
}
