/** What is offered where a record is to be named. */
import { expect, test } from 'vitest';
import type { RememberedRecord } from '../../../src/journal/ledger.ts';
import { knownChoices } from '../../../src/operations/known-choices.ts';
import type { Session } from '../../../src/session/session.ts';

const US = { account: 'a1', profile: 'shop', environment: 'sandbox', host: 'gateway.example' };

function seen(id: string, change: Partial<RememberedRecord> = {}): RememberedRecord {
  return {
    ...US,
    kind: 'customer',
    id,
    reference: null,
    name: null,
    lastFour: null,
    amount: null,
    seenBy: 'customer create',
    firstSeenAt: '2026-11-23T10:00:00.000Z',
    lastSeenAt: '2026-11-23T10:00:00.000Z',
    record: { id, first_name: 'Ann', last_name: 'Bee' },
    ...change,
  };
}

test('records are offered that were seen with the account, and are not known to be deleted', async () => {
  const remembered = [
    seen('071-C-1'),
    seen('071-C-2', { seenBy: 'customer delete' }),
    seen('071-C-3', { account: 'a2' }),
    seen('071-C-4', { seenBy: 'customer get' }),
  ];
  const session: Partial<Session> = {
    remembered: async () => remembered,
    destination: async () => US,
  };
  expect(await knownChoices(session as Session, 'customer')).toEqual([
    { value: '071-C-1', name: '071-C-1', hint: 'Ann Bee' },
    { value: '071-C-4', name: '071-C-4', hint: 'Ann Bee' },
  ]);
});
