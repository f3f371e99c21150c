/**
 * Webhooks that nobody confirmed: forged ones choose nothing that a request changes, true ones do after a look-up.
 *
 * Ada and Eve each have a customer, a subscription and charges at the test gateway. What a forger posts is about Ada
 * by its words, and about Eve by its ids, since a forger may know everything about Eve.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { openState } from '../../../../src/emulator/state.ts';
import type { NewEvent } from '../../../../src/events/event.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { runCommand } from '../../../helpers/cli.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { newEvent } from '../../events/support.ts';

const REFUND = ['--amount', '100', '--reference', 'G'];

interface Person {
  customer: JsonObject;
  subscription: JsonObject;
  /** The charges, the oldest first. */
  charges: JsonObject[];
  /** A purchase of their own, by the token of their card. */
  bought: JsonObject;
}

let template: string;
let ada: Person;
let eve: Person;

async function gw(home: string, args: readonly string[]) {
  const env = { GW_PROFILE: 'local' };
  return runCommand('oclif', args, { home, env, now: '2026-03-12T12:00:00Z' });
}

async function json<Answer = JsonObject>(home: string, args: readonly string[]): Promise<Answer> {
  const { failure, stdout } = await gw(home, [...args, '--json']);
  if (failure) throw failure;
  return JSON.parse(stdout);
}

async function enrolled(home: string, name: string): Promise<Omit<Person, 'charges'>> {
  const low = name.toLowerCase();
  const customer = await json(home, [
    ...[
      'customer',
      'create',
      '--first-name',
      name,
      '--last-name',
      'Byron',
      '--reference',
      `C-${name}`,
    ],
    ...['--email', `${low}@example.com`, '--test-card', 'approved', '--expiry-date', '12/2030'],
  ]);
  const { id } = customer;
  const subscription = await json(home, [
    ...[
      'subscription',
      'create',
      '--customer',
      String(id),
      '--plan',
      'GOLD',
      '--reference',
      `SUB-${name}`,
    ],
    ...['--frequency', 'Daily', '--start-date', '2026-03-10', '--is-active'],
  ]);
  const whole = await json(home, ['customer', 'get', String(id)]);
  const bought = await json(home, [
    ...['purchase', 'create', '--card-token', String(whole.card_token), '--amount', '900'],
    ...['--currency', 'AUD', '--reference', `INV-${name}`],
  ]);
  return { customer: whole, subscription, bought };
}

/** Leaves a machine that has never seen the gateway. */
function forget(home: string): void {
  const state = path.join(home, '.local/state/gw');
  for (const name of readdirSync(state))
    if (/^(?:ledger|seen)/.test(name)) rmSync(path.join(state, name));
}

beforeAll(async () => {
  template = mkdtempSync(path.join(tmpdir(), 'gw-hearsay-'));
  await gw(template, ['emulator', 'reset', '--clock', '2026-03-10']);
  const plan = ['--name', 'Gold', '--reference', 'GOLD', '--description', 'Daily'];
  await json(template, ['plan', 'create', ...plan, '--amount', '2500']);
  const people = { Ada: await enrolled(template, 'Ada'), Eve: await enrolled(template, 'Eve') };
  await gw(template, ['emulator', 'advance', '2d']);
  const chargesOf = async (name: string) => {
    const ids = atGateway(
      template,
      `SELECT id FROM purchases WHERE reference = 'SUB-${name}'
      ORDER BY transaction_date`,
    ) as { id: string }[];
    return Promise.all(ids.map(({ id }) => json(template, ['purchase', 'get', id])));
  };
  ada = { ...people.Ada, charges: await chargesOf('Ada') };
  eve = { ...people.Eve, charges: await chargesOf('Eve') };
  expect([ada.charges.length, eve.charges.length]).toEqual([2, 2]);
  forget(template);
}, 60_000);

afterAll(() => rmSync(template, { recursive: true, force: true }));

function machine(): string {
  const home = temporaryDirectory();
  cpSync(template, home, { recursive: true });
  return home;
}

const LATER = '2026-03-28T00:00:00+00:00';
const personOf = ({ customer }: Person) => {
  const { id, email, first_name, last_name, reference } = customer;
  return { id: id ?? null, email: email ?? null, first_name, last_name, reference } as JsonObject;
};
const subscriptionOf = ({ subscription }: Person, customer: JsonObject): JsonObject => {
  const { id, frequency, start_date, end_date, reference } = subscription;
  return { id, frequency, start_date, end_date, reference, customer } as JsonObject;
};
const charged = (subscription: JsonObject, purchase: JsonObject) => ({
  event: 'charge:successful',
  payload: [
    { subscription, response: { successful: true, response: purchase, errors: [], test: true } },
  ],
});

/** Ada by name, email and reference, Eve by her id. */
const mask = () => ({ ...personOf(ada), id: eve.customer.id ?? null });
const [first, last] = [0, 1];

