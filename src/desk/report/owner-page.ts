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
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${head}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${head}</h1><p>${span}.</p></header>
<main>
${ownerSections(page)}</main>
<footer>${[`Profile: ${profile}.`, ...notes].map((note) => html`<p>${note}</p>`)}</footer>
</body>
</html>
`.text;
}

/** @returns what stands between the head and the foot of the page; the desk shows the same */
export function ownerSections(page: OwnerPage): Html {
  const { sums, charts, declines, subscriptions, attention } = page;
  return html`${sums.length === 0 ? html`<p>Nothing was taken, refunded or declined.</p>` : sums.map(sumTiles)}
${attentionSection(attention)}
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

function attentionSection(attention: readonly Attention[]): Html {
  if (attention.length === 0)
    return html`<section><h2>Needs attention</h2><p>Nothing.</p></section>`;
  return html`<section><h2>Needs attention</h2>
${attention.map(
  ({ title, lines, more, command }) => html`<h3>${title}</h3>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
<p>${more > 0 ? `${more} more: ` : ''}<code>${command}</code></p>
`,
)}</section>`;
}

function declinesSection(declines: readonly DeclineReason[]): Html | null {
  if (declines.length === 0) return null;
  return html`<section class="table" tabindex="0" aria-label="Declines"><h2>Declines</h2>
<table><thead><tr><th>reason</th><th class="number">count</th><th class="number">of all attempts</th><th class="number">amount</th></tr></thead>
<tbody>${declines.map(
    ({ reason, count, share, amount }) =>
      html`<tr><td>${reason}</td><td class="number">${count}</td><td class="number">${(share * 100).toFixed(1)} %</td><td class="number">${amount}</td></tr>`,
  )}</tbody></table></section>`;
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

/** Prints on two pages of A4 or Letter: the sums and the chart, then the rest. */
const STYLE: Html = html`
:root { --ink: #1b1f24; --paper: #fff; --soft: #5b6570; --line: #d5dae0; --bar: #2563a8; --below: #b3372c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --paper: #14171b; --soft: #9aa4af; --line: #333a42; --bar: #6aa9e9; --below: #e5786d; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 52rem; color: var(--ink); background: var(--paper); font: 1rem/1.4 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.8rem; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: .75rem 0 .25rem; font-size: 1rem; }
header p, footer, .below, figcaption { color: var(--soft); }
p, ul { margin: .25rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1rem 0; }
.tile { padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .4rem; }
.tile dt { color: var(--soft); }
.tile dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tile dd.below { font-size: .85rem; }
figure { margin: 1rem 0; }
svg { width: 100%; height: auto; }
svg rect { fill: var(--bar); }
svg rect.below { fill: var(--below); }
svg line { stroke: var(--soft); }
svg text { fill: var(--soft); font: 10px system-ui, sans-serif; text-anchor: middle; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .5rem; text-align: left; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
table.numbers { font-size: .85rem; }
code { font: .9em ui-monospace, monospace; }
section, footer { overflow-x: auto; }
footer { margin-top: 1.5rem; font-size: .85rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #444; --line: #bbb; --bar: #2563a8; --below: #b3372c; }
  @page { margin: 11mm; }
  body { max-width: none; padding: 0; font-size: 8.5pt; line-height: 1.2; }
  h2 { margin: .8rem 0 .3rem; }
  svg { max-height: 26mm; }
  figure { margin: .5rem 0; }
  table.numbers { display: block; columns: 4; border: 0; font-size: 7.5pt; }
  table.numbers thead { display: none; }
  table.numbers tbody { display: block; }
  table.numbers tr { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line); }
  table.numbers td { border: 0; padding: 0 .3rem; }
  tr, h2, h3, .tiles { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  section.table { break-inside: avoid; }
}
`;
