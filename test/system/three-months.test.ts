/** The example of docs/webhooks.md: what a merchant's system receives over the next three months. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CardBehaviour, TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import { parseFault } from '../../src/contract/faults.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const SEED = path.resolve('docs/three-months.json');

interface Delivery {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects
  payload: any[];
}

async function openReceiver(): Promise<{ url: string; received: Delivery[] }> {
  const received: Delivery[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    expect(request.headers['x-service-mode']).toBe('Sandbox');
    received.push(JSON.parse(body));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

test('a merchant receives three months of events in order', async () => {
  const { url, received } = await openReceiver();
  const home = temporaryDirectory();
  const gw = async (...args: string[]): Promise<Ended> => {
    const env = { PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local' };
    const ended = await run(process.execPath, [PROGRAM, ...args], { env });
    expect(ended.code, ended.stderr).toBe(0);
    return ended;
  };
  await gw('emulator', 'reset', '--seed', SEED);
  expect((await gw('emulator', 'hooks', 'add', url)).stdout).toBe('1\n');
  const advanced = await gw('emulator', 'advance', '3m', '-o', 'jsonl');

  const days = advanced.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(days).toHaveLength(90);
  expect(days[0]).toEqual({
    day: '2026-01-01',
    events: {
      'charge:pending': 13,
      'charge:successful': 12,
      'charge:retry': 1,
      'charge:failed': 0,
      'card:expiring': 2,
      'card:expired': 0,
    },
    delivered: 28,
    failed: 0,
    abandoned: 0,
  });
  expect(advanced.stderr).toMatch(
    /^The clock of the test gateway is at 2026-04-01T09:00:00\.000Z\.\nOther addresses took events/,
  );

  const of = (reference: string) =>
    received.flatMap(({ event, payload: [element] }) => {
      const subscription = element.subscription ?? element;
      const customer = subscription.customer ?? element;
      if (customer.reference !== reference) return [];
      return [subscription.last_status ? `${event} ${subscription.last_status}` : event];
    });
  const daily = Array.from({ length: 90 }, () => ['charge:pending', 'charge:successful']);
  expect(of('ann')).toEqual(daily.flat());
  const failing = [
    'charge:pending',
    'charge:retry Failed (1), Pending',
    'charge:retry Failed (2), Pending',
    'charge:retry Failed (3), Pending',
    'charge:failed Failed (3), Aborted',
  ];
  expect(of('bob')).toEqual([...failing, ...failing, ...failing.slice(0, 2)]);
  expect(of('cem').filter((event) => event.startsWith('card:'))).toEqual([
    'card:expiring',
    'card:expired',
  ]);
  expect(of('cem').at(-1)).toBe('card:expired');

  const charge = received
    .filter(({ event }) => event === 'charge:failed')
    .map(({ payload: [element] }) => element)
    .find(({ subscription }) => subscription.customer.reference === 'bob');
  const purchase = await gw('purchase', 'get', charge.response.response.id, '--json');
  expect(JSON.parse(purchase.stdout)).toMatchObject({
    source: 'Recurring',
    successful: false,
    message: 'Declined',
    reference: 'bob-gold',
  });
  const subscription = await gw('subscription', 'get', 'cem-gold', '--json');
  expect(JSON.parse(subscription.stdout)).toMatchObject({ is_active: false });

  const log = await gw('emulator', 'hooks', 'log', '--limit', '10000', '-o', 'jsonl');
  const states = log.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).state);
  expect(states).toEqual(Array.from(received, () => 'delivered'));
});

test('three months have the cases of a support desk', () => {
  const [merchant] = JSON.parse(readFileSync(SEED, 'utf8')).merchants;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects
  const { customers, subscriptions }: Record<string, any[]> = merchant;
  const names = customers!.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  const cards = customers!.map(({ card }) => card.card_number);
  // A card that makes trouble, or is declined for a reason, is for those who try it.
  const isTried = (behaviour: CardBehaviour) =>
    parseFault(behaviour) !== undefined || /^(?:insufficient-funds|expired-card)$/.test(behaviour);
  const published = Object.values(TEST_CARDS).flatMap(({ card_number, behaviour }) =>
    isTried(behaviour) ? [] : card_number,
  );
  const expiring = customers!.filter(({ card }) => /^0[123]\/2026$/.test(card.expiry_date));
  const of = (reference: string) =>
    subscriptions!.filter(({ customer }) => customer === reference).length;

  expect(customers).toHaveLength(200);
  expect(twice).toEqual(['Maria Silva']);
  expect(new Set(customers!.map(({ email }) => email)).size).toBe(200);
  expect(customers!.filter(({ email }) => !/@example\.(?:com|org)$/.test(email))).toEqual([]);
  expect([...new Set(cards)].sort()).toEqual(published.sort());
  expect(expiring.length).toBeGreaterThan(10);
  expect(subscriptions!.filter(({ is_active }) => is_active === false).length).toBeGreaterThan(3);
  expect(customers!.some(({ reference }) => of(reference) === 0)).toBe(true);
  expect(customers!.some(({ reference }) => of(reference) > 2)).toBe(true);
});
