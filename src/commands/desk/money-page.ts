/** A day or a month: the sections of the page for the owner, and what the subscriptions will bring. */
import { addDays } from '../../base/calendar.ts';
import { foretold } from '../../desk/report/at-risk.ts';
import { doubtsOf, dueText, Forecast, isPayable } from '../../desk/report/forecast.ts';
import { knownSubscriptions } from '../../desk/report/known-subscriptions.ts';
import { desksOf, periodBefore, type ReportDesk } from '../../desk/report/open-report.ts';
import { ownerSections } from '../../desk/report/owner-page.ts';
import { moneyPerDay } from '../../desk/report/report-chart.ts';
import { reportOptions } from '../../desk/report/report-flags.ts';
import { ownerPageOf } from '../../desk/report/run-owner-page.ts';
import { columnChart } from '../../view/html/column-chart.ts';
import { type Html, html } from '../../view/html/html.ts';
import { namedProfile } from '../../view/text/environment.ts';
import { type Desk, REPORT_PATH } from './desk.ts';
import type { Page } from './page-shell.ts';
import { linkedReports } from './typed.ts';

const PATHS = { day: '/today', month: '/month' } as const;
/** The days of a forecast. */
const AHEAD_DAYS = 30;

/**
 * @param date as typed; empty for the current period
 * @throws Failure usage if the date means no period
 */
export async function moneyPage(desk: Desk, kind: 'day' | 'month', date: string): Promise<Page> {
  const { context, profile } = desk;
  const options = reportOptions({ profile: profile.name }, date === '' ? undefined : date);
  let body: Html = html``;
  let title = '';
  for await (const report of desksOf(context, { options, kind })) {
    const whose = { profile: namedProfile(profile), merchant: null };
    const page = await ownerPageOf(report, kind, whose);
    const charts = kind === 'day' ? [] : page.charts;
    const isOver = report.period.next <= todayOf(report);
    const forecast = isOver ? null : await forecastSection(report);
    title = page.title;
    body = html`<h1>${kind === 'day' && date === '' ? `Today, ${title}` : title}</h1>
<p class="soft">${page.span}</p>
${ways(report, kind, date)}<div class="money">${ownerSections({ ...page, charts }, REPORT_PATH)}${forecast}</div>
<footer>${page.notes.map((note) => html`<p>${linkedReports(note)}</p>`)}</footer>
`;
  }
  return { title, at: PATHS[kind], body };
}

const todayOf = ({ zone, instant }: ReportDesk) => zone.dayOf(instant.getTime());

/** @returns the ways to other periods */
function ways(report: ReportDesk, kind: 'day' | 'month', date: string): Html {
  const before = periodBefore(kind, report).first;
  const { next } = report.period;
  const path = PATHS[kind];
  const after =
    next <= todayOf(report)
      ? html`<li><a href="${path}?of=${next}">the ${kind} after</a></li>`
      : null;
  return html`<ul class="hints" aria-label="Other periods"><li><a href="${path}?of=${before}">the ${kind} before</a></li>${after}</ul>
<form class="fields" action="${path}"><label>Another ${kind}<input name="of" value="${date}" placeholder="${kind === 'day' ? 'yesterday, 2026-03-31' : 'last month, 2026-03'}" autocomplete="off"></label><button>Show</button></form>
`;
}

/** @returns the charges that are due, by the rules of `gw report forecast` */
async function forecastSection(report: ReportDesk): Promise<Html | null> {
  const { ledger, scope } = report;
  const today = todayOf(report);
  const all = await knownSubscriptions({ things: ledger.things, scope }, today);
  const span = { today, first: today, next: addDays(today, AHEAD_DAYS) };
  const found = foretold(
    all.filter(({ source }) => source !== 'heard'),
    span,
  );
  if (found.expected.length === 0) return null;
  const payable = found.expected.filter(isPayable);
  const forecast = new Forecast('day');
  for (const one of payable) forecast.add(one);
  const days = Array.from({ length: AHEAD_DAYS }, (_, n) => addDays(today, n));
  const rows = forecast.rows.map(({ part, ...row }) => ({ ...row, period: part }));
  const charts = moneyPerDay('Due', rows, days).map(({ title, bars }) => {
    const marked = bars.map((bar) => ({ ...bar, mark: String(Number(bar.label.slice(-2))) }));
    return columnChart(title, marked, ['day', 'amount']);
  });
  const due = dueText(payable.map(({ subscription }) => subscription));
  const doubts = doubtsOf(found).map((doubt) => html`<p>${doubt}</p>`);
  return html`<section><h2>Due in the next ${AHEAD_DAYS} days: ${due}</h2>${doubts}${charts}</section>
`;
}
