import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, dayNumber, dayText } from '../../../src/base/calendar.ts';
import { isTimeZone, lazyTimeZone, openTimeZone } from '../../../src/base/time-zone.ts';
import { failureOf } from '../../helpers/failure.ts';

const HOUR_MS = 3_600_000;

function dayIn(zone: string, day: string): { from: string; hours: number } {
  const { startOf } = openTimeZone(zone);
  const from = startOf(day);
  const next = startOf(dayText(dayNumber(day) + 1));
  return { from: new Date(from).toISOString(), hours: (next - from) / HOUR_MS };
}

describe('a day', () => {
  test.each([
    ['UTC', '2026-03-24', '2026-03-24T00:00:00.000Z', 24],
    ['Australia/Sydney', '2026-03-24', '2026-03-23T13:00:00.000Z', 24],
    ['Australia/Sydney', '2026-04-05', '2026-04-04T13:00:00.000Z', 25],
    ['Australia/Sydney', '2026-10-04', '2026-10-03T14:00:00.000Z', 23],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z', 24],
    // Clocks are put forward over midnight.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    // Clocks are put back at midnight, so the day before has 25 hours.
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00.000Z', 25],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
  ])('in %s, %s begins at %s and has %d hours', (zone, day, from, hours) => {
    expect(dayIn(zone, day)).toEqual({ from, hours });
  });

  test('with a repeated midnight begins once', () => {
    const zone = openTimeZone('America/St_Johns');
    // At 00:01 of 1 November 2009 clocks were put back to 23:01.
    const from = zone.startOf('2009-11-01');
    expect(new Date(from).toISOString()).toBe('2009-11-01T02:30:00.000Z');
    expect(zone.dayOf(from - 1)).toBe('2009-10-31');
    expect(zone.dayOf(from + HOUR_MS / 2)).toBe('2009-11-01');
  });
});

test('a repeated time means the first one, and a skipped time means the next one', () => {
  const { instantAt } = openTimeZone('Europe/Berlin');
  const at = (local: string) => new Date(instantAt(Date.parse(`${local}Z`))).toISOString();
  expect(at('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z');
  expect(at('2026-03-29T02:30:00')).toBe('2026-03-29T01:00:00.000Z');
  expect(at('2026-06-01T12:00:00')).toBe('2026-06-01T10:00:00.000Z');
});

const zones = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
const days = fc
  .integer({ min: dayNumber('2012-01-01'), max: dayNumber('2037-12-31') })
  .map((number) => dayText(number));

test('days of any zone follow each other without gaps', () => {
  fc.assert(
    fc.property(zones, days, fc.nat(2 * DAY_MS), (name, day, after) => {
      const zone = openTimeZone(name);
      const from = zone.startOf(day);
      const next = zone.startOf(dayText(dayNumber(day) + 1));
      expect(next).toBeGreaterThanOrEqual(from);
      if (next > from) {
        expect(zone.dayOf(from)).toBe(day);
        expect(zone.dayOf(next - 1)).toBe(day);
      }
      expect(zone.dayOf(from - 1) < day).toBe(true);

      const instant = from + after;
      const found = zone.dayOf(instant);
      expect(zone.startOf(found)).toBeLessThanOrEqual(instant);
      expect(zone.startOf(dayText(dayNumber(found) + 1))).toBeGreaterThan(instant);
      const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: name }).format(instant);
      expect(found).toBe(shown);
    }),
    { numRuns: 300 },
  );
});

test('a zone is accepted in any letters, and an unknown one gets suggestions', async () => {
  expect(openTimeZone('europe/berlin').dayOf(0)).toBe('1970-01-01');
  expect(await failureOf(() => openTimeZone('Berlin'))).toMatchObject({
    kind: 'usage',
    code: 'time-zone-unknown',
    message: '"Berlin" is not a time zone.',
    next: 'Did you mean Europe/Berlin?',
  });
  for (const name of ['', 'x', '+10:00', 'Mars/Olympus', '\u001b[2J']) {
    expect((await failureOf(() => openTimeZone(name))).next).toBe(
      'Use a name from the IANA database, for example Australia/Sydney or UTC.',
    );
  }
});

