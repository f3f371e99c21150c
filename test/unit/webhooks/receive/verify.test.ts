import { expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { verifyEvent } from '../../../../src/webhooks/receive/verify.ts';
import { charge } from '../../../helpers/listener.ts';
import { contentOf } from '../support.ts';

const record = {
  id: 'S-1',
  reference: 'SUB-1',
  frequency: 'Daily',
  start_date: '2026-03-10',
  end_date: null,
  customer: 'C-1',
  last_status: 'Failed (3), Aborted',
};

const failing = (kind: 'notFound' | 'notReached') => async () => {
  throw new Failure(kind, 'Said so.', { code: kind, next: '' });
};

test.each([
  ['the same', async () => record, { state: 'verified', reason: '' }],
  ['less', async () => ({ reference: 'SUB-1' }), { state: 'verified', reason: '' }],
  [
    'another customer',
    async () => ({ ...record, customer: 'C-2' }),
    { state: 'contradicted', reason: 'customer is C-2, not C-1' },
  ],
  [
    'another id',
    async () => ({ ...record, id: 'S-2' }),
    { state: 'contradicted', reason: 'id is S-2, not S-1' },
  ],
  [
    'nothing',
    failing('notFound'),
    { state: 'contradicted', reason: 'the gateway knows no such subscription' },
  ],
  ['not to be reached', failing('notReached'), { state: 'unverified', reason: 'Said so.' }],
  [
    'no record',
    async () => undefined,
    { state: 'unverified', reason: 'the gateway answered without a record' },
  ],
])('the gateway has %s', async (_, lookUp, verification) => {
  expect(await verifyEvent(contentOf(charge('P-1')), lookUp)).toEqual(verification);
});

test('an event of a card names no subscription', async () => {
  const content = contentOf({ event: 'card:expired', payload: [{ email: 'a@b.c' }] });
  expect((await verifyEvent(content, async () => record)).state).toBe('unverified');
});
