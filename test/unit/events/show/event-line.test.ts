import { expect, test } from 'vitest';
import type { StoredEvent } from '../../../../src/events/event.ts';
import { eventLine, type LineStyle } from '../../../../src/events/show/event-line.ts';
import { shown } from '../../../../src/events/show/event-record.ts';
import { charge } from '../../../helpers/listener.ts';
import { newEvent } from '../support.ts';

const pipe: LineStyle = {
  color: false,
  screen: undefined,
  verbose: false,
  expectedMode: undefined,
};
function line(value: unknown, style = pipe, change: Partial<StoredEvent> = {}) {
  const event = { ...newEvent(value), id: 17, duplicateOf: null, verification: null, ...change };
  return eventLine(shown(event), style);
}

test('a pipe gets tabs and no colour', () => {
  expect(line(charge('P-1'))).toBe(
    '2026-03-10T09:30:00.000Z\tSandbox\tcharge:successful\tAda Lovelace\t25.00 AUD\tApproved\t#17\tunauthenticated\n',
  );
});

test('of a bad delivery it says no more than why', () => {
  const { payload } = charge('P-1');
  expect(line({ event: 'charge:failed', payload: [] })).toBe(
    '2026-03-10T09:30:00.000Z\tSandbox\tcharge:failed\t\t\tBAD DELIVERY: the payload is empty\t#17\tunauthenticated\n',
  );
  const text = line({ event: 'charge:successful', payload: [...payload, 'x'] });
  expect(text).toContain(
    '\t\t\tBAD DELIVERY: the payload contains something that is not an object\t',
  );
});

test('says what is remarkable', () => {
  const verification = { state: 'contradicted', reason: 'id is A, not B' } as const;
  const text = line(
    charge('P-1'),
    { ...pipe, expectedMode: 'Live' },
    { duplicateOf: 3, verification },
  );
  expect(text).toContain(
    '\tMODE MISMATCH: Live expected\tduplicate of #3\tCONTRADICTED: id is A, not B\t',
  );
});

test('shows the payload when it is asked to', () => {
  const text = line({ event: 'x', payload: [{ a: '\u009b' }] }, { ...pipe, verbose: true });
  expect(text.split('\n').slice(1)).toEqual([
    '    [',
    '      {',
    '        "a": "\\u009b"',
    '      }',
    '    ]',
    '',
  ]);
});

test('a text of a delivery is neither obeyed nor endless', () => {
  const evil = `\u001b[31m${'x'.repeat(10_000)}`;
  const text = line(charge('P-1', { name: evil, event: `e${evil}` }), pipe, { mode: evil });
  expect(text.length).toBeLessThan(400);
  expect(text).not.toContain('\u001b');
});

test('a void is shown as one, and not as declined', () => {
  const { payload } = charge('P-1', { event: 'charge:failed', message: 'Voided' });
  const text = line({ event: 'charge:failed', payload });
  expect(text).toContain('\tVOIDED\t');
});
