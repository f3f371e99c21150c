/**
 * The events that `gw listen` keeps, as a list that grows, and one by one; an event is sent again to an address that the
 * user gave `gw listen --forward-to`.
 *
 * Tests: test/unit/commands/desk/events-page.test.ts
 */
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { type StoredEvent, trustOf } from '../../events/event.ts';
import { EVENT_VIEW, shownEvent, wholeRecord } from '../../events/show/event-view.ts';
import { type EventStore, findEvent, openEvents } from '../../events/store/event-file.ts';
import { Failure } from '../../failure.ts';
import { type Html, html } from '../../view/html/html.ts';
import { panelHtml } from '../../view/html/parts.ts';
import { actionForm } from './actions.ts';
import { type Desk, EVENT_PATH, RECORD_PATH } from './desk.ts';
import { type EventWish, eventTable, newestEvents, numberOf } from './event-stream.ts';
import type { Page } from './page-shell.ts';
import { shownRows } from './typed.ts';

/** A page of the newest events, to which a script adds those that come. */
export async function eventsPage(desk: Desk, wish: EventWish): Promise<Page> {
  const store = openEvents(desk.context.host);
  try {
    const events = await newestEvents(desk, store, wish);
    const { event, customer } = wish;
    const stream = `/events/stream?${new URLSearchParams({ event, customer, after: String(numberOf(events)) })}`;
    const names = [...EVENT_NAMES].map((name) => html`<option>${name}</option>`);
    return {
      title: 'Events',
      at: '/events',
      body: html`<h1>Events</h1>
<form class="fields" action="/events"><label>Name, with * for any text<input name="event" value="${event}" list="names" autocomplete="off" placeholder="charge:*"></label><datalist id="names">${names}</datalist><label>Customer<input name="customer" value="${customer}" autocomplete="off" placeholder="id, reference or email"></label><button>Show</button></form>
<p class="note" role="status" id="state">Reload the page to see newer ones. <b>gw listen</b> receives them.</p>
<section class="card" data-stream="${stream}">${eventTable(desk, events)}</section>
`,
    };
  } finally {
    await store.close();
  }
}

/** @throws Failure notFound if the profile has no event of that number */
export async function eventPage(desk: Desk, id: string): Promise<Page> {
  const store = openEvents(desk.context.host);
  try {
    const event = await ownEvent(desk, store, id);
    const { body, ...whole } = wholeRecord(shownEvent(event));
    const record = desk.tokens.record(body === null ? whole : { ...whole, body: unread(event) });
    const content = (await EVENT_VIEW.panel?.(record, desk.context.host.clock.now())) ?? NONE;
    const targets = await store.targets(desk.profile.name);
    return {
      title: `Event ${id}`,
      at: '/events',
      body: html`${doubt(event)}<div class="columns"><div>${panelHtml(record, content, { path: RECORD_PATH, level: 1 })}</div>
<aside aria-label="What to do">${resendForm(desk, event, targets)}</aside></div>
<p><a href="/events">All events</a></p>
`,
    };
  } finally {
    await store.close();
  }
}

/** A body that gw could not read may have anything in it, a card too. */
function unread({ id, body }: StoredEvent): string {
  return `${body.length} bytes that gw could not read. In the terminal, \`gw events show ${id}\` prints them.`;
}

const NONE = { head: 'Event', rows: [], shown: [] };

/** @throws Failure notFound unless the profile has an event of that number */
async function ownEvent({ profile }: Desk, store: EventStore, id: string): Promise<StoredEvent> {
  const event = await findEvent(store, id);
  if (event.profile === profile.name) return event;
  throw new Failure(
    'event-not-found',
    `The profile ${profile.name} has no event ${id}.`,
    'Run `gw desk` with the profile that received it.',
  );
}

function doubt(event: StoredEvent): Html | null {
  const trust = trustOf(event);
  if (trust === 'confirmed') return null;
  const reason = event.verification?.reason ?? '';
  const words = {
    heard: 'Hearsay. Nobody confirmed this event: anyone may have sent it.',
    contradicted: `The gateway contradicts this event${reason === '' ? '' : `: ${reason}`}.`,
    sample: 'A sample, which `gw trigger` sent. It counts nowhere.',
  }[trust];
  return html`<section class="card alert"><p>${words}</p></section>`;
}

function resendForm(desk: Desk, { id }: StoredEvent, targets: readonly string[]): Html {
  const options = targets.map((target) => html`<option>${target}</option>`);
  const choice = html`<label>Address<select name="to">${options}</select></label><button>Send it again</button>`;
  const form =
    targets.length === 0
      ? html`<p class="note">No address is allowed here: only those of <b>gw listen --forward-to</b> are. In the terminal:</p><code>gw events resend ${id} --to URL</code>`
      : html`${actionForm(desk, `${EVENT_PATH}${id}/resend`, {}, choice)}<p class="note">The bytes as they arrived, without credentials.</p>`;
  return html`<section class="card"><h2>Send it again</h2>${form}</section>`;
}

/**
 * Sends an event of the profile once more, to an address that the user gave `gw listen --forward-to`.
 * @throws Failure usage for another address; and as `gw events resend`
 */
export async function resend(desk: Desk, id: string, to: string): Promise<Page> {
  const { context, profile } = desk;
  const store = openEvents(context.host);
  try {
    await ownEvent(desk, store, id);
    if (!(await store.targets(profile.name)).includes(to))
      throw new Failure(
        'url-invalid',
        'The desk sends events only to addresses of `gw listen --forward-to`.',
        'Use `gw events resend` in the terminal for another one.',
      );
  } finally {
    await store.close();
  }
  const typed = { id: 'events:resend', flags: [`--to=${to}`], words: [id], takesProfile: false };
  const body = html`${await shownRows(desk, typed)}<p><a href="${EVENT_PATH}${id}">Back to event ${id}</a></p>
`;
  return { title: 'Delivered', at: '/events', body };
}
