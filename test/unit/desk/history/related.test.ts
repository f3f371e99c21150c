/** Records that belong to a record: from records, requests, events and fresh answers. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { withFresh } from '../../../../src/commands/get/live-records.ts';
import { relatedRecords } from '../../../../src/desk/history/related.ts';
import type { CardNotice } from '../../../../src/things/thing.ts';
import { panelContent } from '../../../../src/view/panels/panel-of.ts';
import { newEvent } from '../../events/support.ts';
import { knownOf, OWNER, thing } from '../known-things.ts';
import { seen } from '../support.ts';

const MONEY = { amount: 2_500, currency: 'AUD', outcome: 'approved', lastFour: '2346' } as const;
const THINGS = [
  thing({ kind: 'customer', id: 'C1', reference: 'ada', keys: ['tok1'] }),
  thing({ kind: 'subscription', id: 'S1', reference: 'SUB-1', customer: 'C1', plan: 'PL1' }),
  thing({ kind: 'plan', id: 'PL1' }),
  thing({
    ...MONEY,
    kind: 'purchase',
    id: 'P1',
    reference: 'SUB-1',
    label: 'Recurring',
    keys: ['tok1'],
  }),
  thing({
    kind: 'refund',
    id: 'R1',
    amount: -500,
    currency: 'AUD',
    outcome: 'approved',
    purchase: 'P1',
  }),
  thing({
    ...MONEY,
    ...{ kind: 'purchase', id: 'P2', events: [7], subscription: 'SUB-2', customer: 'C2' },
  }),
  thing({
    ...{ kind: 'subscription', id: 'S2', reference: 'SUB-2', events: [7], customer: 'C2' },
    outcome: 'active',
  }),
  thing({ kind: 'customer', id: 'C2', events: [7] }),
];
const GRACE = { id: 'C2', first_name: 'Grace', email: 'grace@example.com' };
const EVENT = newEvent({
  event: 'charge:pending',
  payload: [{ id: 'S2', reference: 'SUB-2', frequency: 'Weekly', customer: GRACE }],
});
const PURCHASE = {
  ...{ id: 'P1', reference: 'SUB-1', source: 'Recurring', card_token: 'tok1' },
  ...{ card_number: '512345XXXXXX2346', card_expiry: '05/2099' },
};
const RECORDS: Record<string, JsonObject> = {
  C1: { id: 'C1', reference: 'ada', card_token: 'tok1' },
  S1: { id: 'S1', reference: 'SUB-1', customer: 'C1', plan: 'PL1' },
  PL1: { id: 'PL1', name: 'Gold' },
  P1: PURCHASE,
};
const SEEN_AT = '2026-03-12T00:00:00.000Z';
const WHOSE = { owner: OWNER, today: '2026-03-11' };
const known = knownOf(THINGS, RECORDS, [{ ...EVENT, id: 7, duplicateOf: null }]);
const of = (kind: Parameters<typeof relatedRecords>[1]['kind'], record: JsonObject) =>
  relatedRecords(known, { kind, record }, WHOSE);

test('a charge has its subscription, its customer, the plan and its refunds', async () => {
  const ties = await of('purchase', PURCHASE);
  expect(ties.subscriptions).toMatchObject([{ id: 'SUB-1', record: { plan: 'PL1' } }]);
  expect(ties).toMatchObject({ customer: { id: 'C1' }, plan: { record: { name: 'Gold' } } });
  expect(ties.sums).toMatchObject([{ paid: { amount: 2_500 }, refunded: { amount: 500 } }]);
});

test('a refund has its purchase', async () => {
  const ties = await of('refund', { id: 'R1' });
  expect(ties.purchase).toMatchObject({ id: 'P1', record: PURCHASE });
});

test('a customer has subscriptions, a card and its expiry', async () => {
  const ties = await of('customer', RECORDS.C1 ?? {});
  expect(ties.subscriptions.map(({ id }) => id)).toEqual(['SUB-1']);
  expect(ties.card?.record).toMatchObject({ card_expiry: '05/2099' });
  expect(ties.customer).toBeNull();
});

test('shows a record that only an event told of', async () => {
  const ties = await of('purchase', { id: 'P2', source: 'Recurring', reference: 'SUB-2' });
  expect(ties.customer).toMatchObject({ id: 'C2', record: { email: 'grace@example.com' } });
  const state = { frequency: 'Weekly', is_active: true };
  expect(ties.subscriptions).toMatchObject([{ id: 'SUB-2', record: state }]);
  expect(ties.customer?.seenAt).toBe('2026-03-11T00:00:00.000Z');
});

test('an answer of the gateway replaces known values, and keeps fields that it lacks', async () => {
  const now = '2026-04-01T00:00:00.000Z';
  const refund = { id: 'R1', amount: -700, successful: true, refunded: 'Approved' };
  const fresh = withFresh(known, [seen('refund', refund, { seenAt: now })]);
  const ties = await relatedRecords(fresh, { kind: 'purchase', record: PURCHASE }, WHOSE);
  expect(ties.items.filter(({ isRefund }) => isRefund)).toMatchObject([
    { id: 'R1', amount: -700, purchase: 'P1', currency: 'AUD', seenAt: now },
  ]);
});

test('an answer of the gateway leaves what people did', async () => {
  const deed = {
    at: SEEN_AT,
    what: 'stopped',
    fields: [],
    operator: 'ada',
    note: 'moves',
  } as const;
  const stopped = thing({ kind: 'subscription', id: 'S1', reference: 'SUB-1' });
  const { record } = stopped.sources;
  stopped.sources = { ...stopped.sources, record: { seenAt: SEEN_AT, ...record, deeds: [deed] } };
  const answer = seen('subscription', { id: 'S1', reference: 'SUB-1' });
  const fresh = withFresh(knownOf([stopped], {}, []), [answer]);
  const { items } = await relatedRecords(
    fresh,
    { kind: 'subscription', record: { id: 'S1' } },
    WHOSE,
  );
  const done = items.filter(({ what }) => what === 'deed');
  expect(done).toMatchObject([{ label: 'stopped', operator: 'ada', note: 'moves' }]);
});

test('a subscription says that its customer or an expired card stopped it, unless a person did', async () => {
  const notice: CardNotice = {
    ...{ event: 9, outcome: 'expired', seenAt: SEEN_AT, at: SEEN_AT },
    ...{ profile: 'sandbox', environment: 'sandbox' },
  };
  const customer = thing({ kind: 'customer', id: 'C1', events: [7, 9] });
  customer.sources = { ...customer.sources, notice };
  const subscription = thing({ kind: 'subscription', id: 'S1', customer: 'C1' });
  const stop = { cause: 'card expired', seenAt: SEEN_AT } as const;
  subscription.sources = { ...subscription.sources, stop };
  const expired = {
    ...EVENT,
    ...({ event: 'card:expired', outcome: 'expired', duplicateOf: null } as const),
  };
  const events = [7, 9].map((id) => ({ ...expired, id }));
  const status = async (record: JsonObject, stopped: typeof subscription) => {
    const known = knownOf([stopped, customer], {}, events);
    const ties = await relatedRecords(known, { kind: 'subscription', record }, WHOSE);
    const notices = ties.items.filter(({ what }) => what === 'card-expired');
    expect(notices.map(({ sources }) => sources)).toEqual([[{ kind: 'event', id: '9' }]]);
    const moment = { since: SEEN_AT, now: new Date(SEEN_AT), today: WHOSE.today };
    return panelContent('subscription', { record, ties, moment }).rows[0]?.text;
  };
  const record = { id: 'S1', is_active: false, last_status: 'Scheduled' };
  const said = 'nothing was charged yet';
  expect(await status(record, subscription)).toBe(`stopped because the card expired; ${said}`);
  expect(await status({ ...record, is_active: true }, subscription)).toBe(said);
  const deletion = { cause: 'customer deleted', seenAt: SEEN_AT } as const;
  const without = { ...subscription.sources, stop: deletion };
  expect(await status(record, { ...subscription, sources: without })).toBe(
    `stopped because its customer was deleted; ${said}`,
  );
  const deeds = [
    { at: SEEN_AT, what: 'stopped', fields: [], operator: 'ada', note: null },
  ] as const;
  const sources = { ...subscription.sources, record: { seenAt: SEEN_AT, deeds } };
  expect(await status(record, { ...subscription, sources })).toBe(said);
});

test('a plan counts all of its subscriptions, though few are shown', async () => {
  const many = Array.from({ length: 25 }, (_, n) =>
    thing({ kind: 'subscription', id: `S${n}`, reference: `SUB-${n}`, plan: 'PL1' }),
  );
  const record = { id: 'PL1', name: 'Gold' };
  const ties = await relatedRecords(knownOf(many, {}, []), { kind: 'plan', record }, WHOSE);
  expect(ties.subscriptions).toHaveLength(20);
  expect(ties.subscriptionCount).toBe(25);
});

test('without known records, shows only what the gateway answered', async () => {
  const ties = await relatedRecords(
    withFresh(undefined, []),
    { kind: 'purchase', record: PURCHASE },
    WHOSE,
  );
  expect(ties).toMatchObject({
    items: [],
    customer: null,
    subscriptions: [{ id: 'SUB-1', seenAt: null }],
  });
});
