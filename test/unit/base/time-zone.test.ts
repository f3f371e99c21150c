import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, dayNumber, dayText } from '../../../src/base/calendar.ts';
import { machineTimeZone, openTimeZone } from '../../../src/base/time-zone.ts';
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

test('this machine has a time zone', () => {
  const machine = machineTimeZone();
  const named = openTimeZone(machine.name);
  const noon = Date.parse('2026-03-24T12:00:00Z');
  expect(machine.name).toBe(named.name);
  expect(machine.dayOf(noon)).toBe(named.dayOf(noon));
  expect(machine.startOf('2026-03-24')).toBe(named.startOf('2026-03-24'));
  expect(machine.instantAt(noon)).toBe(named.instantAt(noon));
  expect(machine.clockAt(noon)).toBe(named.clockAt(noon));
});

test('the zone of this machine is loaded on first use', () => {
  vi.stubGlobal('Intl', undefined);
  const machine = machineTimeZone();
  expect(() => machine.name).toThrow(TypeError);
  vi.unstubAllGlobals();
  expect(openTimeZone(machine.name).name).toBe(machine.name);
});
