/** The result of a line after an entry, a reply or a failure. */
import { expect, test } from 'vitest';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { Failure } from '../../../../src/failure.ts';
import type { FailureCode, FailureKind } from '../../../../src/failure-codes.ts';
import type { EntryState, LedgerEntry } from '../../../../src/journal/ledger.ts';
import type { Line } from '../../../../src/requests/batch/engine/batch.ts';
import {
  resultOfEntry,
  resultOfFailure,
  resultOfReply,
} from '../../../../src/requests/batch/line-result.ts';

const LINE = { number: 2 } as Line;

test.each<[EntryState, string]>([
  ['done', 'done'],
  ['sending', 'elsewhere'],
  ['unknown', 'unknown'],
])('an entry in the state %s makes the line %s, by an earlier run', (state, outcome) => {
  const createdAt = '2026-03-10T09:30:00.000Z';
  const known = { id: 'e', state, recordId: '071-R-1', message: 'Approved', createdAt };
  const entry = known as LedgerEntry;
  const run = {
    id: 'refund create shop@host 1',
    unknownBefore: undefined,
    now: new Date(createdAt),
  };
  expect(resultOfEntry(LINE, entry, run)).toMatchObject({
    line: LINE,
    outcome,
    isEarlier: true,
    entry: 'e',
  });
});

test.each<[Reply['outcome'], string]>([
  ['approved', 'done'],
  ['declined', 'declined'],
  ['unclear', 'unknown'],
])('a reply that is %s makes the line %s', (outcome, expected) => {
  const record = { id: '071-R-1' };
  const reply = { operation: refundCreate, outcome, records: [record], entry: 'e' };
  expect(resultOfReply(LINE, reply as unknown as Reply)).toMatchObject({
    outcome: expected,
    isEarlier: false,
    entry: 'e',
    record,
  });
});

const WHY = { why: expect.any(String) };
const REPEATED = { mayRepeat: WHY };
test.each<[FailureKind, FailureCode, object]>([
  ['rejected', 'rejected-by-gateway', { outcome: 'rejected' }],
  ['rejected', 'too-many-requests', { outcome: 'rejected', ...REPEATED }],
  ['notFound', 'not-found', { outcome: 'rejected' }],
  ['auth', 'not-permitted', { outcome: 'rejected' }],
  ['auth', 'credentials-refused', { outcome: 'rejected', endsAll: WHY }],
  ['notReached', 'not-reached', { outcome: 'not-sent', ...REPEATED }],
  [
    'notReached',
    'lease-over',
    { outcome: 'not-sent', mayRepeat: { why: 'gw was delayed for too long' } },
  ],
  ['usage', 'body-invalid', { outcome: 'refused' }],
  ['guard', 'duplicate-request', { outcome: 'refused' }],
  ['guard', 'refund-too-large', { outcome: 'refused' }],
  ['guard', 'ledger-failed', { outcome: 'not-sent', endsAll: { why: 'It failed' } }],
  ['unknown', 'outcome-unknown', { outcome: 'unknown' }],
  ['interrupted', 'interrupted', { outcome: 'unknown' }],
])('a failure %s with the code %s decides the outcome of the line', (kind, code, expected) => {
  const failure = new Failure(code, 'It failed.', '', { kind, entry: 'e' });
  const { mayRepeat, endsAll, ...result } = resultOfFailure(LINE, failure);
  expect({ outcome: result.outcome, mayRepeat, endsAll }).toEqual({
    mayRepeat: undefined,
    endsAll: undefined,
    ...expected,
  });
  expect(result).toMatchObject({
    isEarlier: false,
    entry: 'e',
    error: { kind, message: 'It failed.' },
  });
});

test.each<[FailureCode, number | undefined, object | undefined]>([
  ['too-many-requests', 429, { retryAfter: '7' }],
  ['outcome-unknown', 503, { retryAfter: '7' }],
  ['not-reached', undefined, { retryAfter: undefined }],
  ['lease-over', undefined, { retryAfter: undefined }],
  ['rejected-by-gateway', 400, undefined],
  ['outcome-unknown', undefined, undefined],
])('a failure %s with the status %s pauses the next lines: %o', (code, status, busy) => {
  const retryAfter = status === undefined ? undefined : '7';
  const failure = new Failure(code, 'It failed.', '', { status, retryAfter });
  expect(resultOfFailure(LINE, failure).busy).toEqual(busy);
});
