/** Reports as bars on a terminal. */

import { moneyText } from '../../contract/money.ts';
import type { Output } from '../../host/host.ts';
import type { Bar } from '../../view/html/column-chart.ts';
import { loadMeasure } from '../../view/text/width.ts';
import { renderChart } from './chart.ts';
import type { ReportRow } from './report-view.ts';

/** Bars of one chart, on one scale. */
export interface Chart {
  title: string;
  bars: readonly Bar[];
}

/** Writes charts below each other. @returns false if the terminal is too narrow for one */
export async function writeCharts(output: Output, charts: readonly Chart[]): Promise<boolean> {
  const { columns, blocks } = output;
  const style = { columns, blocks, measure: await loadMeasure() };
  const drawn = charts.map(({ title, bars }) => ({ title, lines: renderChart(bars, style) }));
  if (drawn.some(({ lines }) => lines === undefined)) return false;
  await output.write(drawn.map(({ title, lines }) => `${title}\n${lines}`).join('\n'));
  return true;
}

/**
 * @param days names of the bars; a day without a row has an empty one
 * @returns a chart for each currency
 */
export function moneyPerDay(
  title: string,
  rows: readonly Pick<ReportRow, 'period' | 'currency' | 'amount'>[],
  days: readonly (string | null)[] = [...new Set(rows.map(({ period }) => period))],
): (Chart & Pick<ReportRow, 'currency'>)[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.map((currency) => ({
    title: `${title}, ${currency ?? 'currency not known'}`,
    currency,
    bars: days.map((day) => {
      const ofDay = rows.filter((row) => row.period === day && row.currency === currency);
      const sum = ofDay.reduce((total, { amount }) => total + (amount ?? 0n), 0n);
      return { label: day ?? '', value: Number(sum), text: moneyText(sum, currency) };
    }),
  }));
}

/** @returns the count of each reason */
export function countPerReason(title: string, rows: readonly ReportRow[]): Chart[] {
  const counts = new Map<string, number>();
  for (const { reason, count } of rows)
    counts.set(reason ?? '?', (counts.get(reason ?? '?') ?? 0) + (count ?? 0));
  const bars = [...counts].map(([label, value]) => ({ label, value, text: String(value) }));
  return bars.length === 0 ? [] : [{ title, bars }];
}
