/** Finds the record that a text names. An exact match comes first, and gw never guesses. */
import { expect, test } from 'vitest';
import { Failure, orFailure } from '../../../../src/failure.ts';
import { meantBy } from '../../../../src/requests/known/candidates.ts';
import {
  ownersNamed,
  resolveName,
  TO_CHANGE,
  TO_LOOK_UP,
  TO_TELL,
} from '../../../../src/requests/known/resolve-name.ts';
import { knownOf, type NamedThing, OWNER, thing } from '../../desk/known-things.ts';

const ADA = { who: 'Ada Byron', email: 'ada@example.com' };
const customer = thing({
  kind: 'customer',
  id: '071-C-1',
  reference: 'C-1',
  token: 'tok1',
  ...ADA,
});
const other = thing({
  ...customer,
  id: '071-C-2',
  reference: 'C-2',
  customer: '071-C-2',
  token: 'tok2',
});
const purchase = thing({
  ...{ kind: 'purchase', id: '071-P-1', reference: 'INV-1', who: 'Ada Byron', token: 'tok1' },
  requests: ['e1'],
});
const declined = thing({
  ...{ kind: 'request', id: 'e2', outcome: 'declined', reference: 'INV-2', token: 'tok1' },
  ...{ customer: '071-C-1', ...ADA },
});
const charge = thing({
  kind: 'purchase',
  id: '071-P-2',
  reference: 'SUB-1',
  label: 'Recurring',
});
const subscription = thing({ kind: 'subscription', id: '071-S-1', reference: 'SUB-1' });
const refund = thing({ kind: 'refund', id: '071-R-1', reference: 'INV-1', purchase: '071-P-1' });
const webhook = {
  events: [7],
  who: 'Grace Hopper',
  email: 'grace@example.com',
  customer: '071-C-9',
};
const told = [
  thing({ kind: 'customer', id: '071-C-9', reference: 'C-9', token: 'tok9', ...webhook }),
  thing({ kind: 'subscription', id: '071-S-9', reference: 'SUB-9', ...webhook }),
  thing({
    ...{ kind: 'purchase', id: '071-P-9', reference: 'SUB-9', label: 'Recurring' },
    ...{ subscription: 'SUB-9', ...webhook },
  }),
];
const ALL: readonly NamedThing[] = [
  customer,
  purchase,
  declined,
  charge,
  subscription,
  refund,
  ...told,
];

const of = async (text: string, things = ALL) =>
  (await resolveName(knownOf(things), text, OWNER, { hearsay: 'counts' })).map(
    ({ kind, id }) => `${kind} ${id}`,
  );

test.each([
  ['071-p-1', 'purchase 071-P-1'],
  ['INV-1', 'purchase 071-P-1'],
  ['inv-1', 'purchase 071-P-1'],
  ['SUB-1', 'subscription SUB-1'],
  ['071-S-1', 'subscription SUB-1'],
  ['C-1', 'customer 071-C-1'],
  ['ADA@example.com', 'customer 071-C-1'],
  ['Ada  Byron', 'customer 071-C-1'],
  ['tok1', 'customer 071-C-1'],
  ['e1', 'purchase 071-P-1'],
  ['INV-2', 'request e2'],
  ['071-P-9', 'purchase 071-P-9'],
  ['SUB-9', 'subscription SUB-9'],
  ['071-S-9', 'subscription SUB-9'],
  ['grace@example.com', 'customer 071-C-9'],
  ['grace hopper', 'customer 071-C-9'],
  ['tok9', 'customer 071-C-9'],
  ['C-9', 'customer 071-C-9'],
  ['#7', 'purchase 071-P-9'],
])('the text %s finds %s', async (text, expected) => {
  expect(await of(text)).toEqual([expected]);
});

test('an alias finds the card that was given it last', async () => {
  const cards = ['2026-01-15', '2026-02-15', '2026-01-20'].map((day, n) =>
    thing({ kind: 'card', id: `t${n}`, keys: ['anns'], seenAt: `${day}T10:00:00.000Z` }),
  );
  expect(await of('anns', cards)).toEqual(['card t1']);
  for (const id of ['t0', 't2']) expect(await of(id, cards)).toEqual([`card ${id}`]);
});

test('a name that two customers share finds both', async () => {
  const two = ['customer 071-C-1', 'customer 071-C-2'];
  expect(await of('ada byron', [...ALL, other])).toEqual(two);
  expect(await of('ada@example.com', [...ALL, other])).toEqual(two);
});

test('a number without its sign is no event: it may be an amount or the end of a card', async () => {
  expect(await of('7')).toEqual([]);
});

test('the number of an event without a charge finds its subscription or customer', async () => {
  expect(await of('#7', told.slice(0, 2))).toEqual(['subscription SUB-9']);
  expect(await of('#7', told.slice(0, 1))).toEqual(['customer 071-C-9']);
});

test('a reference finds the request if the request made no record', async () => {
  const lost = thing({ kind: 'request', id: 'e2', reference: 'INV-2' });
  expect(await of('INV-2', [lost])).toEqual(['request e2']);
});

