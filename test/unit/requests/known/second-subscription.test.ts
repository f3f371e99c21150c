/** Nobody is billed twice for one plan without a word, by whatever door. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  ada,
  atGateway,
  charged,
  eve,
  gw,
  json,
  leaveMachine,
  look,
  machine,
  personOf,
  provideMachines,
  received,
  subscriptionOf,
} from '../../../helpers/hearsay.ts';

provideMachines();

const create = (reference: string, plan = 'GOLD', customer = String(ada.customer.id)) => [
  ...['subscription', 'create', '--customer', customer, '--plan', plan],
  ...['--frequency', 'Daily', '--reference', reference],
];
const SILVER = ['--reference', 'SILVER', '--name', 'Silver', '--description', 'x'];

/** A machine that has seen Ada, her active subscription SUB-Ada, and the plans GOLD and SILVER. */
async function seen(): Promise<string> {
  const home = machine();
  await look(home, ada);
  await json(home, ['plan', 'create', ...SILVER, '--amount', '100']);
  await json(home, ['plan', 'get', 'GOLD']);
  return home;
}

function csv(home: string, ...rows: string[]): string {
  const file = path.join(home, 'lines.csv');
  writeFileSync(file, `customer,plan,frequency,reference,is_active\n${rows.join('\n')}\n`);
  return file;
}

/** @returns how many subscriptions to GOLD bill Ada */
const billing = (home: string) =>
  atGateway(
    home,
    `SELECT s.reference FROM subscriptions s JOIN plans p ON p.id = s.plan
      WHERE s.customer = '${String(ada.customer.id)}' AND p.reference = 'GOLD' AND s.is_active = 1`,
  );

const planId = () => String(ada.subscription.plan);

/** Each bills Ada a second time for GOLD. */
const SECONDS: Record<string, (home: string) => Promise<string[]> | string[]> = {
  'a creation': () => create('NEW'),
  'a creation with the id of the plan': () => create('NEW', planId()),
  'a creation for the email of the customer': () => create('NEW', 'GOLD', 'ada@example.com'),
  'a creation that says it is active': () => [...create('NEW'), '--is-active'],
  'a resume of one that was stopped': async (home) => {
    await json(home, [...create('OLD'), '--no-is-active']);
    return ['subscription', 'resume', 'OLD'];
  },
  'an update of one that was stopped': async (home) => {
    await json(home, [...create('OLD'), '--no-is-active']);
    return ['subscription', 'update', 'OLD', '--is-active'];
  },
  'a line of a batch': (home) => [
    ...['subscription', 'batch'],
    csv(home, `${String(ada.customer.id)},GOLD,Daily,NEW,`),
  ],
  'a line of a batch with the id of the plan': (home) => [
    ...['subscription', 'batch'],
    csv(home, `${String(ada.customer.id)},${planId()},Daily,NEW,true`),
  ],
};

describe('with an active subscription to the plan', () => {
  test.each(Object.entries(SECONDS))('%s is refused, in a dry run too', async (_, argsOf) => {
    const home = await seen();
    const args = await argsOf(home);
    for (const more of [['--dry-run'], []]) {
      const { failure, stdout } = await gw(home, [...args, ...more]);
      expect(failure?.code).toMatch(/^(second-subscription|batch-incomplete)$/);
      expect(`${failure?.message} ${failure?.next} ${stdout}`).toMatch(
        `${String(ada.customer.id)} has an active subscription to ${planId()}: SUB-Ada (${String(ada.subscription.id)}).`,
      );
      expect(`${failure?.next} ${stdout}`).toContain('--allow-second');
    }
    expect(billing(home)).toEqual([{ reference: 'SUB-Ada' }]);
    expect((await gw(home, [...args, '--allow-second'])).failure).toBeUndefined();
    expect(billing(home)).toHaveLength(2);
  });
});

