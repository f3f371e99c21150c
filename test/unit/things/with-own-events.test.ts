/** A team's table beside the webhooks of this machine: what both know is one thing, and counts once. */
import { expect, test } from 'vitest';
import type { IndexedThing } from '../../../src/things/thing.ts';
import { WithOwnEvents } from '../../../src/things/with-own-events.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { sqliteIndex } from './sqlite-index.ts';

const OWNER = { account: 'a1', profile: 'shop', environment: 'live' } as const;
const SCOPE = { ...OWNER, host: 'gateway.example' };
const YEAR = { from: '2026-01-01', until: '2027-01-01' };
const team = sqliteIndex();
const own = sqliteIndex();
const both = new WithOwnEvents(team.things, own.things);

const charge = (id: string, part: Partial<IndexedThing>): IndexedThing => ({
  ...EMPTY_THING,
  ...OWNER,
  ...{ id, currency: 'AUD', label: 'Recurring', subscription: 'SUB-1', keys: [id], ...part },
});
const sent = { amount: 300, told: 'request', operator: 'ada@desk' } as const;
const heard = { amount: 300, told: 'event', token: 'tok' } as const;

test('a charge that both know, whoever told the team of it, is one', async () => {
  await team.put([
    charge('071-P-1', sent),
    charge('071-P-2', { amount: 500, told: 'record', at: '2026-03-10' }),
  ]);
  await own.put([
    charge('071-P-1', heard),
    charge('071-P-2', { ...heard, amount: 900 }),
    charge('071-P-3', { ...heard, at: '2026-03-11', amount: 700 }),
    charge('071-P-4', { ...heard, outcome: 'declined', amount: null, message: 'Expired Card' }),
    charge('5', { ...heard, kind: 'event', outcome: 'declined', message: 'Insufficient Funds' }),
    charge('071-P-6', { ...heard, account: 'a2' }),
  ]);
  const found: string[] = [];
  for await (const { id } of both.each({ kinds: ['purchase'], scope: SCOPE })) found.push(id);
  expect(found.toSorted()).toEqual(['071-P-1', '071-P-2', '071-P-3', '071-P-4']);

  const totals = await both.totals({ scope: SCOPE, ...YEAR, by: 'reason' });
  const counted = totals.map(({ told, outcome, by, isOurs, count, amount, withoutAmount }) => [
    ...[told, outcome, by, isOurs, count],
    ...[Number(amount), withoutAmount],
  ]);
  expect(counted.toSorted()).toEqual(
    [
      ['request', 'approved', null, true, 1, 300, 0],
      ['record', 'approved', null, true, 1, 500, 0],
      ['event', 'approved', null, true, 1, 700, 0],
      ['event', 'declined', 'Expired Card', true, 1, 0, 1],
      ['event', 'declined', 'Insufficient Funds', true, 1, 300, 0],
      ['event', 'approved', null, false, 1, 300, 0],
    ].toSorted(),
  );
  const byAda = { scope: SCOPE, ...YEAR, by: 'reason', operator: 'ada@desk' } as const;
  expect((await both.totals(byAda)).map(({ amount }) => amount)).toEqual([300n]);
  expect(await both.newestCharges(SCOPE)).toMatchObject([{ subscription: 'SUB-1', amount: 700 }]);
});
