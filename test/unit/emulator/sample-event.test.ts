/** What a sample is about: the subscription or the customer that is named. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { EventName } from '../../../src/contract/webhooks/names.ts';
import { advance } from '../../../src/emulator/billing/advance.ts';
import { type SampleSubject, sampleOccasion } from '../../../src/emulator/sample-event.ts';
import { openState } from '../../../src/emulator/state.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { openBench, testClock } from './support.ts';

const PEOPLE = ['ada', 'bob', 'eve'] as const;

/** Ada has the subscriptions S-1, which is stopped, and S-2; Bob has S-3, and Eve has none. */
async function fill() {
  const file = path.join(temporaryDirectory(), 'emulator.db');
  const bench = await openBench('in process', { path: file });
  const post = async (target: string, body: object) =>
    (await bench.send('POST', `/v1.0/${target}`, body)).body.response;
  await post('plans', { name: 'G', reference: 'GOLD', description: 'd', amount: 1500 });
  for (const name of PEOPLE)
    await post('customers', {
      ...{ first_name: name, last_name: 'B', reference: `C-${name}`, email: `${name}@example.com` },
      card: { card_number: '5123456789012346', expiry_date: '05/2031', cvv: '123' },
    });
  for (const [reference, customer, is_active] of [
    ['S-1', 'C-ada', false],
    ['S-2', 'C-ada', true],
    ['S-3', 'C-bob', true],
  ]) {
    const fields = { plan: 'GOLD', frequency: 'Daily', start_date: '2030-01-01' };
    await post('subscriptions', { ...fields, customer, reference, is_active });
  }
  await bench.close();
  return file;
}

const clock = testClock();
const occasionOf = async (name: EventName, subject: SampleSubject) =>
  sampleOccasion({ name, path: await fill(), clock, seed: 's', subject });

test.each<[EventName, SampleSubject, unknown[]]>([
  ['charge:retry', {}, ['bob', 'S-3']],
  ['charge:retry', { subscription: 'S-1' }, ['ada', 'S-1']],
  ['charge:failed', { customer: 'C-ada' }, ['ada', 'S-2']],
  ['charge:successful', { customer: 'ada@example.com', subscription: 'S-1' }, ['ada', 'S-1']],
  ['card:expired', { subscription: 'S-1' }, ['ada', undefined]],
  ['card:expired', { customer: 'C-eve' }, ['eve', undefined]],
  ['card:expiring', { customer: 'eve@example.com' }, ['eve', undefined]],
  ['card:expiring', {}, ['bob', undefined]],
])('%s about %j', async (name, subject, expected) => {
  const { subscription, customer } = await occasionOf(name, subject);
  expect([customer.first_name, subscription?.reference]).toEqual(expected);
  // An id names the same as a reference.
  const ids = { ...(subscription && { subscription: subscription.id }), customer: customer.id };
  expect((await occasionOf(name, ids)).subscription?.reference).toBe(subscription?.reference);
});

test.each<[EventName, SampleSubject, string]>([
  ['charge:retry', { subscription: 'S-9' }, 'no subscription for "S-9".'],
  ['charge:retry', { subscription: "' OR 1=1 --" }, 'no subscription'],
  ['charge:retry', { subscription: '' }, 'no subscription for "".'],
  ['charge:retry', { customer: 'C-eve' }, 'no subscription for "C-eve".'],
  ['card:expired', { customer: 'C-nobody' }, 'no customer for "C-nobody".'],
  [
    'charge:retry',
    { subscription: 'S-1', customer: 'C-bob' },
    'no subscription for "S-1" and "C-bob".',
  ],
  [
    'card:expired',
    { subscription: 'S-1', customer: 'C-bob' },
    'no subscription for "S-1" and "C-bob".',
  ],
])('%s about %j is refused', async (name, subject, message) => {
  await expect(occasionOf(name, subject)).rejects.toThrow(message);
});

test('a named subscription is not made up where there is no test gateway yet', () => {
  const options = { name: 'charge:retry', path: '/nowhere', clock, seed: 's' } as const;
  expect(() => sampleOccasion({ ...options, subject: { subscription: 'S-1' } })).toThrow('S-1');
  expect(sampleOccasion(options).subscription?.reference).toBe('SUB-SAMPLE-1');
});

test('a sample has the time of the test gateway', async () => {
  const file = await fill();
  const store = openState({ path: file, clock });
  for await (const _ of advance({ store, clock, to: new Date('2031-05-06T00:00:00Z') }));
  store.close();
  const occasion = sampleOccasion({ name: 'charge:successful', path: file, clock, seed: 's' });
  expect(occasion).toHaveProperty('purchase.transaction_date', '2031-05-06T00:00:00+00:00');
});
