/**
 * A machine whose test gateway knows Ada and Eve, each with a customer, a subscription, its charges, and a purchase by the
 * token of their card; and what a forger posts: about Ada by its words, and about Eve by its ids, since a forger may know
 * everything about Eve.
 */

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { openState } from '../../src/emulator/state.ts';
import type { NewEvent } from '../../src/events/event.ts';
import { EventFile } from '../../src/events/store/event-file.ts';
import { allRows } from '../../src/store/sql.ts';
import { newEvent } from '../unit/events/support.ts';
import { runCommand } from './cli.ts';
import { temporaryDirectory } from './temporary.ts';

export interface Person {
  customer: JsonObject;
  subscription: JsonObject;
  /** The charges, the oldest first. */
  charges: JsonObject[];
  /** A purchase of their own, by the token of their card. */
  bought: JsonObject;
}

let template: string;
export let ada: Person;
export let eve: Person;

export async function gw(home: string, args: readonly string[]) {
  const env = { GW_PROFILE: 'local' };
  return runCommand('oclif', args, { home, env, now: '2026-03-12T12:00:00Z' });
}

export async function json<Answer = JsonObject>(
  home: string,
  args: readonly string[],
): Promise<Answer> {
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
    ...['--email', `${low}@example.com`, '--expiry-date', '12/2030'],
    // Each has a card of their own, so no token ties one to the other.
    ...['--test-card', name === 'Ada' ? 'approved' : 'approved-visa'],
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
export function leaveMachine(home: string): void {
  const state = path.join(home, '.local/state/gw');
  for (const name of readdirSync(state))
    if (/^(?:ledger|seen)/.test(name)) rmSync(path.join(state, name));
}

/** Makes the gateway that `machine` copies, and removes it after the tests of the file that calls this. */
export function provideMachines(): void {
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
    leaveMachine(template);
  }, 60_000);
  afterAll(() => rmSync(template, { recursive: true, force: true }));
}

export function machine(): string {
  const home = temporaryDirectory();
  cpSync(template, home, { recursive: true });
  return home;
}

export const LATER = '2026-03-28T00:00:00+00:00';
export const personOf = ({ customer }: Person) => {
  const { id, email, first_name, last_name, reference } = customer;
  return { id: id ?? null, email: email ?? null, first_name, last_name, reference } as JsonObject;
};
export const subscriptionOf = ({ subscription }: Person, customer: JsonObject): JsonObject => {
  const { id, frequency, start_date, end_date, reference } = subscription;
  return { id, frequency, start_date, end_date, reference, customer } as JsonObject;
};
export const charged = (subscription: JsonObject, purchase: JsonObject) => ({
  event: 'charge:successful',
  payload: [
    { subscription, response: { successful: true, response: purchase, errors: [], test: true } },
  ],
});

/** Ada by name, email and reference, Eve by her id. */
const mask = () => ({ ...personOf(ada), id: eve.customer.id ?? null });
const [first, last] = [0, 1];

/** What a forger may post, to have Eve's money go to whom Ada's is meant for. */
export const FORGERIES: Record<string, () => JsonObject> = {
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

export async function received(
  home: string,
  bodies: readonly Json[],
  change: Partial<NewEvent> = {},
): Promise<void> {
  const store = new EventFile(path.join(home, '.local/state/gw/ledger.db'));
  for (const body of bodies) await store.append(newEvent(body, { profile: 'local', ...change }));
  await store.close();
}

/** @returns rows of the test gateway's own tables */
export function atGateway(home: string, query: string): Json {
  const store = openState({
    path: path.join(home, '.local/state/gw/emulator.db'),
    clock: { now: () => new Date('2026-03-12T12:00:00Z') },
  });
  try {
    return store.read((tx) => tx.do(allRows(query)));
  } finally {
    store.close();
  }
}

export async function look(home: string, person: Person): Promise<void> {
  for (const { id } of [person.customer, ...person.charges]) await json(home, ['get', String(id)]);
  await json(home, ['subscription', 'get', String(person.subscription.reference)]);
}

/** The true charges of both, as the gateway would tell of them. */
export const truth = () =>
  [ada, eve].flatMap((person) =>
    person.charges.map((charge) => charged(subscriptionOf(person, personOf(person)), charge)),
  );