/** What a forger may post, to have Eve's money go to whom Ada's is meant for. */
const FORGERIES: Record<string, () => JsonObject> = {
  "Ada's subscription, Eve's charge": () =>
    charged(subscriptionOf(ada, personOf(ada)), { ...eve.charges[last], transaction_date: LATER }),
  "Ada's subscription, Eve's charge under Ada's reference": () =>
    charged(subscriptionOf(ada, personOf(ada)), {
      ...eve.charges[last],
      ...{ transaction_date: LATER, reference: 'SUB-Ada', card_token: ada.customer.card_token },
    } as JsonObject),
  "Eve's subscription, as if it were Ada's": () =>
    charged(subscriptionOf(eve, personOf(ada)), { ...eve.charges[last], transaction_date: LATER }),
  "Eve's subscription and customer, with Ada's email": () =>
    charged(subscriptionOf(eve, mask()), { ...eve.charges[last], transaction_date: LATER }),
  "Eve's own purchase as a charge of Ada's subscription": () =>
    charged(subscriptionOf(ada, personOf(ada)), { ...eve.bought, transaction_date: LATER }),
  "Eve's own purchase with Ada's card": () =>
    charged(
      subscriptionOf(ada, { ...personOf(ada), card_token: eve.customer.card_token ?? null }),
      {
        ...eve.bought,
        transaction_date: LATER,
      } as JsonObject,
    ),
  "an older charge of Ada's as the last one": () =>
    charged(subscriptionOf(ada, personOf(ada)), { ...ada.charges[first], transaction_date: LATER }),
  'a purchase that does not exist': () =>
    charged(subscriptionOf(ada, personOf(ada)), {
      ...eve.charges[last],
      ...{ id: '071-P-NOSUCH01', transaction_date: LATER },
    } as JsonObject),
  "Eve's customer under Ada's email": () => ({ event: 'card:expiring', payload: [mask()] }),
  "Eve's subscription under Ada's reference": () => ({
    event: 'charge:pending',
    payload: [{ ...subscriptionOf(eve, mask()), reference: 'SUB-Ada' }],
  }),
  "Eve's subscription under Ada's name": () => ({
    event: 'charge:pending',
    payload: [subscriptionOf(eve, mask())],
  }),
  "Eve's subscription as another one of Ada's": () => ({
    event: 'charge:pending',
    payload: [subscriptionOf(eve, personOf(ada))],
  }),
};

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
    ...['--frequency', 'Daily', '--reference', 'NEW', '--start-date', '2026-06-01', '--is-active'],
  ],
  ['subscription', 'stop', 'ada@example.com'],
  ['subscription', 'stop', 'SUB-Ada'],
  ['subscription', 'update', 'C-Ada', '--no-is-active'],
  ['subscription', 'move', 'ada@example.com', '--plan', 'GOLD', '--new-reference', 'MOVED'],
];

async function received(
  home: string,
  bodies: readonly Json[],
  change: Partial<NewEvent> = {},
): Promise<void> {
  const store = new EventFile(path.join(home, '.local/state/gw/ledger.db'));
  for (const body of bodies) await store.append(newEvent(body, { profile: 'local', ...change }));
  await store.close();
}

/** @returns rows of the test gateway's own tables */
function atGateway(home: string, query: string): Json {
  const store = openState({
    path: path.join(home, '.local/state/gw/emulator.db'),
    clock: { now: () => new Date('2026-03-12T12:00:00Z') },
  });
  try {
    return store.read((tx) => tx.all(query));
  } finally {
    store.close();
  }
}

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

async function look(home: string, person: Person): Promise<void> {
  for (const { id } of [person.customer, ...person.charges]) await json(home, ['get', String(id)]);
  await json(home, ['subscription', 'get', String(person.subscription.reference)]);
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

/** The true charges of both, as the gateway would tell of them. */
const truth = () =>
  [ada, eve].flatMap((person) =>
    person.charges.map((charge) => charged(subscriptionOf(person, personOf(person)), charge)),
  );

test.each(WRITES.filter(([, , name]) => name !== '#1').map((write) => [write.join(' '), write]))(
  'true webhooks are enough for %s, after the gateway confirms them',
  async (_, write) => {
    const home = machine();
    await received(home, truth());
    const before = ofEve(home);
    const { failure, stderr } = await gw(home, write);
    expect(failure?.message).toBeUndefined();
    expect(ofEve(home)).toBe(before);
    const { id } = ada.charges[last] ?? {};
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
  await json(home, ['get', String(ada.charges[first]?.id)]);
  await received(home, truth());
  await gw(home, ['refund', 'create', '--last-of', 'ada@example.com', ...REFUND]);
  expect(atGateway(home, 'SELECT purchase FROM refunds')).toEqual([
    { purchase: ada.charges[last]?.id },
  ]);
});

test.each<[string, Partial<NewEvent>]>([
  ['that a password came with', { authentication: 'basic' }],
  ['that the gateway confirmed', { verification: { state: 'verified', reason: '' } }],
])('a webhook %s is believed without a look-up', async (_, change) => {
  const home = machine();
  await received(home, truth(), change);
  const { stderr } = await gw(home, ['refund', 'create', '#2', ...REFUND, '--dry-run']);
  expect(stderr).toContain(`#2 is the number of an event about purchase ${ada.charges[last]?.id}.`);
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
  const { failure } = await gw(home, ['forget', 'ada@example.com', '--yes', '--no-input']);
  expect(failure).toMatchObject({ code: 'person-only-heard' });
});
