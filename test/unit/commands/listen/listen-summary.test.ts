/** The summary at the end of a listener. */
import { expect, test } from 'vitest';
import { ListenSummary } from '../../../../src/commands/listen/listen-summary.ts';
import type { StoredEvent } from '../../../../src/events/event.ts';
import { shownEvent } from '../../../../src/events/show/event-view.ts';
import { charge } from '../../../helpers/listener.ts';
import { newEvent } from '../../events/support.ts';

function summary(...events: [value: unknown, change?: Partial<StoredEvent>][]): ListenSummary {
  const counted = new ListenSummary();
  for (const [value, change] of events) {
    const event = { ...newEvent(value), id: 1, duplicateOf: null, verification: null, ...change };
    const { content } = shownEvent(event);
    counted.add(event, content);
  }
  return counted;
}

test('the summary counts events by name, with the total of the approved ones', () => {
  const counted = summary(
    [charge('P-1')],
    [charge('P-2')],
    [charge('P-3', { event: 'charge:failed' })],
    [charge('P-1'), { duplicateOf: 1 }],
    [{ event: 'charge:failed', payload: [] }],
  );
  expect(counted.lines(undefined)).toEqual([
    'Received 3 events: 2 charge:successful (50.00 AUD unverified), 1 charge:failed.',
    'Not counted: 1 duplicate, 1 bad delivery.',
  ]);
});

test('the summary adds the captured part of a charge', () => {
  const value = charge('P-1');
  Object.assign(value.payload[0]?.response.response ?? {}, { captured_amount: 1000 });
  expect(summary([value], [charge('P-2')]).lines(undefined)).toEqual([
    'Received 2 events: 2 charge:successful (35.00 AUD unverified).',
  ]);
});

test('the summary separates several modes', () => {
  const counted = summary(
    [charge('P-1')],
    [charge('P-2'), { mode: 'Live' }],
    [charge('P-3'), { mode: null }],
  );
  expect(counted.lines(undefined)).toEqual([
    'Received 1 event in Sandbox mode: 1 charge:successful (25.00 AUD unverified).',
    'Received 1 event in Live mode: 1 charge:successful (25.00 AUD unverified).',
    'Received 1 event without a mode: 1 charge:successful (25.00 AUD unverified).',
  ]);
});

test('the summary says what was passed on and what was not', () => {
  const target = 'http://127.0.0.1:3000/';
  const passedOn = { target, taken: 2, takenEarlier: 2, waiting: 1, withheld: 2 };
  expect(summary().lines(passedOn)).toEqual([
    'No events came.',
    'Passed on to http://127.0.0.1:3000/: 2 events, of which 2 were received earlier.',
    '1 event waits for it; the next `gw listen --forward-to` passes it on.',
    '2 events were not passed on, because the gateway did not confirm them: `gw events list` shows what it says.',
  ]);
});

test('a sample that ended the wait came, and does not count', () => {
  const headers = [['user-agent', 'gw/0.2.0 sample']] as const;
  expect(summary([charge('P-1'), { headers }]).lines(undefined)).toEqual([
    'No event counts.',
    'Not counted: 1 sample.',
  ]);
});

test('what came, what had waited and what was passed on add up', () => {
  const counted = summary([charge('P-1')], [charge('P-1'), { duplicateOf: 1 }]);
  counted.addLate({ fault: null });
  counted.addLate({ fault: null });
  const target = 'http://127.0.0.1:3000/';
  const passedOn = { target, taken: 5, takenEarlier: 1, waiting: 0, withheld: 0 };
  expect(counted.lines(passedOn)).toEqual([
    'Received 1 event: 1 charge:successful (25.00 AUD unverified).',
    'Not counted: 1 duplicate, 2 that came after the last one.',
    'Passed on to http://127.0.0.1:3000/: 5 events, of which 1 was received earlier.',
  ]);
});

test('the summary stays short with many unknown names', () => {
  const events = Array.from({ length: 40 }, (_, i): [unknown] => [
    { event: `e${i}`, payload: [{}] },
  ]);
  expect(
    summary(...events)
      .lines(undefined)
      .join(''),
  ).toContain('28 other events');
});

test('what the gateway contradicts, and samples, are in no sum, and hearsay is apart', () => {
  const counted = summary(
    [charge('P-1'), { authentication: 'basic' }],
    [charge('P-2')],
    [charge('P-3'), { verification: { state: 'contradicted', reason: 'no such purchase' } }],
    [charge('P-4'), { headers: [['User-Agent', 'gw/1.2.3 sample']] }],
  );
  expect(counted.lines(undefined)).toEqual([
    'Received 2 events: 2 charge:successful (25.00 AUD, 25.00 AUD unverified).',
    'Not counted: 1 contradicted, 1 sample.',
  ]);
});
