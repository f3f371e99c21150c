/** The record of an event as a line of a pipe, and as a row of a terminal. */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventLine } from '../../../../src/commands/listen/event-line.ts';
import type { StoredEvent } from '../../../../src/events/event.ts';
import { EVENT_VIEW, shownEvent, wholeRecord } from '../../../../src/events/show/event-view.ts';
import { loadMeasure } from '../../../../src/view/text/width.ts';
import { charge } from '../../../helpers/listener.ts';
import { newEvent } from '../../events/support.ts';

const measure = await loadMeasure();
const PIPE = { screen: undefined, expectedMode: undefined };

function event(value: unknown, change: Partial<StoredEvent> = {}) {
  return shownEvent({
    ...newEvent(value),
    id: 17,
    duplicateOf: null,
    verification: null,
    ...change,
  });
}

function line(value: unknown, expectedMode?: string, change: Partial<StoredEvent> = {}) {
  return eventLine(EVENT_VIEW.record(event(value, change)), { ...PIPE, expectedMode });
}

interface RowOptions {
  columns?: number;
  color?: boolean;
  isPlain?: boolean;
  expectedMode?: string;
}

function row(value: unknown, options: RowOptions = {}, change: Partial<StoredEvent> = {}) {
  const { columns = 80, color = false, isPlain = false, expectedMode } = options;
  const screen = { columns, color, isPlain, measure };
  return eventLine(EVENT_VIEW.record(event(value, change)), { screen, expectedMode });
}

test('a pipe gets tabs and no colour', () => {
  expect(line(charge('P-1'))).toBe(
    '2026-03-10T09:30:00.000Z\tSandbox\tcharge:successful\tAda Lovelace\t25.00 AUD\tApproved\t#17\twithout a password\n',
  );
});

test('a charge that was captured in part shows that part', () => {
  const value = charge('P-1');
  Object.assign(value.payload[0]?.response.response ?? {}, { captured_amount: 1000 });
  expect(line(value)).toContain('\t10.00 AUD\tApproved\t');
  expect(EVENT_VIEW.record(event(value))).toMatchObject({ amount: 1000, decimal_amount: null });
  expect(EVENT_VIEW.record(event(charge('P-1')))).toMatchObject({
    amount: 2500,
    decimal_amount: 25,
  });
});

test('a charge whose captured amount cannot be read shows that, and has no amount', () => {
  const value = charge('P-1');
  Object.assign(value.payload[0]?.response.response ?? {}, { captured_amount: '10.00' });
  expect(line(value)).not.toContain('25.00');
  expect(EVENT_VIEW.record(event(value))).toMatchObject({ amount: null, decimal_amount: null });
});

test('a bad delivery shows only its fault', () => {
  const { payload } = charge('P-1');
  expect(line({ event: 'charge:failed', payload: [] })).toBe(
    '2026-03-10T09:30:00.000Z\tSandbox\tcharge:failed\t\t\tBAD DELIVERY: the payload is empty\t#17\twithout a password\n',
  );
  const text = line({ event: 'charge:successful', payload: [...payload, 'x'] });
  expect(text).toContain(
    '\t\t\tBAD DELIVERY: the payload contains something that is not an object\t',
  );
});

test('a line shows what is remarkable', () => {
  const verification = { state: 'contradicted', reason: 'id is A, not B' } as const;
  const text = line(charge('P-1'), 'Live', { duplicateOf: 3, verification });
  expect(text).toContain(
    '\tMODE MISMATCH: Live expected\tduplicate of #3\tCONTRADICTED: id is A, not B\t',
  );
});

test('--verbose shows the payload', () => {
  const text = eventLine(wholeRecord(event({ event: 'x', payload: [{ a: '\u009b' }] })), PIPE);
  expect(text.split('\n').slice(1)).toEqual([
    '    [',
    '      {',
    '        "a": "\\u009b"',
    '      }',
    '    ]',
    '',
  ]);
});