describe('a name without a slash', () => {
  test.each(
    `CET CST6CDT Cuba EET Egypt Eire EST EST5EDT GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich Hongkong HST Iceland Iran
    Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT Navajo NZ NZ-CHAT Poland Portugal PRC PST8PDT ROC ROK Singapore
    Turkey UCT Universal UTC W-SU WET Zulu utc japan`.split(/\s+/),
  )('%s is taken, as the IANA database has it', (name) => {
    expect(isTimeZone(name)).toBe(true);
    expect(openTimeZone(name).name).toBe(name);
  });

  // All that Node 20 to 26 takes beyond them.
  test.each([
    ['ACT', 'Australia/Sydney or Australia/Darwin or Australia/Act'],
    ['AET', 'Australia/Sydney'],
    ['AGT', 'America/Buenos_Aires'],
    ['ART', 'America/Argentina/Buenos_Aires or Africa/Cairo'],
    ['AST', 'America/Halifax or America/Anchorage'],
    ['BET', 'America/Sao_Paulo'],
    ['BST', 'Europe/London or Asia/Dhaka'],
    ['CAT', 'Africa/Maputo'],
    ['CNT', 'America/St_Johns'],
    ['CST', 'America/Chicago or Asia/Shanghai'],
    ['CTT', 'Asia/Shanghai'],
    ['EAT', 'Africa/Nairobi'],
    ['ECT', 'America/Guayaquil or Europe/Paris'],
    ['IET', 'America/Indianapolis'],
    ['IST', 'Asia/Kolkata or Europe/Dublin or Asia/Jerusalem'],
    ['JST', 'Asia/Tokyo'],
    ['MIT', 'Pacific/Apia'],
    ['NET', 'Asia/Yerevan'],
    ['NST', 'America/St_Johns or Pacific/Auckland'],
    ['PLT', 'Asia/Karachi'],
    ['PNT', 'America/Phoenix'],
    ['PRT', 'America/Puerto_Rico'],
    ['PST', 'America/Los_Angeles'],
    ['SST', 'Pacific/Pago_Pago or Pacific/Guadalcanal'],
    ['VST', 'Asia/Saigon'],
    // No Node takes these.
    ['bst', 'Europe/London or Asia/Dhaka'],
    ['AEST', 'Australia/Sydney'],
    ['AEDT', 'Australia/Sydney'],
    ['EDT', 'America/New_York'],
    ['CEST', 'Europe/Berlin'],
    ['MSK', 'Europe/Moscow'],
    ['msk', 'Europe/Moscow'],
    ['KST', 'Asia/Seoul'],
    ['HKT', 'Asia/Hong_Kong'],
    ['SAST', 'Africa/Johannesburg'],
    ['WIB', 'Asia/Jakarta'],
    ['York', 'America/New_York'],
    ['Kyiv', 'Europe/Kyiv'],
    ['kolkata', 'Asia/Kolkata'],
    ['Ho Chi Minh', 'Asia/Ho_Chi_Minh'],
    ['Yangon', 'Asia/Yangon'],
    ['new york', 'America/New_York'],
    ['Sydney', 'Australia/Sydney'],
  ])('%s is refused: did you mean %s?', async (name, meant) => {
    expect(isTimeZone(name)).toBe(false);
    expect(await failureOf(() => openTimeZone(name))).toMatchObject({
      kind: 'usage',
      code: 'time-zone-unknown',
      next: `Did you mean ${meant}?`,
    });
  });

  test('that Node takes is one of these', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const three = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const taken = three.filter(isTimeZone);
    expect(taken).toEqual([
      'CET',
      'EET',
      'EST',
      'GMT',
      'HST',
      'MET',
      'MST',
      'PRC',
      'ROC',
      'ROK',
      'UCT',
      'UTC',
      'WET',
    ]);
  });
});

test.each([
  'Europe/Kyiv',
  'Europe/Kiev',
  'Asia/Kolkata',
  'asia/calcutta',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+5',
  'US/Pacific',
  'Australia/NSW',
])('%s is taken', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each(['SystemV/PST8PDT', 'systemv/est5', 'Etc/Unknown', 'US/Pacific-New', 'Mars/Olympus'])(
  '%s is in no IANA database',
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);

test('a lazy zone is opened on its first use', () => {
  let count = 0;
  const lazy = lazyTimeZone(() => {
    count++;
    return 'Australia/Sydney';
  });
  expect(count).toBe(0);
  const zone = openTimeZone('Australia/Sydney');
  const noon = Date.parse('2026-03-24T12:00:00Z');
  expect(lazy.name).toBe(zone.name);
  expect(lazy.dayOf(noon)).toBe(zone.dayOf(noon));
  expect(lazy.startOf('2026-03-24')).toBe(zone.startOf('2026-03-24'));
  expect(lazy.instantAt(noon)).toBe(zone.instantAt(noon));
  expect(lazy.clockAt(noon)).toBe(zone.clockAt(noon));
  expect(count).toBe(1);
});
