/**
 * Reading what unverified webhooks tell of: what the gateway was asked for comes first, and hearsay is marked or apart.
 * The forger writes about Ada by her names, and about Eve by her ids.
 */
import { describe, expect, test } from 'vitest';
import {
  ada,
  atGateway,
  eve,
  FORGERIES,
  gw,
  json,
  look,
  machine,
  personOf,
  provideMachines,
  received,
  subscriptionOf,
  truth,
} from '../helpers/hearsay.ts';

provideMachines();

const ofEve = () =>
  [eve.customer, eve.subscription, eve.bought, ...eve.charges].map(({ id }) => String(id));

describe.each(Object.keys(FORGERIES))('%s', (name) => {
  test.each([['never seen'], ['looked up before']])(
    'is not found as Ada, who was %s, once Eve was looked up',
    async (state) => {
      const home = machine();
      if (state !== 'never seen') await look(home, ada);
      await received(home, [FORGERIES[name]?.() ?? {}]);
      await look(home, eve);
      await json(home, ['get', String(eve.bought.id)]);
      for (const read of ['get', 'history'])
        for (const text of ['ada@example.com', 'C-Ada', 'SUB-Ada']) {
          const { stdout, stderr, failure } = await gw(home, [read, text]);
          const said = stdout + stderr + (failure?.message ?? '');
          for (const id of ofEve()) expect(`${read} ${text}: ${said}`).not.toContain(id);
          if (state !== 'never seen') expect(failure?.message).toBeUndefined();
        }
      const found = await gw(home, ['find', 'ada@example.com', '--json']);
      for (const id of ofEve()) expect(found.stdout).not.toContain(id);
    },
  );

  test('is not instead of Ada, who was looked up, before Eve is', async () => {
    const home = machine();
    await look(home, ada);
    await received(home, [FORGERIES[name]?.() ?? {}]);
    const { id } = await json(home, ['get', 'ada@example.com']);
    expect(id).toBe(ada.customer.id);
    expect(await json(home, ['get', 'SUB-Ada'])).toMatchObject({ id: ada.subscription.id });
    const items = await json<{ id: string; hearsay: boolean }[]>(home, ['history', 'SUB-Ada']);
    for (const one of items) if (ofEve().includes(one.id)) expect(one.hearsay).toBe(true);
  });
});

test('a forged name beside the one that was looked up is told of, and not chosen', async () => {
  const home = machine();
  await look(home, ada);
  await received(home, [FORGERIES["Eve's customer under Ada's email"]?.() ?? {}]);
  const { stderr, failure } = await gw(home, ['get', 'ada@example.com']);
  expect(failure).toBeUndefined();
  expect(stderr).toMatch(/[Uu]nverified webhook/);
});

// Whom gw has only heard of is not asked for by --follow, which starts from a customer.
const FOLLOWED = Object.keys(FORGERIES).filter(
  (name) => name !== "Eve's subscription and customer, with Ada's email",
);
test.each(FOLLOWED)(
  '%s: no record that the gateway shows as another’s is followed',
  async (name) => {
    const home = machine();
    await look(home, ada);
    await received(home, [FORGERIES[name]?.() ?? {}]);
    const { stdout } = await gw(home, ['get', 'ada@example.com', '--follow', '--json']);
    for (const id of ofEve()) expect(stdout).not.toContain(id);
  },
);

test('a webhook that names a subscription like a purchase or a customer keeps nobody from them', async () => {
  const home = machine();
  const named = (reference: string) => ({
    event: 'charge:pending',
    payload: [{ id: '071-S-XXXX', reference, customer: { reference: 'zz' } }],
  });
  const { reference } = ada.bought;
  await received(home, [named(String(reference)), named('C-Ada')]);
  const refund = ['refund', 'create', String(reference), '--amount', '2', '--reference', 'K1'];
  expect((await gw(home, refund)).failure?.message).toBeUndefined();
  const update = ['customer', 'update', 'C-Ada', '--last-name', 'King'];
  expect((await gw(home, update)).failure?.message).toBeUndefined();
  // The charges of a subscription have its reference.
  const other = machine();
  await json(other, ['get', String(ada.charges[0]?.id)]);
  expect((await gw(other, ['subscription', 'stop', 'SUB-Ada'])).failure?.message).toBeUndefined();
});

