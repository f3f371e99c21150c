import { describe, expect, test } from 'vitest';
import { explainPayment } from '../../../../src/desk/explain/payment-explanation.ts';
import type { LedgerEntry } from '../../../../src/journal/ledger.ts';
import type { KnownWithEvents } from '../../../../src/requests/known/lazy-ledger.ts';
import type { NameMatch } from '../../../../src/requests/known/resolve-name.ts';
import { NO_SOURCES } from '../../../../src/things/sources.ts';
import type { Thing } from '../../../../src/things/thing.ts';

const OWNER = { account: 'a', profile: 'shop', environment: 'sandbox', host: 'h' };
const EMPTY = {
  ...OWNER,
  ...{ reference: null, who: null, email: null, lastFour: null, message: null, label: null },
  ...{ purchase: null, customer: null, subscription: null, plan: null, token: null },
  ...{ operator: null, note: null, amount: 2500, currency: 'AUD', told: 'record' as const },
  seenAt: '2026-03-01T09:00:00Z',
  sources: NO_SOURCES,
};

function thing(fields: Pick<Thing, 'kind' | 'id' | 'outcome'> & Partial<Thing>): Thing {
  return { ...EMPTY, at: '2026-03-01T09:00:00+00:00', endsOn: null, ...fields };
}

/** @param things of the ledger, newest first; the first one is named by its id */
function explain(things: [Thing, ...Thing[]], code: string | null = null) {
  const entry = { responseCode: code } as LedgerEntry;
  const [named] = things;
  const known: KnownWithEvents = {
    things: {
      tied: async (names, { kinds = [] }) =>
        things.filter(
          ({ kind, id, customer, subscription, token, who }) =>
            kinds.includes(kind) &&
            [id, customer, subscription, token, who].some((link) => names.includes(link ?? '')),
        ),
    },
    find: async () => (code === null ? [] : [entry]),
    remembered: async () => [],
    events: async () => [],
  };
  const match = { kind: named.kind, id: named.id, by: 'id', thing: named } as NameMatch;
  const target = { name: named.id, matches: [match], owner: OWNER, today: '2026-03-02' };
  return explainPayment(known, target);
}

const SENT = { ...NO_SOURCES, requests: { 'entry-1': { seenAt: '' } } };
const CHARGE = {
  ...({ kind: 'purchase', label: 'Recurring', subscription: 'SUB-1', customer: 'C-1' } as const),
  reference: 'SUB-1',
};

describe('a payment is explained', () => {
  test('by its code before its message', async () => {
    const declined = { kind: 'purchase', id: 'P-1', outcome: 'declined', sources: SENT } as const;
    const said = await explain([thing({ ...declined, message: 'Refer to Card Issuer' })], '43');
    expect(said).toMatchObject({
      meaning: 'The card was stolen.',
      tryAgain: 'never',
      mayTell: false,
    });
    expect(said.next).toBe(
      'gw asks for the card: `gw purchase create --amount 2500 --currency AUD`.',
    );
  });

  test('by its message if gw does not know the code, which it says', async () => {
    const declined = { kind: 'purchase', id: 'P-1', outcome: 'declined', sources: SENT } as const;
    const said = await explain([thing({ ...declined, message: 'Insufficient Funds' })], '17');
    expect(said.meaning).toBe(
      'There was not enough money on the account. gw does not know the response code 17.',
    );
  });

  test('as not known if neither says anything', async () => {
    const said = await explain([thing({ kind: 'purchase', id: 'P-1', outcome: 'declined' })]);
    expect(said).toMatchObject({ tryAgain: null, mayTell: true });
    expect(said.meaning).toBe('The gateway gives no reason that gw knows.');
    expect(said.say).toMatch(/^Your bank did not approve /);
  });

  test.each([
    ['approved', 'It was approved.', null],
    ['rejected', 'The gateway rejected the request, and asked no bank.', null],
    ['not-sent', 'It was not sent: no bank was asked.', null],
    ['unclear', 'Nobody knows yet whether it was paid. Do not send it again.', 'entry-1'],
    ['unknown', 'Nobody knows yet whether it was paid. Do not send it again.', 'entry-1'],
    ['sending', 'Nobody knows yet whether it was paid. Do not send it again.', 'entry-1'],
  ] as const)('%s: %s', async (outcome, meaning, entry) => {
    const said = await explain([thing({ kind: 'purchase', id: 'P-1', outcome, sources: SENT })]);
    const next = entry && `\`gw journal resolve ${entry}\` finds out.`;
    expect(said).toMatchObject({ meaning, next, tryAgain: null, say: null });
  });

  test('voided is no decline', async () => {
    const voided = thing({ kind: 'purchase', id: 'P-1', outcome: 'unclear', message: 'Voided' });
    expect((await explain([voided])).meaning).toBe('It was voided, which is no decline.');
  });

  test('a refund is not a matter between the customer and the bank', async () => {
    const refund = thing({ kind: 'refund', id: 'R-1', outcome: 'declined', message: 'Declined' });
    const said = await explain([refund]);
    expect(said).toMatchObject({ of: 'refund', tryAgain: 'perhaps', history: null, next: null });
    expect(said.say).toMatch(/^Your refund has not gone through yet\./);
  });

  test('only heard', async () => {
    const heard = { kind: 'purchase', id: 'P-1', outcome: 'declined', told: 'heard' } as const;
    expect((await explain([thing(heard)])).also).toBe('Only unverified webhooks tell of it.');
  });
});

