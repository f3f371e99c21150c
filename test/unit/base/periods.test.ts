import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  PERIOD_KINDS,
  type PeriodKind,
  parseSpan,
  periodBeside,
  periodOf,
} from '../../../src/base/periods.ts';
import { openTimeZone } from '../../../src/base/time-zone.ts';
import { failureOf } from '../../helpers/failure.ts';

/** A Tuesday. */
const NOW = new Date('2026-03-24T09:30:00Z');
const UTC = { instant: NOW, zone: openTimeZone('UTC') };

const daysOf = (kind: PeriodKind, text: string | undefined, now = UTC) => {
  const { name, first, next } = periodOf(kind, text, now);
  return [name, first, next];
};

describe('a period', () => {
  test.each<[PeriodKind, string | undefined, string[]]>([
    ['day', undefined, ['2026-03-24', '2026-03-24', '2026-03-25']],
    ['day', 'today', ['2026-03-24', '2026-03-24', '2026-03-25']],
    ['day', 'yesterday', ['2026-03-23', '2026-03-23', '2026-03-24']],
    ['day', '7 days ago', ['2026-03-17', '2026-03-17', '2026-03-18']],
    ['day', '7d', ['2026-03-17', '2026-03-17', '2026-03-18']],
    ['day', '2 weeks ago', ['2026-03-10', '2026-03-10', '2026-03-11']],
    ['day', '3m', ['2025-12-24', '2025-12-24', '2025-12-25']],
    ['month', '3m', ['2025-12', '2025-12-01', '2026-01-01']],
    ['quarter', '3 months', ['2025-Q4', '2025-10-01', '2026-01-01']],
    ['year', '1y', ['2025', '2025-01-01', '2026-01-01']],
    ['day', '2028-02-28', ['2028-02-28', '2028-02-28', '2028-02-29']],
    ['week', undefined, ['2026-W13', '2026-03-23', '2026-03-30']],
    ['week', '7d', ['2026-W12', '2026-03-16', '2026-03-23']],
    ['week', '2021-01-03', ['2020-W53', '2020-12-28', '2021-01-04']],
    ['month', undefined, ['2026-03', '2026-03-01', '2026-04-01']],
    ['month', '2026-02', ['2026-02', '2026-02-01', '2026-03-01']],
    ['month', '2026-12-31', ['2026-12', '2026-12-01', '2027-01-01']],
    ['day', 'tuesday', ['2026-03-17', '2026-03-17', '2026-03-18']],
    ['day', 'last Mon', ['2026-03-23', '2026-03-23', '2026-03-24']],
    ['week', '2026-W01', ['2026-W01', '2025-12-29', '2026-01-05']],
    ['week', '2020-w53', ['2020-W53', '2020-12-28', '2021-01-04']],
    ['week', 'last week', ['2026-W12', '2026-03-16', '2026-03-23']],
    ['month', 'last month', ['2026-02', '2026-02-01', '2026-03-01']],
    ['month', 'last', ['2026-02', '2026-02-01', '2026-03-01']],
    ['month', '2026/02', ['2026-02', '2026-02-01', '2026-03-01']],
    ['month', 'last-month', ['2026-02', '2026-02-01', '2026-03-01']],
    ['month', ' This  Month ', ['2026-03', '2026-03-01', '2026-04-01']],
    ['month', 'march', ['2026-03', '2026-03-01', '2026-04-01']],
    ['month', 'Apr', ['2025-04', '2025-04-01', '2025-05-01']],
    ['month', 'April 2026', ['2026-04', '2026-04-01', '2026-05-01']],
    ['month', 'sept', ['2025-09', '2025-09-01', '2025-10-01']],
    ['quarter', undefined, ['2026-Q1', '2026-01-01', '2026-04-01']],
    ['quarter', '2026-Q4', ['2026-Q4', '2026-10-01', '2027-01-01']],
    ['quarter', 'second quarter', ['2025-Q2', '2025-04-01', '2025-07-01']],
    ['quarter', 'first quarter 2026', ['2026-Q1', '2026-01-01', '2026-04-01']],
    ['quarter', 'q2', ['2025-Q2', '2025-04-01', '2025-07-01']],
    ['quarter', 'Q2 2026', ['2026-Q2', '2026-04-01', '2026-07-01']],
    ['quarter', 'last quarter', ['2025-Q4', '2025-10-01', '2026-01-01']],
    ['quarter', '2026-05', ['2026-Q2', '2026-04-01', '2026-07-01']],
    ['year', '2024', ['2024', '2024-01-01', '2025-01-01']],
    ['year', 'last year', ['2025', '2025-01-01', '2026-01-01']],
    ['year', 'q4', ['2025', '2025-01-01', '2026-01-01']],
  ])('%s of %s is %j', (kind, text, expected) => {
    expect(daysOf(kind, text)).toEqual(expected);
  });

  test('begins and ends in its time zone', () => {
    const zone = openTimeZone('Australia/Sydney');
    expect(periodOf('month', '2026-04', { instant: NOW, zone })).toEqual({
      kind: 'month',
      name: '2026-04',
      first: '2026-04-01',
      next: '2026-05-01',
      timeZone: 'Australia/Sydney',
      from: '2026-03-31T13:00:00.000Z',
      until: '2026-04-30T14:00:00.000Z',
    });
    const night = { instant: new Date('2026-03-24T13:30:00Z'), zone };
    expect(daysOf('day', 'today', night)[0]).toBe('2026-03-25');
    expect(daysOf('day', 'yesterday', night)[0]).toBe('2026-03-24');
  });

  test.each([
    ['31/03/2026', 'UTC', '2026-03-31'],
    ['03/31/2026', 'UTC', '2026-03-31'],
    ['31.3.26', 'UTC', '2026-03-31'],
    ['03.04.2026', 'UTC', '2026-04-03'],
    ['31 March 2026', 'UTC', '2026-03-31'],
    ['1. März 2026', 'Europe/Berlin', '2026-03-01'],
    ['03/04/2026', 'Australia/Sydney', '2026-04-03'],
    ['03/04/2026', 'europe/london', '2026-04-03'],
    ['03/04/2026', 'America/New_York', '2026-03-04'],
    ['03/03/2026', 'UTC', '2026-03-03'],
    ['24/03', 'UTC', '2026-03-24'],
    ['25/03', 'UTC', '2025-03-25'],
    ['31.3.', 'UTC', '2025-03-31'],
    ['13-2', 'UTC', '2026-02-13'],
    ['29/2', 'UTC', '2024-02-29'],
    ['29 Feb', 'UTC', '2024-02-29'],
    ['31 March', 'UTC', '2025-03-31'],
    ['fifth of march', 'UTC', '2026-03-05'],
    ['March the thirty-first', 'UTC', '2025-03-31'],
    ['the twenty first of March', 'UTC', '2026-03-21'],
    ['the 3rd of March', 'UTC', '2026-03-03'],
    ['March 3rd', 'UTC', '2026-03-03'],
    ['3. März', 'Europe/Berlin', '2026-03-03'],
    ['Tuesday 17 March', 'UTC', '2026-03-17'],
    ['03/04', 'Australia/Sydney', '2025-04-03'],
    ['03/04', 'America/New_York', '2026-03-04'],
  ])('%s in %s is %s', (text, zone, day) => {
    expect(daysOf('day', text, { instant: NOW, zone: openTimeZone(zone) })[0]).toBe(day);
  });

  test.each(['UTC', 'Asia/Tokyo', 'America/Toronto'])(
    '03/04/2026 in %s is refused',
    async (name) => {
      const now = { instant: NOW, zone: openTimeZone(name) };
      const failure = await failureOf(() => periodOf('day', '03/04/2026', now));
      expect(failure).toMatchObject({
        code: 'date-ambiguous',
        message: '"03/04/2026" may be 2026-04-03 or 2026-03-04.',
      });
    },
  );

  test.each<[PeriodKind, string, string]>([
    ['day', '31/04', '"31/04" is not a day.'],
    ['day', '3.50', '"3.50" is not a day.'],
    ['day', '31 marches', '"31 marches" is not a day.'],
    ['day', '31/04/2026', '"31/04/2026" is not a day.'],
    ['day', '31/13/2026', '"31/13/2026" is not a day.'],
    ['week', '2026-03', '"2026-03" is a month, not a week.'],
    ['day', '2026-02-30', '"2026-02-30" is not a day.'],
    ['month', '2026-13', '"2026-13" is not a month.'],
    ['month', '', '"" is not a month.'],
    ['day', '0026-03-24', '"0026-03-24" is not a day.'],
    ['day', 'last day', '"last day" is not a day.'],
    ['day', 'ma', '"ma" is not a day.'],
    ['week', '2026-W54', '"2026-W54" is not a week.'],
    ['week', '2025-W53', '"2025-W53" is not a week.'],
    ['month', '2026-W13', '"2026-W13" is a week, not a month.'],
    ['month', '2026', '"2026" is a year, not a month.'],
    ['day', 'march', '"march" is a month, not a day.'],
    ['quarter', 'q5', '"q5" is not a quarter.'],
    ['quarter', '2026-Q0', '"2026-Q0" is not a quarter.'],
    ['year', 'next year', '"next year" is not a year.'],
    ['month', 'marches', '"marches" is not a month.'],
    ['month', '1800', '"1800" is not a month.'],
  ])('%s is not %s', async (kind, text, message) => {
    const failure = await failureOf(() => periodOf(kind, text, UTC));
    expect(failure).toMatchObject({ kind: 'usage', code: 'period-invalid', message });
    expect(failure.next).toMatch(/^Use .*2026-03/);
  });
});