test('a person whom only unverified webhooks name is found by them, with a mark', async () => {
  const home = machine();
  await received(home, truth());
  await json(home, ['get', String(ada.charges[1]?.id)]);
  const { stderr, stdout } = await gw(home, ['get', 'ada@example.com', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ id: ada.customer.id });
  expect(stderr).toContain('unverified');
  const items = await json<{ what: string }[]>(home, ['history', 'ada@example.com']);
  expect(items.filter(({ what }) => what === 'charge')).toHaveLength(2);
});

test('a person who is known from hearsay alone, and unknown to the gateway, was not seen', async () => {
  const home = machine();
  await received(home, [
    {
      event: 'card:expiring',
      payload: [{ ...personOf(ada), id: '071-C-NOSUCH01', reference: 'C-X' }],
    },
  ]);
  const { failure } = await gw(home, ['get', 'C-X']);
  expect(failure?.next).not.toContain('saw it');
  expect(failure?.next).toContain('unverified webhook');
});

describe('what was heard of a subscription that was looked up', () => {
  const [retry, expired] = [
    () => {
      const subscription = {
        ...subscriptionOf(ada, personOf(ada)),
        last_status: 'Failed (2), Pending',
      };
      const purchase = { ...ada.charges[1], id: '071-P-NOSUCH01', successful: false };
      return {
        event: 'charge:retry',
        payload: [
          {
            subscription,
            response: { successful: false, response: purchase, errors: [], test: true },
          },
        ],
      };
    },
    () => ({ event: 'card:expired', payload: [personOf(ada)] }),
  ];

  const NEWER = { receivedAt: '2026-03-12T18:00:00.000Z' };

  test.each([
    ['report', 'forecast'],
    ['report', 'subscriptions'],
    ['report', 'at-risk'],
    ['subscription', 'list'],
  ])('changes nothing in %s %s', async (...words) => {
    const home = machine();
    await look(home, ada);
    const { stdout } = await gw(home, words);
    await received(home, [expired()], NEWER);
    expect((await gw(home, words)).stdout).toBe(stdout);
    await received(home, [retry()], NEWER);
    expect((await gw(home, words)).stdout).toBe(stdout);
  });

  test('does not make a stopped one active', async () => {
    const home = machine();
    await look(home, ada);
    await gw(home, ['subscription', 'stop', 'SUB-Ada']);
    await received(home, [retry()], NEWER);
    expect(await json(home, ['subscription', 'list'])).toMatchObject([
      { is_active: false, outcome: 'stopped' },
    ]);
    expect((await gw(home, ['report', 'forecast'])).stdout).not.toContain('25.00');
  });
});

test.each(['purchase', 'customer', 'subscription'])(
  'a list of each %s marks what was only heard',
  async (kind) => {
    const home = machine();
    await look(home, ada);
    await received(home, truth());
    for (const output of ['table', 'tsv']) {
      const { stdout } = await gw(home, [kind, 'list', '-o', output]);
      const lines = stdout.split('\n').filter((line) => /approved|active|Ada|Eve|071-/.test(line));
      expect(lines.filter((line) => line.includes('unverified')).length).toBe(
        kind === 'purchase' ? 2 : 1,
      );
    }
  },
);

test('forgetting a person erases what was heard of them as well', async () => {
  const home = machine();
  await received(home, truth());
  await json(home, ['get', String(ada.charges[1]?.id)]);
  const { failure } = await gw(home, ['forget', 'ada@example.com', '--yes', '--no-input']);
  expect(failure).toBeUndefined();
  const { stdout } = await gw(home, ['find', 'ada', '--json']);
  expect(stdout).not.toMatch(/ada@example\.com|Ada Byron/);
  expect(atGateway(home, 'SELECT count(*) AS n FROM customers')).toEqual([{ n: 2 }]);
});

test('forgetting a person who was looked up erases what was heard under their email', async () => {
  const home = machine();
  await look(home, ada);
  await received(home, [
    ...truth(),
    {
      event: 'card:expiring',
      payload: [{ ...personOf(ada), id: '071-C-NOSUCH01', reference: 'C-X' }],
    },
  ]);
  expect(
    (await gw(home, ['forget', 'ada@example.com', '--yes', '--no-input'])).failure,
  ).toBeUndefined();
  const { stdout } = await gw(home, ['find', 'ada', '--json']);
  expect(stdout).not.toMatch(/ada@example\.com|Ada Byron/);
});
