/** Events as rows of a terminal. */

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../../../../src/events/event.ts';
import { eventLine } from '../../../../src/events/show/event-line.ts';
import { shown } from '../../../../src/events/show/event-record.ts';
import { loadMeasure } from '../../../../src/view/text/width.ts';
import { charge } from '../../../helpers/listener.ts';
import { newEvent } from '../support.ts';

const measure = await loadMeasure();

interface RowOptions {
  columns?: number;
  color?: boolean;
  isPlain?: boolean;
  expectedMode?: string;
}

function row(value: unknown, options: RowOptions = {}, change: Partial<StoredEvent> = {}) {
  const { columns = 80, color = false, isPlain = false, expectedMode } = options;
  const event = { ...newEvent(value), id: 17, duplicateOf: null, verification: null, ...change };
  const screen = { columns, color, isPlain, measure };
  return eventLine(shown(event), { screen, color, verbose: false, expectedMode });
}

/** The purchase of `charge` is of this day; its event comes at this time of it. */
const RECEIVED = '2026-03-10T09:30:00.000Z';
const clock = new Date(RECEIVED).toTimeString().slice(0, 'hh:mm:ss'.length);

describe('a row', () => {
  test('has its parts in columns, and none that says nothing', () => {
    expect(row(charge('P-1', { at: RECEIVED }))).toBe(
      `${clock}     #17    successful   25.00 AUD  Ada Lovelace      Approved\n`,
    );
  });

  test('is coloured by its outcome', () => {
    const text = row(charge('P-1', { event: 'charge:failed', at: RECEIVED }), { color: true });
    expect(text).toContain('\u001b[31mABANDONED\u001b[39m');
  });

  test('has the mode and the reference where there is room', () => {
    const text = row(charge('P-1', { at: RECEIVED }), { columns: 120 });
    expect(text).toContain('  Sandbox  charge:successful ');
    expect(text).toContain('Approved');
  });

  test('has the day of an event of another day', () => {
    const at = '2026-02-03T12:00:00Z';
    expect(row(charge('P-1', { at }))).toMatch(/^02-03 \d\d:\d\d {2}#17/);
    expect(row(charge('P-1', { at }), { columns: 60 })).toMatch(/^\d\d:\d\d:\d\d {2}#17/);
  });

  test('says where its time is that of its receipt', () => {
    const pending = { event: 'charge:pending', payload: [{ id: 'S-1', customer: { id: 'C-1' } }] };
    expect(row(pending)).toMatch(/^\(\d\d:\d\d:\d\d\) {3}#17 {4}pending /);
    expect(row(pending, { columns: 60 })).toMatch(/^\(\d\d:\d\d\) {3}#17 {4}pending /);
    expect(row(pending, { isPlain: true })).toMatch(/^received \d\d:\d\d:\d\d, charge:pending/);
  });

  test('has the whole name of its event where there is room', () => {
    expect(row(charge('P-1'), { columns: 90 })).toContain(' charge:successful ');
    expect(row(charge('P-1', { event: 'charge:made-up' }), { columns: 80 })).toContain(' made-up ');
    expect(row(charge('P-1', { event: 'other:thing' }), { columns: 80 })).toContain(
      ' other:thing ',
    );
  });

  test('gives a reason the room that a name leaves free', () => {
    const options = { event: 'charge:retry', message: 'Insufficient Funds', at: RECEIVED };
    const said = (name: string, columns: number) =>
      row(charge('P-1', { ...options, name }), { columns });
    expect(said('Bo', 80)).toMatch(/ {2}Bo Lovelace {2}DECLINED: Insufficient…$/m);
    expect(said('Bo', 85)).toMatch(/ {2}Bo Lovelace {2}DECLINED: Insufficient Funds$/m);
    expect(said('Maximiliana', 80)).toMatch(/ {2}Maximiliana… {6}DECLINED…$/m);
  });

  test('has what contradicts before the outcome', () => {
    const verification = { state: 'contradicted', reason: 'id is A, not B' } as const;
    const text = row(charge('P-1'), { columns: 120, expectedMode: 'Live' }, { verification });
    expect(text).toMatch(/MODE MISMATCH: Live expected$/m);
    expect(row(charge('P-1'), { columns: 140 }, { verification })).toMatch(
      / {2}CONTRADICTED: id is A, not B, /,
    );
  });

  test('does not say of each event that nobody was asked for a password', () => {
    expect(row(charge('P-1'), { columns: 200 }, { authentication: 'none' })).not.toContain(
      'unauth',
    );
  });

  test('is words with commas in plain lines', () => {
    expect(row(charge('P-1', { at: RECEIVED }), { isPlain: true })).toBe(
      `${clock}, charge:successful, 25.00 AUD, Ada Lovelace, Approved, event 17\n`,
    );
  });

  test('is one line that fits, whatever it says', () => {
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