/** None of these bills Ada a second time for GOLD. */
const OTHERS: Record<string, (home: string) => Promise<string[]> | string[]> = {
  'another plan': () => create('NEW', 'SILVER'),
  'another customer': () => create('NEW', 'GOLD', String(eve.customer.id)),
  'one that is not billed': () => [...create('NEW'), '--no-is-active'],
  'one after the other was stopped': async (home) => {
    await json(home, ['subscription', 'stop', 'SUB-Ada']);
    return create('NEW');
  },
  'one after the other was moved': async (home) => {
    await json(home, ['subscription', 'move', 'SUB-Ada', '--plan', 'SILVER']);
    return create('NEW');
  },
  'a move': () => ['subscription', 'move', 'SUB-Ada', '--plan', 'SILVER'],
  'a move to the same plan': () => [
    ...['subscription', 'move', 'SUB-Ada', '--plan', 'GOLD', '--new-reference', 'AGAIN'],
  ],
  'a resume of the only one': async (home) => {
    await json(home, ['subscription', 'stop', 'SUB-Ada']);
    return ['subscription', 'resume', 'SUB-Ada'];
  },
  'a resume of the one that is active': () => ['subscription', 'resume', 'SUB-Ada'],
  'one after the other ended': async (home) => {
    await json(home, ['subscription', 'stop', 'SUB-Ada']);
    await json(home, [...create('SHORT'), '--end-date', '2026-03-13']);
    await gw(home, ['emulator', 'advance', '3d']);
    await json(home, ['subscription', 'get', 'SHORT']);
    return create('NEW');
  },
  'lines of other customers and plans': (home) => [
    ...['subscription', 'batch'],
    csv(
      home,
      `${String(ada.customer.id)},SILVER,Daily,N-1,`,
      `${String(eve.customer.id)},SILVER,Daily,N-2,`,
      `${String(ada.customer.id)},GOLD,Daily,N-3,false`,
    ),
  ],
};

test.each(Object.entries(OTHERS))('%s is no second one', async (_, argsOf) => {
  const home = await seen();
  expect((await gw(home, await argsOf(home))).failure).toBeUndefined();
});

test('a resume of one that was moved is refused, because the other took its place', async () => {
  const home = await seen();
  const move = ['subscription', 'move', 'SUB-Ada', '--plan', 'GOLD', '--new-reference', 'AGAIN'];
  await json(home, move);
  const { failure } = await gw(home, ['subscription', 'resume', 'SUB-Ada']);
  expect(failure?.message).toMatch(/has an active subscription to .*: AGAIN \(071-S-/);
});

test('of two lines for one customer and plan the first is sent, in every run', async () => {
  const home = await seen();
  await json(home, ['subscription', 'stop', 'SUB-Ada']);
  const row = `${String(ada.customer.id)},GOLD,Daily`;
  const batch = ['subscription', 'batch', csv(home, `${row},N-1,`, `${row},N-2,`)];
  const first = await gw(home, batch);
  expect(first.stdout).toContain('Line 2 bills the same customer for this plan.');
  expect(first.stderr).toContain('1 done, 1 refused here');
  const again = await gw(home, batch);
  expect(again.stdout).toContain('N-1 (071-S-');
  expect(again.stderr).toContain('1 done (earlier), 1 refused here');
  expect(billing(home)).toEqual([{ reference: 'N-1' }]);
  expect((await gw(home, [...batch, '--allow-second'])).stderr).toContain('2 done (1 of them');
});

test('the same creation again is a duplicate, and no second one', async () => {
  const home = await seen();
  await json(home, create('NEW', 'SILVER'));
  const { failure } = await gw(home, create('NEW', 'SILVER'));
  expect(failure).toMatchObject({ code: 'duplicate-request', state: 'done' });
  await json(home, [...create('MORE', 'SILVER'), '--allow-second']);
  expect((await gw(home, create('NEW', 'SILVER'))).failure?.code).toBe('duplicate-request');
});

describe('an unverified webhook', () => {
  const told = (person: typeof ada, more: object) =>
    charged(
      { ...subscriptionOf(person, personOf(ada)), plan: 'SILVER', ...more } as JsonObject,
      { ...ada.charges[0], transaction_date: '2026-03-12T00:00:00+00:00' } as JsonObject,
    );

  test('of one that does not exist refuses nothing', async () => {
    const home = await seen();
    await received(home, [told(ada, { id: '071-S-NOSUCH01', reference: 'NOSUCH' })]);
    const { failure, stderr } = await gw(home, create('NEW', 'SILVER'));
    expect(failure).toBeUndefined();
    expect(stderr).toContain('gw ignores an unverified webhook');
  });

  test('of one that the gateway confirms refuses', async () => {
    const home = await seen();
    const made = await json(home, [...create('TRUE', 'SILVER')]);
    leaveMachine(home);
    await json(home, ['plan', 'get', 'SILVER']);
    const { id, frequency, start_date, end_date, reference } = made;
    await received(home, [told(ada, { id, frequency, start_date, end_date, reference })]);
    const { failure } = await gw(home, create('NEW', 'SILVER'));
    expect(failure?.message).toContain('TRUE');
    expect(failure?.code).toBe('second-subscription');
  });
});
