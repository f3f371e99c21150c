/**
 * One record or customer, as this machine knows it: the panel of `gw get`, what a decline means, the timeline, what each
 * source said, and commands to copy. The gateway is asked by a button alone.
 *
 * Tests: test/unit/commands/desk/desk-server.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { quantity } from '../../base/text.ts';
import { scopeOf } from '../../cli/flags/whose.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { authorOf } from '../../client/ledger/place.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record.ts';
import { EXPLANATION_VIEW } from '../../desk/explain/explanation.ts';
import { explainPayment } from '../../desk/explain/payment-explanation.ts';
import { historyOf } from '../../desk/history/history.ts';
import { relatedRecords } from '../../desk/history/related.ts';
import { itemView } from '../../desk/history/timeline-item.ts';
import { entryRecord } from '../../desk/query/entry-record.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { knownRecord } from '../../requests/known/known-record.ts';
import { type KnownWithEvents, LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { type NameMatch, resolveName, TO_TELL } from '../../requests/known/resolve-name.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { PanelContent } from '../../view/columns.ts';
import { type Html, html } from '../../view/html/html.ts';
import { panelHtml, tableHtml } from '../../view/html/parts.ts';
import { panelContent } from '../../view/panels/panel-of.ts';
import type { Item } from '../../view/panels/ties.ts';
import { ageOf, type Clocks, timeText } from '../../view/panels/words.ts';
import { PAID_ENTRY_VIEW } from '../../view/records/journal-entry.ts';
import { decimalOf, textOf } from '../../view/values.ts';
import { actionForm, proposalForm } from './actions.ts';
import { type Desk, EVENT_PATH, RECORD_PATH } from './desk.ts';
import type { Page } from './page-shell.ts';
import { commandHtml, commandsFor, leftOf, refundReference } from './record-commands.ts';
import { thingTable } from './search-page.ts';

/** The most rows of a timeline; the latest are shown. */
const MOST_ITEMS = 200;
/** The most sources that are named. */
const MOST_SOURCES = 20;

/** A page of a record reads from these. */
interface Reading {
  desk: Desk;
  ledger: Ledger;
  known: KnownWithEvents;
  owner: Owner;
  moment: Clocks;
}

/** The record that a name means, with what happened to it. */
interface Subject {
  match: NameMatch;
  record: JsonObject;
  content: PanelContent;
  /** Oldest first. */
  items: readonly Item[];
  /** ISO 8601, UTC; null if no source but a request tells of it. */
  seenAt: string | null;
}

/** @param name id, reference, email, or full name, as typed */
export async function recordPage(desk: Desk, name: string): Promise<Page> {
  const { host } = desk.context;
  const memory = new LazyLedger(host, desk.us);
  try {
    const [ledger, known] = [await memory.open(), await memory.known()];
    const owner = ledger && (await scopeOf(host, desk.us, ledger));
    if (!ledger || !known || !owner) return unknownPage(desk, name);
    const now = host.clock.now();
    const today = (await gatewayTime(host, desk.profile)).toISOString().slice(0, 10);
    const moment = { since: now.toISOString(), now, today };
    const reading = { desk, ledger, known, owner, moment };
    const [match, ...others] = await resolveName(known, name, owner, TO_TELL);
    if (!match) return unknownPage(desk, name);
    if (others.length > 0) return severalPage(desk, name, [match, ...others]);
    return await pageOf(reading, await subjectOf(reading, match));
  } finally {
    await memory.close();
  }
}

async function subjectOf(reading: Reading, match: NameMatch): Promise<Subject> {
  const { desk, ledger, known, owner, moment } = reading;
  const { kind, id, thing } = match;
  if (kind === 'request') {
    const [entry] = await ledger.find(id);
    const { items } = await historyOf(desk.context.host, known, [match], owner);
    const { customer, who, lastFour } = thing;
    const of = { customer, who, last_four: lastFour };
    const made = entry ? await entryRecord(ledger, entry) : { id };
    const record = desk.tokens.record({ ...made, ...of });
    const content = (await PAID_ENTRY_VIEW.panel?.(record, moment.now)) ?? NO_CONTENT;
    return { match, record, content, items, seenAt: null };
  }
  const named = await known.things.tied([id], { kinds: [kind], limit: MOST_SOURCES });
  const own = named.find((one) => one.id === id || one.reference === id) ?? thing;
  const seen = await knownRecord(known, own, moment.today);
  const record = desk.tokens.record({ id, ...seen?.record });
  const scope = { owner, today: moment.today };
  const raw = seen?.record ?? { id };
  const ties = await relatedRecords(known, { kind, record: raw }, scope);
  const content = panelContent(kind, { record, ties, moment });
  return {
    match: { ...match, thing: own },
    record,
    content,
    items: ties.items,
    seenAt: seen?.seenAt ?? null,
  };
}

const NO_CONTENT: PanelContent = { head: 'Request', rows: [], shown: [] };

async function pageOf(reading: Reading, subject: Subject): Promise<Page> {
  const { desk, moment } = reading;
  const { match, record, content, seenAt } = subject;
  const { thing } = match;
  const age = ageOf(seenAt, moment);
  const heard = thing.told === 'heard';
  const warning = heard
    ? html`<section class="card alert"><p><b>Hearsay.</b> Only unverified webhooks tell of it: anyone may have sent them.</p></section>`
    : null;
  const title = content.title ?? content.head;
  return {
    title: title.split('  ')[0] ?? title,
    at: '/',
    body: html`${warning}<div class="columns"><div>${panelHtml(record, content, { path: RECORD_PATH, level: 1 })}
${await explained(reading, subject)}${timeline(desk, subject.items)}</div>
<aside aria-label="What to do">${ageCard(desk, match, seenAt === null ? 'The gateway was not seen to have it.' : `This is what was ${age}.`)}${paymentForms(desk, subject)}${commandList(desk, subject)}${sourceList(thing)}</aside></div>
`,
  };
}

