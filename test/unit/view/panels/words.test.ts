/** The words on cards. */
import { expect, test } from 'vitest';
import type { Item } from '../../../../src/view/panels/ties.ts';
import {
  ageOf,
  type Clocks,
  expiryText,
  itemRow,
  nextText,
  standingOf,
  statusText,
} from '../../../../src/view/panels/words.ts';

const MOMENT: Clocks = {
  since: '2026-03-12T09:30:00.000Z',
  now: new Date('2026-03-12T09:30:00.500Z'),
  today: '2026-03-12',
};

test.each([
  [null, 'never seen'],
  ['2026-03-12T09:30:00.100Z', undefined],
  ['2026-03-12T09:29:30.000Z', 'seen just now'],
  ['2026-03-12T09:01:00.000Z', 'seen 29 min ago'],
  ['2026-03-12T04:30:00.000Z', 'seen 5 h ago'],
  ['2026-03-11T09:30:00.000Z', 'seen 1 day ago'],
  ['2026-03-09T09:00:00.000Z', 'seen 3 days ago'],
])('a record that was seen at %s has the age %s', (seenAt, expected) => {
  expect(ageOf(seenAt, MOMENT)).toBe(expected);
});

test.each([
  ['05/2031', 'expires 05/2031'],
  ['03/2026', 'expires 03/2026 (in 19 days)'],
  ['2026-04-30', 'expires 04/2026 (in 49 days)'],
  ['02/2026', 'EXPIRED 02/2026'],
  ['soon', undefined],
  [null, undefined],
])('a card with the expiry %s: %s', (expiry, expected) => {
  expect(expiryText(expiry, '2026-03-12')).toBe(expected);
});

test.each([
  ['not-done', 'declined', 'NOT DONE: the connection was reset'],
  ['unknown', 'unclear', 'UNKNOWN: the connection was reset'],
])('a refund that is %s has the sign of %s', (outcome, sign, words) => {
  const item = { outcome, at: '2026-03-12T09:00:00Z', message: 'the connection was reset' };
  const row = itemRow({ amount: null, seenAt: null, id: null, ...item } as unknown as Item, MOMENT);
  expect(row).toMatchObject({ outcome: sign, text: expect.stringContaining(words) });
});

test.each([
  ['Scheduled', true, 'the last known charge was on 2026-03-01'],
  ['Successful', true, 'the last charge succeeded'],
  [
    'Failed (1), Pending',
    true,
    'the charge failed on 2026-03-01; the first retry is due on 2026-03-02',
  ],
  [
    'Failed (2), Pending',
    true,
    'the first retry failed on 2026-03-01; the second retry is due on 2026-03-02',
  ],
  [
    'Failed (3), Pending',
    true,
    'the second retry failed on 2026-03-01; the third and last retry is due on 2026-03-02',
  ],
  [
    'Failed (3), Aborted',
    true,
    'given up: the third and last retry failed on 2026-03-01; the next charge is made as scheduled',
  ],
  [
    'Failed (2), Aborted',
    true,
    'given up: the second retry is not made; the next charge is made as scheduled',
  ],
  ['Failed (2), Aborted', false, 'stopped while the second retry was waiting, which is not made'],
  ['On hold', true, 'On hold'],
])('%s of a subscription, active %j: %s', (last_status, is_active, expected) => {
  const [, number = '1', state] = /(\d)\), (\w+)/.exec(last_status) ?? [];
  const retry = Number(number) - (state === 'Pending' ? 1 : 0);
  const outcome = last_status.startsWith('Failed') ? 'declined' : 'approved';
  const last = { at: '2026-03-01T23:59:59Z', retry, outcome } as const;
  expect(statusText({ last_status, is_active }, last)).toBe(expected);
});

test('of a failed try that was not seen, no day is said: the last known charge is another one', () => {
  const on = (last_status: string) =>
    statusText(
      { last_status, is_active: true },
      { at: '2026-03-01T23:59:59Z', retry: 0, outcome: 'declined' },
    );
  expect(on('Failed (3), Aborted')).toMatch(/^given up: the third and last retry failed; /);
  expect(on('Failed (3), Pending')).toBe(
    'the second retry failed; the third and last retry is due',
  );
});

test.each([
  [{ is_active: true, last_status: 'Successful' }, 'approved'],
  [{ is_active: true, last_status: 'Failed (1), Pending' }, 'unclear'],
  [{ is_active: false, last_status: 'Successful' }, undefined],
  [{}, undefined],
])('a subscription that is %j has the sign of %s', (record, expected) => {
  expect(standingOf(record, null)).toBe(expected);
});

test('a stop is bad news only if nobody wanted it', () => {
  const stopped = { is_active: false, last_status: 'Successful' };
  expect(standingOf(stopped, 'card expired')).toBe('declined');
  for (const cause of ['person', 'moved'] as const)
    expect(standingOf(stopped, cause)).toBeUndefined();
});

test('a subscription without a further charge says when it ends, and has no next charge', () => {
  const on = (end_date: string | null, next_billing_date: string | null, is_active = true) =>
    nextText({ is_active, end_date, next_billing_date }, 'next', MOMENT);
  expect(on(null, '2026-04-01')).toBe('next 2026-04-01');
  expect(on('2026-05-15', '2026-04-01')).toBe('next 2026-04-01');
  expect(on('2026-02-28', null)).toBe('ended 2026-02-28');
  expect(on('2026-03-12', null)).toBe('ends 2026-03-12');
  expect(on('2026-02-28', null, false)).toBeUndefined();
  expect(on(null, null)).toBeUndefined();
  const record = { last_status: 'Failed (3), Aborted', end_date: '2026-02-28', is_active: true };
  expect(statusText(record, { at: '2026-03-01T23:59:59Z', retry: 3, outcome: 'declined' })).toBe(
    'given up: the third and last retry failed on 2026-03-01; there is no further charge',
  );
});
