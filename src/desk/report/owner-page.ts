/**
 * The page that an owner reads once a month: what came in, what went back, and what needs attention. It is one file
 * without a script, and fetches nothing.
 *
 * Tests: test/unit/desk/report/owner-page.test.ts
 */
import { quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import { type Bar, columnChart } from '../../view/html/column-chart.ts';
import { type Html, html } from '../../view/html/html.ts';
import { pageOf } from '../../view/html/page.ts';
import { nothingKnown } from './report-notes.ts';
import type { SubscriptionsRow } from './report-view.ts';

/** The values that the page shows. */
export interface OwnerPage {
  /** The period: `March 2026`. */
  title: string;
  /** The merchant's name; null if it is not known. */
  merchant: string | null;
  /** The profile, and LIVE if it is: `shop (LIVE)`. */
  profile: string;
  /** The days, and their time zone. */
  span: string;
  sums: readonly CurrencySum[];
  /** A chart of each currency: what was left after refunds. */
  charts: readonly NetChart[];
  declines: readonly DeclineReason[];
  subscriptions: readonly SubscriptionsRow[];
  attention: readonly Attention[];
  /** Sentences about what the sums leave out. */
  notes: readonly string[];
}

/** Minor units of one period and currency. */
export interface CurrencySum {
  currency: string | null;
  taken: bigint;
  refunded: bigint;
  net: bigint;
  /** The net of the period before. */
  netBefore: bigint;
  payments: number;
  refunds: number;
  declines: number;
}

export interface NetChart {
  currency: string | null;
  /** `day`, `week` or `month`. */
  by: string;
  bars: readonly Bar[];
}

export interface DeclineReason {
  reason: string;
  count: number;
  /** 0 to 1, of all attempts. */
  share: number;
  amount: string;
}

/** Something to look at. */
export interface Attention {
  title: string;
  /** A line for each, the most important first. */
  lines: readonly string[];
  /** The number of further lines. */
  more: number;
  /** The command that lists them all. */
  command: string;
}

/** @returns the whole page */
export function ownerPage(page: OwnerPage): string {
  const { merchant, title, profile, span, notes } = page;
  const head = merchant === null ? title : `${merchant}: ${title}`;
  const body = html`<header><h1>${head}</h1><p>${span}.</p></header>
<main>
${ownerSections(page)}</main>
<footer>${[`Profile: ${profile}.`, ...notes].map((note) => html`<p>${note}</p>`)}</footer>`;
  return pageOf(head, body);
}

/**
 * @param reports the address of the page of a report, which its words follow; null for a page that stands alone
 * @returns what stands between the head and the foot of the page; the desk shows the same
 */
export function ownerSections(page: OwnerPage, reports: string | null = null): Html {
  const { sums, charts, declines, subscriptions, attention } = page;
  return html`${sums.length === 0 ? html`<p>${nothingKnown('taken, refunded or declined')}</p>` : sums.map(sumTiles)}
${attentionSection(attention, reports)}
${charts.map(
  ({
    currency,
    by,
    bars,
  }) => html`<section>${columnChart(`Left after refunds, by ${by}, ${currencyName(currency)}`, bars, [by, 'amount'])}</section>
`,
)}
${declinesSection(declines)}
${subscriptionsSection(subscriptions)}
`;
}

function currencyName(currency: string | null): string {
  return currency ?? 'currency not known';
}

function sumTiles({ currency, ...sum }: CurrencySum): Html {
  const tile = (name: string, value: string, below: string) =>
    html`<div class="tile"><dt>${name}</dt><dd>${value}</dd><dd class="below">${below}</dd></div>`;
  const money = (amount: bigint) => moneyText(amount, currency);
  return html`<dl class="tiles">
${tile('Taken', money(sum.taken), quantity(sum.payments, 'payment', 'payments'))}
${tile('Refunded', money(sum.refunded), quantity(sum.refunds, 'refund', 'refunds'))}
${tile('Left', money(sum.net), `the period before: ${money(sum.netBefore)}`)}
${tile('Declined', String(sum.declines), sum.declines === 1 ? 'attempt' : 'attempts')}
</dl>`;
}

function attentionSection(attention: readonly Attention[], reports: string | null): Html {
  if (attention.length === 0)
    return html`<section><h2>Needs attention</h2><p>Nothing.</p></section>`;
  return html`<section><h2>Needs attention</h2>
${attention.map(
  ({ title, lines, more, command }) => html`<h3>${title}</h3>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
<p>${more > 0 ? `${more} more: ` : ''}${commandOf(command, reports)}</p>
`,
)}</section>`;
}

const REPORT = 'gw report ';

/** @returns the command, or a link to what it prints */
function commandOf(command: string, reports: string | null): Html {
  if (reports === null || !command.startsWith(REPORT)) return html`<code>${command}</code>`;
  const words = command.slice(REPORT.length);
  return html`<a href="${reports}${encodeURIComponent(words)}">all of them</a>`;
}

function declinesSection(declines: readonly DeclineReason[]): Html | null {
  if (declines.length === 0) return null;
  const table = html`<table><thead><tr><th>reason</th><th class="number">count</th><th class="number">of all attempts</th><th class="number">amount</th></tr></thead>
<tbody>${declines.map(
    ({ reason, count, share, amount }) =>
      html`<tr><td>${reason}</td><td class="number">${count}</td><td class="number">${(share * 100).toFixed(1)} %</td><td class="number">${amount}</td></tr>`,
  )}</tbody></table>`;
  const bars = declines.map(({ reason, count }) => ({
    label: reason,
    value: count,
    text: String(count),
  }));
  return html`<section class="table declines" tabindex="0" aria-label="Declines"><h2>Declines</h2>
${columnChart('Declined attempts, by reason', bars, table)}</section>`;
}

function subscriptionsSection(rows: readonly SubscriptionsRow[]): Html | null {
  if (rows.length === 0) return null;
  const number = (value: string | number) => html`<td class="number">${value}</td>`;
  return html`<section class="table" tabindex="0" aria-label="Subscriptions"><h2>Subscriptions</h2>
<table><thead><tr><th>plan</th><th class="number">active</th><th class="number">new</th><th class="number">stopped</th><th class="number">given up</th><th class="number">a month</th></tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.plan ?? `all plans, ${currencyName(row.currency)}`}</td>${number(row.active)}${number(row.new)}${number(row.stopped)}${number(row.givenUp)}${number(row.amount === null ? '?' : moneyText(row.amount, row.currency))}</tr>`,
  )}</tbody></table></section>`;
}