const instants = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((instant) => new Date(instant));
const kinds = fc.constantFrom(...PERIOD_KINDS);
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland');

describe('a period to come', () => {
  const ahead = { ...UTC, looksAhead: true };

  test.each<[PeriodKind, string, string]>([
    ['month', 'next month', '2026-04'],
    ['month', 'next-month', '2026-04'],
    ['month', 'may', '2026-05'],
    ['month', 'next May', '2026-05'],
    ['month', 'march', '2026-03'],
    ['month', 'feb', '2027-02'],
    ['month', 'february 2026', '2026-02'],
    ['month', 'last month', '2026-02'],
    ['quarter', 'next quarter', '2026-Q2'],
    ['quarter', 'q1', '2026-Q1'],
    ['quarter', 'q3', '2026-Q3'],
    ['year', 'next year', '2027'],
    ['week', 'next week', '2026-W14'],
    ['week', 'this week', '2026-W13'],
    ['day', 'tomorrow', '2026-03-25'],
    ['day', 'friday', '2026-03-27'],
    ['day', 'next tuesday', '2026-03-31'],
    ['day', 'last friday', '2026-03-20'],
    ['day', '23 March', '2027-03-23'],
    ['day', '31 March', '2026-03-31'],
    ['day', 'today', '2026-03-24'],
  ])('%s %s', (kind, text, name) => {
    expect(daysOf(kind, text, ahead)[0]).toBe(name);
  });

  test('is understood only where a command looks ahead', async () => {
    for (const text of ['next month', 'tomorrow']) {
      const failure = await failureOf(() => periodOf('month', text, UTC));
      expect(failure.code).toBe('period-invalid');
    }
  });
});