describe('a charge of a subscription', () => {
  const subscription = (sources: Thing['sources']) =>
    thing({ kind: 'subscription', id: 'S-1', subscription: 'SUB-1', outcome: 'active', sources });

  test('that was given up is not tried again; another card may be stored', async () => {
    const charge = thing({ ...CHARGE, id: 'P-1', outcome: 'abandoned', message: 'Declined' });
    const said = await explain([charge, subscription(NO_SOURCES)]);
    expect(said.of).toBe('charge');
    expect(said.next).toBe(
      'The gateway does not try this charge again. `gw customer update C-1` stores another card.',
    );
  });

  test('for funds needs no other card', async () => {
    const funds = {
      ...CHARGE,
      id: 'P-1',
      outcome: 'declined',
      message: 'Insufficient Funds',
    } as const;
    expect((await explain([thing(funds)])).next).toBe(
      'The gateway does not try this charge again.',
    );
  });
});

describe('the card', () => {
  const declined = (id: string, more: Partial<Thing>) =>
    thing({ kind: 'purchase', id, outcome: 'declined', message: 'Declined', ...more });
  const paid = (id: string, more: Partial<Thing>) =>
    thing({ kind: 'purchase', id, outcome: 'approved', ...more });
  const PAID = /it paid once/;

  test.each<[same: string, one: Partial<Thing>, other: Partial<Thing>]>([
    ['token', { token: 't1' }, { token: 't1' }],
    [
      'digits and holder',
      { token: 't1', lastFour: '4242', who: 'Ada B' },
      { token: 't2', lastFour: '4242', who: 'ADA B' },
    ],
    ['customer, without tokens', { customer: 'C-1' }, { customer: 'C-1' }],
  ])('is the same by its %s', async (_, one, other) => {
    const said = await explain([
      declined('P-2', { ...one, who: one.who ? 'ADA B' : null }),
      paid('P-1', other),
    ]);
    expect(said.history).toMatch(PAID);
  });

  test.each<[other: string, one: Partial<Thing>, two: Partial<Thing>]>([
    ['token', { token: 't1', customer: 'C-1' }, { token: 't2', customer: 'C-1' }],
    [
      'digits',
      { token: 't1', lastFour: '4242', who: 'Ada' },
      { token: 't2', lastFour: '1111', who: 'Ada' },
    ],
    ['nothing', {}, {}],
  ])('is another one by its %s', async (_, one, two) =>
    expect((await explain([declined('P-2', one), paid('P-1', two)])).history ?? '').not.toMatch(
      PAID,
    ),
  );

  test('that has paid since needs nothing', async () => {
    const first = declined('P-1', { token: 't1' });
    const things: [Thing, Thing] = [first, paid('P-2', { token: 't1' })];
    expect((await explain(things)).next).toMatch(/^For another try|^gw asks/);
    const later = thing({ kind: 'customer', id: 'C-1', outcome: null, token: 't1' });
    const said = await explain([later, paid('P-2', { token: 't1' }), first]);
    expect(said).toMatchObject({ id: 'P-1', next: 'Nothing: it was paid since.' });
  });

  test('that paid for another subscription since has not paid this one', async () => {
    const charge = { ...CHARGE, amount: 1_114, currency: 'AUD', message: 'Invalid Card Number' };
    const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T23:59:59Z`;
    const tries = [1, 2, 3, 4].map((n) =>
      thing({ ...charge, id: `P-${n}`, at: day(n), outcome: n === 4 ? 'abandoned' : 'declined' }),
    );
    const other = thing({ ...charge, id: 'P-9', at: day(9), outcome: 'approved' });
    other.subscription = 'SUB-2';
    other.message = null;
    const customer = thing({ kind: 'customer', id: 'C-1', outcome: null });
    const said = await explain([customer, other, ...tries.toReversed()]);
    expect(said).toMatchObject({
      outcome: 'declined',
      id: 'P-4',
      tryAgain: 'perhaps',
      when: 'It may pass now. The card has paid for SUB-2 since, on 2026-03-09.',
      say: null,
      next: 'The gateway does not try this charge again.',
    });
    expect(said.history).toMatch(
      /^Declined 4 times since .* Unpaid: 11.14 AUD \(1 charge, 4 tries\)\.$/,
    );
  });

  test('that was replaced since is not asked for again', async () => {
    const charge = thing({ ...CHARGE, id: 'P-1', outcome: 'declined', message: 'Lost Card' });
    charge.token = 't1';
    const customer = thing({
      kind: 'customer',
      id: 'C-1',
      outcome: null,
      token: 't2',
      lastFour: '4444',
    });
    const said = await explain([charge, customer]);
    expect(said.when).toBe('It may pass now. A card was stored since (…4444).');
    expect(said.next).not.toContain('customer update');
  });

  test('of a customer who never paid has no payment', async () => {
    const said = await explain([thing({ kind: 'customer', id: 'C-1', outcome: null })]);
    expect(said).toMatchObject({ of: 'customer', meaning: 'No payment of it is known here.' });
  });
});
