/** Charts of reports: one scale and one chart for each currency, and every day of it. */
import { expect, test } from 'vitest';
import {
  countPerReason,
  moneyPerDay,
  writeCharts,
} from '../../../../src/desk/report/report-chart.ts';
import type { ReportRow } from '../../../../src/desk/report/report-view.ts';
import { FRAME } from '../support.ts';

const row = (period: string, currency: string | null, amount: bigint): ReportRow => ({
  ...FRAME,
  period,
  currency,
  what: 'net',
  reason: null,
  count: 1,
  amount,
});

function terminal(columns: number) {
  const written: string[] = [];
  const write = async (text: string) => void written.push(text);
  const output = { isTerminal: true, columns, color: false, blocks: false, isPlain: false, write };
  return { output, text: () => written.join('') };
}

const CHARTS = moneyPerDay(
  'Net per day',
  [
    row('2026-03-09', 'AUD', 2_500n),
    row('2026-03-11', 'AUD', -500n),
    row('2026-03-10', 'JPY', 10n),
  ],
  ['2026-03-09', '2026-03-10', '2026-03-11'],
);

test('each currency has a chart with all days', async () => {
  const { output, text } = terminal(60);
  expect(await writeCharts(output, CHARTS)).toBe(true);
  expect(text().split('\n')).toEqual([
    'Net per day, AUD',
    expect.stringMatching(/^2026-03-09 {2}25\.00 AUD +\|#{10,}$/),
    expect.stringMatching(/^2026-03-10 {3}0\.00 AUD/),
    expect.stringMatching(/^2026-03-11 {2}-5\.00 AUD +#+\|$/),
    '',
    'Net per day, JPY',
    expect.stringMatching(/^2026-03-09 {3}0 JPY$/),
    expect.stringMatching(/^2026-03-10 {2}10 JPY {2}#{10,}$/),
    expect.stringMatching(/^2026-03-11 {3}0 JPY$/),
    '',
  ]);
});

test('nothing is drawn where there is no room for the numbers', async () => {
  const { output, text } = terminal(12);
  expect(await writeCharts(output, CHARTS)).toBe(false);
  expect(text()).toBe('');
});

test('reasons are counted over all currencies', () => {
  const declined = (reason: string, currency: string, count: number): ReportRow => ({
    ...row('', currency, 1n),
    ...{ what: 'declines', reason, count },
  });
  const rows = [declined('Declined', 'AUD', 2), declined('Declined', 'JPY', 1)];
  expect(countPerReason('Declines', rows)).toEqual([
    { title: 'Declines', bars: [{ label: 'Declined', value: 3, text: '3' }] },
  ]);
  expect(countPerReason('Declines', [])).toEqual([]);
});
