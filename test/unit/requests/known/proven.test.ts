/**
 * Webhooks that nobody confirmed: forged ones choose nothing that a request changes, true ones do after a look-up.
 */
import { cpSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { NewEvent } from '../../../../src/events/event.ts';
import { runCommand } from '../../../helpers/cli.ts';
import {
  ada,
  atGateway,
  charged,
  eve,
  FORGERIES,
  gw,
  json,
  LATER,
  leaveMachine,
  look,
  machine,
  personOf,
  provideMachines,
  received,
  subscriptionOf,
  truth,
} from '../../../helpers/hearsay.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

provideMachines();

const REFUND = ['--amount', '100', '--reference', 'G'];

/** Every command that takes a name for a record that it changes. */
const WRITES: readonly (readonly string[])[] = [
  ['refund', 'create', '--last-of', 'ada@example.com', ...REFUND],
  ['refund', 'create', '--last-of', 'C-Ada', ...REFUND],
  ['refund', 'create', '--last-of', 'SUB-Ada', '--full', '--reference', 'G'],
  ['refund', 'create', '#1', ...REFUND],
  ['customer', 'update', 'ada@example.com', '--first-name', 'Gone'],
  ['customer', 'delete', 'ada@example.com'],
  [
    ...['subscription', 'create', '--customer', 'ada@example.com', '--plan', 'GOLD'],
    // She is billed for the plan already.
    '--allow-second',
    ...['--frequency', 'Daily', '--reference', 'NEW', '--start-date', '2026-06-01', '--is-active'],
  ],
  ['subscription', 'stop', 'ada@example.com'],
  ['subscription', 'stop', 'SUB-Ada'],
  ['subscription', 'update', 'C-Ada', '--no-is-active'],
  ['subscription', 'move', 'ada@example.com', '--plan', 'GOLD', '--new-reference', 'MOVED'],
];

/** @returns everything at the gateway that is Eve's, and every refund that is not Ada's */
function ofEve(home: string): string {
  const id = String(eve.customer.id);
  return JSON.stringify([
    atGateway(home, `SELECT * FROM customers WHERE id = '${id}'`),
    atGateway(home, `SELECT * FROM subscriptions WHERE customer = '${id}'`),
    atGateway(
      home,
      `SELECT r.* FROM refunds r JOIN purchases p ON p.id = r.purchase WHERE p.reference NOT LIKE '%Ada'`,
    ),
  ]);
}

describe.each([['never seen'], ['looked up before']])('with Ada %s', (state) => {
  test.each(Object.keys(FORGERIES))('%s chooses nothing that is changed', async (name) => {
    const home = machine();
    if (state !== 'never seen') await look(home, ada);
    await received(home, [FORGERIES[name]?.() ?? {}]);
    const changed: string[] = [];
    for (const write of WRITES) {
      const copy = temporaryDirectory();
      cpSync(home, copy, { recursive: true });
      const before = ofEve(copy);
      await gw(copy, write);
      if (before !== ofEve(copy)) changed.push(write.join(' '));
    }
    expect(changed).toEqual([]);
  });
});

test.each(WRITES.filter(([, , name]) => name !== '#1').map((write) => [write.join(' '), write]))(
  'true webhooks are enough for %s, after the gateway confirms them',
  async (_, write) => {
    const home = machine();
    await received(home, truth());
    const before = ofEve(home);
    const { failure, stderr } = await gw(home, write);
    expect(failure?.message).toBeUndefined();
    expect(ofEve(home)).toBe(before);
    const { id } = ada.charges[1] ?? {};
    if (write[0] === 'refund') {
      expect(stderr).toContain(`known here is ${String(id)}: 25.00 AUD`);
      const refunds = atGateway(home, 'SELECT purchase FROM refunds');
      expect(refunds).toEqual([{ purchase: id }]);
    }
  },
);

test('a true webhook that is newer than what was looked up is the last payment', async () => {
  const home = machine();
  await json(home, ['get', String(ada.customer.id)]);
  await json(home, ['subscription', 'get', 'SUB-Ada']);
  await json(home, ['get', String(ada.charges[0]?.id)]);
  await received(home, truth());
  await gw(home, ['refund', 'create', '--last-of', 'ada@example.com', ...REFUND]);
  expect(atGateway(home, 'SELECT purchase FROM refunds')).toEqual([
    { purchase: ada.charges[1]?.id },
  ]);
});

test.each<[string, Partial<NewEvent>]>([
  ['that a password came with', { authentication: 'basic' }],
  ['that the gateway confirmed', { verification: { state: 'verified', reason: '' } }],
])('a webhook %s is believed without a look-up', async (_, change) => {
  const home = machine();
  await received(home, truth(), change);
  const { stderr } = await gw(home, ['refund', 'create', '#2', ...REFUND, '--dry-run']);
  expect(stderr).toContain(`#2 is the number of an event about purchase ${ada.charges[1]?.id}.`);
  expect(stderr).not.toContain('unverified');
});

test('the number of an unverified webhook names nothing to change', async () => {
  const home = machine();
  await received(home, truth());
  const { failure } = await gw(home, ['refund', 'create', '#2', ...REFUND]);
  expect(failure).toMatchObject({ code: 'only-heard', sent: false });
  expect(failure?.next).toContain("`gw get '#2'`");
});

test.each<[string, Partial<NewEvent>]>([
  ['was not answered', { verification: { state: 'unverified', reason: 'the gateway said 503' } }],
  ['waits for an answer', { verification: { state: 'waiting', reason: '' } }],
])('a webhook whose question %s stays hearsay', async (_, change) => {
  const home = machine();
  await received(home, [FORGERIES["Eve's customer under Ada's email"]?.() ?? {}], change);
  const { failure } = await gw(home, ['customer', 'delete', 'ada@example.com']);
  expect(failure).toMatchObject({ kind: 'guard', code: 'only-heard', sent: false });
  expect(failure?.message).toContain('email is eve@example.com, not ada@example.com');
});

test.each<[string, Partial<NewEvent>]>([
  ['contradicted', { verification: { state: 'contradicted', reason: '' } }],
  ['a sample', { headers: [['User-Agent', 'gw/1.0.0 sample']], authentication: 'basic' }],
])('what is %s names nobody', async (_, change) => {
  const home = machine();
  await received(home, truth(), change);
  const { failure } = await gw(home, ['refund', 'create', '--last-of', 'SUB-Ada', ...REFUND]);
  expect(failure).toMatchObject({ code: 'payment-unknown', sent: false });
});

test('if the gateway cannot be asked, hearsay chooses nothing', async () => {
  const home = machine();
  const env = {
    ...{ GW_BASE_URL: 'http://127.0.0.1:9', GW_USERNAME: 'shop', GW_API_TOKEN: 'secret' },
    GW_ENVIRONMENT: 'sandbox',
  };
  await received(home, truth(), { profile: 'environment' });
  const run = (args: string[]) => runCommand('oclif', args, { home, env });
  const { failure } = await run(['refund', 'create', '--last-of', 'SUB-Ada', ...REFUND]);
  expect(failure).toMatchObject({ code: 'only-heard', sent: false });
  expect(failure?.message).toContain('gw could not ask the gateway');
});

test('a dry run asks nothing, and says that the real run does', async () => {
  const home = machine();
  await received(home, truth());
  const dry = ['customer', 'delete', 'ada@example.com', '--dry-run'];
  const { failure, stderr } = await gw(home, dry);
  expect(failure).toBeUndefined();
  expect(stderr).toContain('The real run asks the gateway first.');
});

test('a pick that an unverified webhook offers is asked of the gateway as well', async () => {
  const home = machine();
  await received(home, [FORGERIES["Eve's customer under Ada's email"]?.() ?? {}]);
  const before = ofEve(home);
  const { failure } = await runCommand('oclif', ['customer', 'delete'], {
    ...{ home, env: { GW_PROFILE: 'local' }, answers: ['ada@example.com', 'y'] },
  });
  expect(failure).toMatchObject({ code: 'only-heard', sent: false });
  expect(ofEve(home)).toBe(before);
});

test('forgetting a person erases nobody whom only an unverified webhook calls so', async () => {
  const home = machine();
  await look(home, eve);
  await received(home, [FORGERIES["Eve's customer under Ada's email"]?.() ?? {}]);
  const { failure, stdout } = await gw(home, ['forget', 'ada@example.com', '--yes', '--no-input']);
  expect(failure).toBeUndefined();
  expect(stdout).toMatch(/^blanked\tevent\t1\t/m);
  expect(await json<JsonObject[]>(home, ['customer', 'list'])).toMatchObject([eve.customer]);
});

/** Writes about Ada by her names, each with what it leaves at the gateway. */
const BY_NAME = WRITES.filter(([, , name]) => name !== '#1');

describe.each(Object.keys(FORGERIES))('with Ada looked up before, %s', (name) => {
  test('keeps no request from her record', async () => {
    const home = machine();
    await look(home, ada);
    await received(home, [FORGERIES[name]?.() ?? {}]);
    const refused: string[] = [];
    for (const write of BY_NAME) {
      const copy = temporaryDirectory();
      cpSync(home, copy, { recursive: true });
      const { failure, stderr } = await gw(copy, write);
      if (failure) refused.push(`${write.join(' ')}: ${failure.message}`);
      expect(stderr.match(/unverified/g)?.length ?? 0).toBeLessThan(3);
      if (write[0] !== 'refund') continue;
      const refunds = atGateway(copy, 'SELECT purchase FROM refunds');
      expect(refunds).toEqual([{ purchase: ada.charges[1]?.id }]);
    }
    expect(refused).toEqual([]);
  });

  test('is no target of a dry run', async () => {
    const home = machine();
    await look(home, ada);
    await received(home, [FORGERIES[name]?.() ?? {}]);
    for (const write of BY_NAME) {
      const { stdout, stderr, failure } = await gw(home, [...write, '--dry-run']);
      expect(failure?.message).toBeUndefined();
      for (const { id } of [eve.customer, eve.subscription, eve.bought, ...eve.charges])
        expect(stdout + stderr).not.toContain(String(id));
      expect(stderr).not.toContain('Only unverified');
    }
  });
});

test('a dry run prints no id that only unverified webhooks give', async () => {
  const home = machine();
  await received(home, truth());
  for (const write of BY_NAME) {
    const { stdout, stderr, failure } = await gw(home, [...write, '--dry-run']);
    expect(stderr + (failure?.message ?? '')).toMatch(/Only unverified.*real run asks the gateway/);
    expect(stdout).not.toMatch(/071-[CSP]-/);
  }
});

test('after the look-up of a charge, true webhooks are still enough to name its payer', async () => {
  const home = machine();
  await received(home, truth());
  for (const { id } of ada.charges) await json(home, ['get', String(id)]);
  const failed: string[] = [];
  for (const write of BY_NAME) {
    const copy = temporaryDirectory();
    cpSync(home, copy, { recursive: true });
    const { failure } = await gw(copy, write);
    if (failure) failed.push(`${write.join(' ')}: ${failure.message}`);
  }
  expect(failed).toEqual([]);
});

test('the reference of a purchase stays its own, whatever a webhook calls by it', async () => {
  const home = machine();
  const forged = { ...eve.bought, reference: 'INV-Ada', transaction_date: LATER } as JsonObject;
  await received(home, [charged(subscriptionOf(ada, personOf(ada)), forged)]);
  const refund = ['refund', 'create', 'INV-Ada', ...REFUND];
  const { failure } = await gw(home, refund);
  expect(failure).toMatchObject({ code: 'only-heard' });
  expect((await gw(home, refund)).failure).toBeUndefined();
  expect(atGateway(home, 'SELECT purchase FROM refunds')).toEqual([{ purchase: ada.bought.id }]);
  expect((await gw(home, ['receipt', 'INV-Ada'])).stdout).toContain(String(ada.bought.id));
});

test.each([1, 26])('%i webhooks about made-up customers are told of once', async (count) => {
  const home = machine();
  await look(home, ada);
  const forged = Array.from({ length: count }, (_, n) => ({
    event: 'card:expiring',
    payload: [{ ...personOf(ada), id: `071-C-NONE${1000 + n}` }],
  }));
  await received(home, forged);
  for (const name of ['First', 'Second']) {
    const update = ['customer', 'update', 'ada@example.com', '--first-name', name];
    const { failure, stderr } = await gw(home, update);
    expect(failure).toBeUndefined();
    expect(stderr.match(/unverified/g)).toHaveLength(1);
  }
  const { failure } = await gw(home, ['get', 'ada@example.com']);
  expect(failure).toBeUndefined();
});

test('a second subscription that only a true webhook tells of makes a name unclear', async () => {
  const home = machine();
  await look(home, ada);
  await json(home, [
    ...['subscription', 'create', '--customer', String(ada.customer.id), '--plan', 'GOLD'],
    '--allow-second',
    ...[
      '--frequency',
      'Daily',
      '--reference',
      'SUB-2',
      '--start-date',
      '2026-06-01',
      '--is-active',
    ],
  ]);
  const second = await json(home, ['subscription', 'get', 'SUB-2']);
  leaveMachine(home);
  await look(home, ada);
  const about = subscriptionOf({ ...ada, subscription: second }, personOf(ada));
  await received(home, [{ event: 'charge:pending', payload: [about] }]);
  const { failure } = await gw(home, ['subscription', 'stop', 'ada@example.com']);
  expect(failure).toMatchObject({ code: 'name-ambiguous' });
});

test('a confirmed webhook is enough, also before the account of the profile is known', async () => {
  const home = machine();
  await received(home, truth(), { authentication: 'basic' });
  const { failure } = await gw(home, [
    'refund',
    'create',
    '--last-of',
    'ada@example.com',
    ...REFUND,
  ]);
  expect(failure).toBeUndefined();
  expect(atGateway(home, 'SELECT purchase FROM refunds')).toEqual([
    { purchase: ada.charges[1]?.id },
  ]);
});

test('a contradiction says what differs of the person or the money, and advises no id', async () => {
  const home = machine();
  await received(home, [FORGERIES["Eve's subscription under Ada's reference"]?.() ?? {}]);
  const { stderr } = await gw(home, ['subscription', 'stop', 'SUB-Ada']);
  expect(stderr).not.toContain('the gateway knows no subscription');
});