/** @returns what the last decline means, and what to tell the customer */
async function explained(
  { desk, known, owner, moment }: Reading,
  { match, items }: Subject,
): Promise<Html | null> {
  if (!items.some(({ counts }) => counts === 'declines')) return null;
  const target = { name: match.id, matches: [match], owner, today: moment.today };
  const explanation = await explainPayment(known, target);
  const record = desk.tokens.record(EXPLANATION_VIEW.record(explanation));
  const content = await EXPLANATION_VIEW.panel(record);
  const title = 'What the decline means';
  return panelHtml(record, { ...content, title }, { path: RECORD_PATH });
}

function timeline({ context, tokens }: Desk, items: readonly Item[]): Html {
  const { host } = context;
  const shown = tokens.items(items.slice(-MOST_ITEMS).toReversed()).map((item) => ({
    ...item,
    // The gateway gives a rejected payment no id: its request has one.
    id: item.id ?? item.sources.find(({ kind }) => kind === 'request')?.id ?? null,
  }));
  if (shown.length === 0) return html``;
  const view = itemView(shown, authorOf(host).operator);
  const records = shown.map((item) => tokens.record(view.record(item)));
  const left = items.length - shown.length;
  const more = left > 0 ? `, and ${left} older` : '';
  const caption = `${quantity(shown.length, 'entry', 'entries')}, the newest first${more}`;
  const options = { path: RECORD_PATH, zone: timeZoneOf(host, undefined), caption };
  return html`<section class="card"><h2>What happened</h2>${tableHtml(records, view, options)}</section>
`;
}

/** A look-up changes nothing at the gateway. It is sent by a person alone, and its answer is kept. */
function ageCard(desk: Desk, { kind, id, thing }: NameMatch, words: string): Html {
  const isAsked = kind !== 'request' && lookUpOf(kind);
  const name = thing.kind === kind ? thing.id : id;
  return html`<section class="card"><h2>How old this is</h2><p>${words}</p>${isAsked ? askForm(desk, kind, id, name) : null}</section>
`;
}

function askForm(desk: Desk, kind: RecordKind, id: string, name: string): Html {
  const button = html`<button>Look it up at the gateway</button><p class="note">Sends one GET, and changes nothing there.</p>`;
  return actionForm(desk, '/look-up', { kind, id, name }, button);
}

/** @returns what a person may ask for of a payment */
function paymentForms(desk: Desk, { match, record, items }: Subject): Html | null {
  if (match.kind !== 'purchase') return null;
  const { id } = match;
  const button = html`<button class="quiet">Show the receipt</button><p class="note">Asks the gateway for the payment, by one GET.</p>`;
  const left = leftOf(record, items);
  const forms = html`<section class="card"><h2>Receipt</h2>${actionForm(desk, '/receipt', { id }, button)}</section>
`;
  if (left === 0) return forms;
  const currency = textOf(record.currency) ?? '';
  const amount = left === undefined ? '' : (decimalOf({ left, currency }, 'left') ?? '');
  const reference = refundReference(record, id);
  return html`${forms}${proposalForm(desk, { id, reference, currency, amount })}`;
}

function commandList({ profile }: Desk, { match, record, items }: Subject): Html {
  const commands = commandsFor(profile, match, record, items);
  return html`<section class="card"><h2>To act, copy a command</h2><p class="note" role="status" id="said">Run it in the terminal. This page moves no money.</p><ul class="commands">${commands.map(
    ({ what, command }, n) => html`<li><p>${what}</p>${commandHtml(command, `command-${n}`)}</li>`,
  )}</ul></section>
`;
}

function sourceList({ sources }: Thing): Html {
  const { record, requests, events } = sources;
  const entries = Object.entries(requests).slice(0, MOST_SOURCES);
  const said = html`${record ? html`<li>The gateway, ${timeText(record.seenAt) ?? ''} UTC</li>` : null}${entries.map(
    ([id, { seenAt }]) =>
      html`<li>A request from here, ${timeText(seenAt) ?? ''} UTC: <a href="${RECORD_PATH}${id}">${id.slice(0, 8)}</a></li>`,
  )}${events
    .slice(-MOST_SOURCES)
    .map((id) => html`<li>A webhook: <a href="${EVENT_PATH}${id}">event ${id}</a></li>`)}`;
  return html`<section class="card"><h2>Who told of it</h2><ul>${said}</ul></section>
`;
}

function severalPage(desk: Desk, name: string, matches: readonly NameMatch[]): Page {
  const things = matches.map(({ thing }) => thing);
  const caption = `${things.length} records have this name`;
  return {
    title: name,
    at: '/',
    body: html`<h1>Which one?</h1><section class="card">${thingTable(desk, things, caption)}</section>
`,
  };
}

function unknownPage(desk: Desk, name: string): Page {
  const kind = kindOfId(plainId(name));
  const asks = kind && lookUpOf(kind) ? askForm(desk, kind, plainId(name), plainId(name)) : null;
  return {
    title: 'Not known here',
    at: '/',
    status: 404,
    body: html`<section class="card"><h1>Not known here</h1><p>Nothing that was seen, sent or received here is called ${name}.</p><p><a href="/?q=${encodeURIComponent(name)}">Search for it</a></p>${asks}</section>
`,
  };
}
