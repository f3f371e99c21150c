/** A file tells who may release a proposal. */
import { expect, test } from 'vitest';
import type { EntryRow } from '../../../src/journal/entries.ts';
import {
  areTooMany,
  digestOf,
  judgeApproval,
  MOST_PROPOSED,
} from '../../../src/journal/proposals.ts';
import { REFUND } from '../../helpers/money-request.ts';

const ROW = {
  ...REFUND,
  ...{ id: 'e1', state: 'proposed', createdAt: '2026-03-10T09:30:00.000Z', settledAt: null },
  ...{ operator: 'ada', machine: 'desk', batch: null, line: null, occurrence: null, owner: null },
  ...{ resolution: null, resolvedBy: null, enteredBy: null, enteredAt: null, sendsUntil: null },
  ...{ proposedUntil: '2026-03-11T09:30:00.000Z', proposal: null, approvedBy: null },
  ...{ status: null, recordId: null, message: null, readAt: '2026-03-10T10:00:00.000Z' },
  body: '{"transaction_id":"P-1"}',
} as EntryRow;
const shown = { ...ROW, body: { transaction_id: 'P-1' } };
const approval = {
  ...{ proposal: 'e1', digest: digestOf(shown), approver: 'grace', proposer: 'ada' },
  isByAnother: true,
};

test.each([
  ['another person approves', {}, {}, undefined],
  ['the proposer approves', {}, { approver: 'ada' }, 'own'],
  ['the proposer may', {}, { approver: 'ada', isByAnother: false }, undefined],
  ['the server compares the logins', { enteredBy: 'ada' }, { approver: 'ada' }, undefined],
  ['its time is over', { readAt: '2026-03-11T09:30:00.000Z' }, {}, 'expired'],
  ['it was released', { state: 'released' }, {}, 'released'],
  ['it was withdrawn', { state: 'withdrawn' }, {}, 'withdrawn'],
  ['it was sent', { state: 'sending' }, {}, 'gone'],
  ['it is no proposal', { proposedUntil: null }, {}, 'gone'],
  ['the amount was changed', { amount: 200 }, {}, 'changed'],
  ['the note was changed', { note: 'x' }, {}, 'changed'],
  ['the time was changed', { proposedUntil: '2027-01-01T00:00:00.000Z' }, {}, 'changed'],
])('%s', (_, row, change, why) => {
  const refused = judgeApproval({ ...ROW, ...row } as EntryRow, { ...approval, ...change });
  expect(refused?.why).toBe(why);
});

test.each([
  ['the same', {}, undefined],
  ['another amount', { amount: 200 }, 'changed'],
  ['another currency', { currency: 'IDR' }, 'changed'],
  ['another purchase', { target: 'P-2' }, 'changed'],
  ['another reference', { reference: null }, 'changed'],
  ['another account', { account: 'a2' }, 'changed'],
])('a request for %s', (_, change, why) => {
  expect(judgeApproval(ROW, approval, { ...REFUND, ...change })?.why).toBe(why);
});

test('twenty open proposals of the last hour are as many as there may be', () => {
  const now = new Date('2026-03-10T10:30:00.000Z');
  const open = (n: number, minute: number) =>
    Array.from({ length: n }, () => ({
      ...shown,
      createdAt: `2026-03-10T09:${minute}:00.000Z`,
    }));
  expect(areTooMany(open(MOST_PROPOSED - 1, 45), now)).toBe(false);
  expect(areTooMany(open(MOST_PROPOSED, 45), now)).toBe(true);
  expect(areTooMany([...open(MOST_PROPOSED, 15), ...open(1, 45)], now)).toBe(false);
});
