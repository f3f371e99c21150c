/** The addresses of the desk: which page answers to which request of somebody who came in. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Html } from '../../view/html/html.ts';
import { html } from '../../view/html/html.ts';
import { type Field, lookUp, propose, receipt } from './actions.ts';
import type { Desk } from './desk.ts';
import type { EventWish, NewEvents } from './event-stream.ts';
import { eventPage, eventsPage, resend } from './events-page.ts';
import { moneyPage } from './money-page.ts';
import type { Page } from './page-shell.ts';
import { recordPage } from './record-page.ts';
import { reportPage } from './report-page.ts';
import { searchPage, searchResults } from './search-page.ts';

/** A request that the door has let through. */
export interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  /** The fields of a form; none without one. */
  form: URLSearchParams;
}

/** One of a page, a part of one, a place to go on to, and events as they come. */
export interface Answer {
  page?: Page;
  part?: Html;
  location?: string;
  /** To set along with it. */
  cookie?: string;
  events?: NewEvents;
}

/** @throws Failure as the page says it */
export async function answerTo(desk: Desk, { method, url, headers, form }: Asked): Promise<Answer> {
  const { pathname, searchParams } = url;
  const field: Field = (name) => (form.get(name) ?? '').trim();
  const text = (name: string) => (searchParams.get(name) ?? '').trim();
  switch (`${method} ${pathname}`) {
    case 'GET /':
      return headers['x-gw-part'] === 'results'
        ? { part: await searchResults(desk, text('q')) }
        : { page: await searchPage(desk, text('q')) };
    case 'GET /record':
      return { page: await recordPage(desk, text('name')) };
    case 'GET /today':
      return { page: await moneyPage(desk, 'day', text('of')) };
    case 'GET /month':
      return { page: await moneyPage(desk, 'month', text('of')) };
    case 'GET /report':
      return { page: await reportPage(desk, `${text('of')} ${text('more')}`.trim()) };
    case 'GET /events':
      return { page: await eventsPage(desk, wishOf(searchParams)) };
    case 'GET /events/stream': {
      const after = Number(headers['last-event-id'] ?? searchParams.get('after'));
      return {
        events: { ...wishOf(searchParams), after: Number.isSafeInteger(after) ? after : 0 },
      };
    }
    case 'POST /look-up': {
      const page = await lookUp(desk, field);
      return typeof page === 'string' ? { location: page } : { page };
    }
    case 'POST /receipt':
      return { page: await receipt(desk, field) };
    case 'POST /propose':
      return { page: await propose(desk, field) };
    default:
      return { page: await pageOfEvent(desk, method, pathname, form) };
  }
}

function wishOf(given: URLSearchParams): EventWish {
  return { event: given.get('event')?.trim() ?? '', customer: given.get('customer')?.trim() ?? '' };
}

/** @returns the page of an event, whose number is in the path */
async function pageOfEvent(
  desk: Desk,
  method: string,
  pathname: string,
  form: URLSearchParams,
): Promise<Page> {
  const [, id = '', isResent] = /^\/events\/(\d{1,15})(\/resend)?$/.exec(pathname) ?? [];
  if (id === '' || (isResent !== undefined) !== (method === 'POST')) return nothingHere();
  return isResent ? resend(desk, id, form.get('to') ?? '') : eventPage(desk, id);
}

function nothingHere(): Page {
  return {
    title: 'Nothing here',
    status: 404,
    body: html`<section class="card"><h1>Nothing here</h1><p>This address has no page. <a href="/">Search</a></p></section>`,
  };
}
