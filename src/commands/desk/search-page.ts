/** The search: results as rows, while a person types or by a form. */
import { authorOf } from '../../client/ledger/place.ts';
import { EXPLANATION_VIEW } from '../../desk/explain/explanation.ts';
import { explainText } from '../../desk/explain/text-explanation.ts';
import { foundApart } from '../../desk/query/left-out.ts';
import { searchAsMeant } from '../../desk/query/readings.ts';
import { findText, withLedger } from '../../desk/query/search.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { withPlanNames } from '../../requests/known/plan-names.ts';
import type { Thing } from '../../things/thing.ts';
import { type Html, html } from '../../view/html/html.ts';
import { panelHtml, tableHtml } from '../../view/html/parts.ts';
import { thingView } from '../../view/records/search-result.ts';
import { type Desk, RECORD_PATH } from './desk.ts';
import type { Page } from './page-shell.ts';

/** The most results of a page. */
const MOST_RESULTS = 50;

/** Searches that people begin with. */
const HINTS = ['declined', 'unknown', 'refund', 'subscription', 'expiring', 'yesterday'];

/** @param text as typed; without words, the newest are shown */
export async function searchPage(desk: Desk, text: string): Promise<Page> {
  const results = await searchResults(desk, text);
  const hints = HINTS.map((hint) => html`<li><a href="/?q=${hint}">${hint}</a></li>`);
  return {
    title: text === '' ? 'Search' : text,
    at: '/',
    body: html`<h1 class="skip">Search</h1>
<form class="search" role="search" action="/"><input name="q" type="search" value="${text}" aria-label="Search by name, email, reference, id, amount, date or last four digits" placeholder="Name, email, reference, id, amount, date, last four digits" autocomplete="off" spellcheck="false" maxlength="1000" autofocus><button>Search</button></form>
<ul class="hints" aria-label="Examples">${hints}</ul>
<div id="results" class="card">${results}</div>
`,
  };
}

/** @returns the results alone; a script puts them in the place of earlier ones */
export async function searchResults(desk: Desk, text: string): Promise<Html> {
  const { context, us } = desk;
  const { host } = context;
  let shown: Html = html``;
  await withLedger(host, us, async (list) => {
    const query = { text: findText([text]), scope: list.scope, limit: MOST_RESULTS + 1 };
    const { things, note } = await searchAsMeant(list, query, undefined);
    const isFound = things.length > 0 || note !== '';
    const apart = isFound ? '' : await foundApart(list, query, undefined);
    const some = await withPlanNames(list.ledger.things, things.slice(0, MOST_RESULTS));
    const caption = captionOf(text, some.length, things.length > MOST_RESULTS);
    const meant = await meaning(text);
    const none = some.length === 0 && !meant ? nothing(text) : '';
    const said = html`<p role="status" class="note">${[note.trim(), apart.trim(), none].filter((one) => one !== '').join(' ')}</p>`;
    shown = html`${said}${meant}${some.length === 0 ? null : thingTable(desk, some, caption)}`;
  });
  return shown;
}

/** @returns what a response code or the message of a decline means; null for any other text */
async function meaning(text: string): Promise<Html | null> {
  const explained = explainText(text);
  if (!explained || !MEANT.includes(explained.of)) return null;
  const record = EXPLANATION_VIEW.record(explained);
  return panelHtml(record, await EXPLANATION_VIEW.panel(record), { path: RECORD_PATH });
}

/** The others are words of gw, which nobody hears at the phone. */
const MEANT = ['response code', 'message'];

/** @returns the things as rows, with links to their pages */
export function thingTable(
  { context, tokens }: Desk,
  things: readonly Thing[],
  caption: string,
): Html {
  const { host } = context;
  const zone = timeZoneOf(host, undefined);
  const shown = tokens.things(things);
  const year = zone.dayOf(host.clock.now().getTime()).slice(0, 'YYYY'.length);
  const view = thingView({ year, things: shown, self: authorOf(host).operator });
  return tableHtml(shown.map(view.record), view, { path: RECORD_PATH, zone, caption });
}

function captionOf(text: string, count: number, isMore: boolean): string {
  if (text === '') return 'The newest of what is known here';
  return isMore ? `The first ${count}. Add a word to see fewer.` : `Results: ${count}`;
}

function nothing(text: string): string {
  return text === ''
    ? 'There is nothing to search yet: gw finds what was seen, sent or received here.'
    : 'Nothing found. Try fewer words, or part of one. The gateway may still have it: give its whole id.';
}
