/**
 * The events that `gw listen` keeps, as a list that grows, and one by one; an event is sent again to an address that the
 * user gave `gw listen --forward-to`.
 *
 * Tests: test/unit/commands/desk/events-page.test.ts
 */
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { type StoredEvent, trustOf } from '../../events/event.ts';
import { eventToSend, refuseContradicted, settleWaiting } from '../../events/send/resend.ts';
import { checkTaken, deliverOnce } from '../../events/send/send-delivery.ts';
import { SENT_VIEW } from '../../events/send/sent-view.ts';
import { EVENT_VIEW, shownEvent, wholeRecord } from '../../events/show/event-view.ts';
import { findEvent, openEvents } from '../../events/store/event-file.ts';
import { Failure } from '../../failure.ts';
import { type Html, html } from '../../view/html/html.ts';
import { panelHtml } from '../../view/html/parts.ts';
import { type Desk, EVENT_PATH, RECORD_PATH } from './desk.ts';
import { type EventWish, newestEvents } from './event-stream.ts';
import type { Page } from './page-shell.ts';

/** A page of the newest events, to which a script adds those that come. */
export async function eventsPage(desk: Desk, wish: EventWish): Promise<Page> {
  const store = openEvents(desk.context.host);
  try {
    const { table, newest } = await newestEvents(desk, store, wish);
    const { event, customer } = wish;
    const stream = `/events/stream?${new URLSearchParams({ event, customer, after: String(newest) })}`;
    const names = [...EVENT_NAMES].map((name) => html`<option>${name}</option>`);
    return {
      title: 'Events',
      at: '/events',
      body: html`<h1>Events</h1>
<form class="fields" action="/events"><label>Name, with * for any text<input name="event" value="${event}" list="names" autocomplete="off" placeholder="charge:*"></label><datalist id="names">${names}</datalist><label>Customer<input name="customer" value="${customer}" autocomplete="off" placeholder="id, reference or email"></label><button>Show</button></form>
<p class="note" role="status" id="state">Reload the page to see newer ones. <b>gw listen</b> receives them.</p>
<section class="card" data-stream="${stream}">${table}</section>
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
    const event = await ownEvent(desk, await findEvent(store, id));
    const record = desk.tokens.record({
      ...wholeRecord(shownEvent(event)),
      // A body that gw could not read may have anything in it.
      body: null,
    });
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

const NONE = { head: 'Event', rows: [], shown: [] };

/** @throws Failure notFound for an event of another profile */
async function ownEvent({ profile }: Desk, event: StoredEvent): Promise<StoredEvent> {
  if (event.profile === profile.name) return event;
  throw new Failure(
    'event-not-found',
    `The profile ${profile.name} has no event ${event.id}.`,
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

function resendForm({ token }: Desk, { id }: StoredEvent, targets: readonly string[]): Html {
  const command = html`<code>gw events resend ${id} --to URL</code>`;
  const options = targets.map((target) => html`<option>${target}</option>`);
  const form =
    targets.length === 0
      ? html`<p class="note">No address is allowed here: only those of <b>gw listen --forward-to</b> are. In the terminal:</p>${command}`
      : html`<form class="fields" method="post" action="${EVENT_PATH}${id}/resend"><input type="hidden" name="token" value="${token}"><label>Address<select name="to">${options}</select></label><button>Send it again</button></form><p class="note">The bytes as they arrived, without credentials.</p>`;
  return html`<section class="card"><h2>Send it again</h2>${form}</section>`;
}

/**
 * Sends the event once, to one of the addresses that the user gave before.
 * @throws Failure usage for another address; and as `gw events resend`
 */
export async function resend(desk: Desk, id: string, to: string): Promise<Page> {
  const { host } = desk.context;
  const event = await ownEvent(desk, await eventToSend(host, id));
  await checkAllowed(desk, to);
  refuseContradicted(event);
  const { headers, body } = event;
  const target = new URL(to);
  const receiver = { target, credentials: undefined };
  const delivery = { event: event.event, headers, body, isChanged: false };
  const sent = await deliverOnce(host, delivery, receiver);
  checkTaken(sent, receiver);
  await settleWaiting(host, event.id, target.href);
  const record = SENT_VIEW.record(sent);
  const content = (await SENT_VIEW.panel?.(record, host.clock.now())) ?? NONE;
  return {
    title: 'Delivered',
    at: '/events',
    body: html`${panelHtml(record, content, { path: RECORD_PATH, level: 1 })}<p><a href="${EVENT_PATH}${id}">Back to event ${id}</a></p>
`,
  };
}

/** @throws Failure usage unless events of the profile were passed on to the address */
async function checkAllowed({ context, profile }: Desk, to: string): Promise<void> {
  const store = openEvents(context.host);
  try {
    if ((await store.targets(profile.name)).includes(to)) return;
  } finally {
    await store.close();
  }
  throw new Failure(
    'url-invalid',
    'The desk sends events only to addresses of `gw listen --forward-to`.',
    'Use `gw events resend` in the terminal for another one.',
  );
}