test('the texts of a delivery are escaped and short', () => {
  const evil = `\u001b[31m${'x'.repeat(10_000)}`;
  const text = line(charge('P-1', { name: evil, event: `e${evil}` }), undefined, { mode: evil });
  expect(text.length).toBeLessThan(400);
  expect(text).not.toContain('\u001b');
});

test('a void is shown as a void, not as a decline', () => {
  const { payload } = charge('P-1', { event: 'charge:failed', message: 'Voided' });
  const text = line({ event: 'charge:failed', payload });
  expect(text).toContain('\tVOIDED\t');
});

/** The purchase of `charge` is of this day; its event comes at this time of it. */
const RECEIVED = '2026-03-10T09:30:00.000Z';
const clock = new Date(RECEIVED).toTimeString().slice(0, 'hh:mm:ss'.length);

describe('a row', () => {
  test('has its parts in columns, without empty ones', () => {
    expect(row(charge('P-1', { at: RECEIVED }))).toBe(
      `${clock}     #17    successful   25.00 AUD  Ada Lovelace      Approved\n`,
    );
  });

  test('is coloured by its outcome', () => {
    const text = row(charge('P-1', { event: 'charge:failed', at: RECEIVED }), { color: true });
    expect(text).toContain('\u001b[31mDECLINED\u001b[39m');
  });

  test('has the day of an event from another day', () => {
    const at = '2026-02-03T12:00:00Z';
    expect(row(charge('P-1', { at }))).toMatch(/^02-03 \d\d:\d\d {2}#17/);
  });

  test('marks a time that is that of the receipt', () => {
    const pending = { event: 'charge:pending', payload: [{ id: 'S-1', customer: { id: 'C-1' } }] };
    expect(row(pending)).toMatch(/^\(\d\d:\d\d:\d\d\) {3}#17 {4}pending /);
    expect(row(pending, { isPlain: true })).toMatch(/^received \d\d:\d\d:\d\d, charge:pending/);
  });

  test('gives a reason the room that a short name leaves', () => {
    const options = { event: 'charge:retry', message: 'Insufficient Funds', at: RECEIVED };
    const said = (name: string, columns: number) =>
      row(charge('P-1', { ...options, name }), { columns });
    expect(said('Bo', 80)).toMatch(/ {2}Bo Lovelace {2}DECLINED: Insufficient…$/m);
    expect(said('Bo', 85)).toMatch(/ {2}Bo Lovelace {2}DECLINED: Insufficient Funds$/m);
    expect(said('Maximiliana', 80)).toMatch(/ {2}Maximiliana \w*… {2}DECLINED:? ?\w*…$/m);
  });

  test('shows a contradiction before the outcome', () => {
    const verification = { state: 'contradicted', reason: 'id is A, not B' } as const;
    const text = row(charge('P-1'), { columns: 120, expectedMode: 'Live' }, { verification });
    expect(text).toMatch(/ {2}MODE MISMATCH: Live expected, CONTRADICTED: id is A, not B, A…$/m);
    expect(row(charge('P-1'), { columns: 140 }, { verification })).toMatch(
      / {2}CONTRADICTED: id is A, not B, /,
    );
  });

  test('does not mark each event as without a password', () => {
    expect(row(charge('P-1'), { columns: 200 }, { authentication: 'none' })).not.toContain(
      'unauth',
    );
  });

  test('has words with commas in plain mode', () => {
    expect(row(charge('P-1', { at: RECEIVED }), { isPlain: true })).toBe(
      `${clock}, charge:successful, 25.00 AUD, Ada Lovelace, Approved, event 17\n`,
    );
  });

  test('is one line that fits, whatever its content', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 60, max: 200 }), (name, message, columns) => {
        const line = row(charge('P-1', { name, message }), { columns, color: true });
        expect(line.split('\n')).toHaveLength(2);
        expect(measure(stripVTControlCharacters(line.trimEnd()))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