test('an id that was once mistyped in a request still finds its purchase', async () => {
  const mistyped = ['071-p-1', '071-P-1 '].map((id, n) =>
    thing({
      kind: 'request',
      id: `e${n + 4}`,
      label: 'refund create',
      purchase: id,
      keys: [id],
    }),
  );
  expect(await of('071-P-1', [...mistyped, purchase])).toEqual(['purchase 071-P-1']);
  expect(await of('071-p-1', [...mistyped, purchase])).toEqual(['purchase 071-P-1']);
});

test('a reference still finds its purchase after a rejected refund used it', async () => {
  const rejected = thing({
    ...{
      kind: 'request',
      id: 'e6',
      label: 'refund create',
      purchase: 'INV-1',
      outcome: 'rejected',
    },
    ...{ reference: 'RET-9', keys: ['INV-1'] },
  });
  expect(await of('INV-1', [rejected, purchase, refund])).toEqual(['purchase 071-P-1']);
});

test('an id is found before a reference with the same text', async () => {
  const odd = thing({ kind: 'purchase', id: '071-P-3', reference: '071-P-1' });
  expect(await of('071-P-1', [...ALL, odd])).toEqual(['purchase 071-P-1']);
});

test('a record of another account is not found, but its profile is known', async () => {
  const others = { account: 'a2', profile: 'live' };
  const foreign = thing({ ...purchase, ...others });
  const known = knownOf([foreign]);
  expect(await resolveName(known, 'INV-1', OWNER, { hearsay: 'counts' })).toEqual([]);
  expect(await ownersNamed(known, 'INV-1')).toMatchObject([others]);
});

test('an email finds the present customer before a deleted one', async () => {
  const gone = { ...other, outcome: 'deleted' } as const;
  expect(await of('ada@example.com', [customer, gone])).toEqual(['customer 071-C-1']);
  expect(await of('ada@example.com', [gone])).toEqual(['customer 071-C-2']);
});

test.each([
  // By the name of a person alone, nothing is changed.
  ['Ada Byron', TO_LOOK_UP, '071-C-1'],
  ['Ada Byron', TO_CHANGE, 'name-not-enough'],
  ['ada@example.com', TO_CHANGE, '071-C-1'],
  // Attempts to pay one invoice are one story, and two records for everything else.
  ['INV-1', TO_TELL, '071-P-1 071-P-3'],
  ['INV-1', TO_LOOK_UP, 'name-ambiguous'],
  ['INV-1', TO_CHANGE, 'name-ambiguous'],
  ['nobody', TO_CHANGE, ''],
] as const)('%s by the rule %j means %s', async (text, rule, meant) => {
  const again = thing({ kind: 'purchase', id: '071-P-3', reference: 'INV-1' });
  const named = await resolveName(knownOf([...ALL, again]), text, OWNER, rule);
  const judged = await orFailure(Promise.resolve().then(() => meantBy(text, named, rule)));
  expect(judged instanceof Failure ? judged.code : judged.map(({ id }) => id).join(' ')).toBe(
    meant,
  );
});

test('only the wanted kinds are meant, and a customer for their only subscription', async () => {
  const theirs = thing({
    kind: 'subscription',
    id: '071-S-1',
    reference: 'SUB-1',
    customer: '071-C-1',
  });
  const known = knownOf([customer, purchase, theirs]);
  const ids = async (rule: Parameters<typeof resolveName>[3]) =>
    (await resolveName(known, 'ada@example.com', OWNER, rule)).map(
      ({ kind, id }) => `${kind} ${id}`,
    );
  expect(await ids({ ...TO_CHANGE, kinds: ['subscription'] })).toEqual([]);
  expect(await ids({ ...TO_CHANGE, kinds: ['subscription'], isForSubscription: true })).toEqual([
    'subscription SUB-1',
  ]);
});

test('a customer keeps the reference that a rejected purchase took for a card', async () => {
  const rejected = thing({
    ...{ kind: 'request', id: 'e7', label: 'purchase create', outcome: 'rejected' },
    ...{ token: 'C-1', reference: 'INV-7' },
  });
  expect(await of('C-1', [rejected, customer])).toEqual(['customer 071-C-1']);
  expect(await of('C-1', [rejected])).toEqual(['request e7']);
});

test('of two requests with a reference, a rejected one gives way', async () => {
  const [unknown, rejected] = (['unknown', 'rejected'] as const).map((outcome, n) =>
    thing({ kind: 'request', id: `e${n + 8}`, outcome, reference: 'INV-8' }),
  ) as [NamedThing, NamedThing];
  expect(await of('INV-8', [rejected, unknown])).toEqual(['request e8']);
  expect(await of('INV-8', [rejected])).toEqual(['request e9']);
});

test('an email of then is the former one of a customer who has another one now', async () => {
  const old = thing({
    ...{ kind: 'purchase', id: '071-P-8', customer: '071-C-1', email: 'old@example.com' },
  });
  const formers = async (text: string) =>
    (await resolveName(knownOf([customer, old]), text, OWNER, TO_LOOK_UP)).map((one) => [
      one.id,
      one.isFormer ?? false,
    ]);
  expect(await formers('old@example.com')).toEqual([['071-C-1', true]]);
  expect(await formers('ada@example.com')).toEqual([['071-C-1', false]]);
});