test('every instant is in one period of each kind', () => {
  fc.assert(
    fc.property(instants, kinds, zones, (instant, kind, name) => {
      const now = { instant, zone: openTimeZone(name) };
      const period = periodOf(kind, undefined, now);
      expect(period.from <= instant.toISOString()).toBe(true);
      expect(period.until > instant.toISOString()).toBe(true);
      expect(periodOf(kind, period.first, now)).toEqual(period);
      // The next one begins where this one ends.
      expect(periodOf(kind, period.next, now).from).toBe(period.until);
      if (kind === 'week') expect(new Date(`${period.first}T00:00:00Z`).getUTCDay()).toBe(1);
    }),
  );
});

describe('a span', () => {
  const ends = (text: string) => {
    const span = parseSpan(text, UTC);
    return span && [span.first.name, span.last.name];
  };

  test.each([
    ['march', ['2026-03', '2026-03']],
    ['last month', ['2026-02', '2026-02']],
    ['jan feb march', ['2026-01', '2026-03']],
    ['nov dec jan', ['2025-11', '2026-01']],
    ['q3 q4', ['2025-Q3', '2025-Q4']],
    ['jan to march', ['2026-01', '2026-03']],
    ['2026-03-01 until 2026-03-20', ['2026-03-01', '2026-03-20']],
    ['1 march to 3 march 2026', ['2026-03-01', '2026-03-03']],
    ['march sales', undefined],
    ['to', undefined],
  ])('%s', (text, expected) => {
    expect(ends(text)).toEqual(expected);
  });

  test('two periods with a gap between them, in whatever order', async () => {
    for (const text of ['jan march', 'march jan'])
      expect((await failureOf(() => ends(text))).next).toBe(
        'Use `--since 2026-01 --until 2026-03` for all the time between.',
      );
  });
});

test.each([
  ['ada byron', 'ada byron', undefined],
  ['ada byron last month', 'ada byron', 'last month'],
  ['ada byron last 30 days', 'ada byron', 'last 30 days'],
  ['last 30 days ada byron', 'ada byron', 'last 30 days'],
  ['q1 ada byron', 'ada byron', 'q1'],
  ['march ada byron', 'ada byron', 'march'],
  ['last month for ada byron', 'ada byron', 'last month'],
  ['jan to march ada byron', 'ada byron', 'jan to march'],
  // Somebody may be called so.
  ['may wong', 'may wong', undefined],
  ['june march', 'june', 'march'],
])('%j is the name %j and the period %j', (text, name, period) => {
  expect(periodBeside(text.split(' '))).toMatchObject({ name, period });
});
