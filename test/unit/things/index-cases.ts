/** Written things are found at once, and a rebuilt index is the same. */
import { expect, test } from 'vitest';
import type { EventStore } from '../../../src/events/store/event-file.ts';
import type { Ledger, RecordSnapshot } from '../../../src/journal/ledger.ts';
import type { Thing } from '../../../src/things/thing.ts';
import type { SearchQuery } from '../../../src/things/thing-index.ts';
import { AT, REFUND } from '../../helpers/money-request.ts';
import { recorded } from '../../helpers/recorded.ts';
import { appendAll, newEvent } from '../events/support.ts';

/** The time of a test, by which the index is read. */
export const NOW = '2026-03-10T09:30:00.000Z';

const PURCHASE: RecordSnapshot = {
  ...AT,
  kind: 'purchase',
  id: '071-P-1',
  reference: 'INV-1001',
  name: 'Zoë Ångström',
  lastFour: '2346',
  amount: 2_500,
  seenBy: 'purchase get',
  seenAt: NOW,
  record: {
    id: '071-P-1',
    amount: 2_500,
    currency: 'AUD',
    successful: true,
    message: 'Approved',
    card_token: 'w7fav6rlj8z0',
    transaction_date: '2026-03-09T10:00:00+11:00',
  },
};
const CUSTOMER: RecordSnapshot = {
  ...PURCHASE,
  kind: 'customer',
  id: '071-C-1',
  reference: 'C-1042',
  name: '王小明',
  lastFour: null,
  amount: null,
  record: { id: '071-C-1', email: 'ming@example.org', created_at: '2026-01-01T00:00:00Z' },
};

const CHARGE = JSON.stringify({
  event: 'charge:retry',
  payload: [
    {
      subscription: {
        id: '071-S-1',
        reference: 'SUB-7',
        last_status: 'Failed (1), Pending',
        customer: { id: '071-C-1', first_name: 'Wu', last_name: 'Li', email: 'wu@example.org' },
      },
      response: {
        successful: true,
        response: {
          id: '071-P-2',
          amount: 301,
          currency: 'AUD',
          successful: false,
          message: 'Declined',
          card_number: '531358XXXXXX3430',
          transaction_date: '2026-03-08T23:00:00Z',
        },
      },
    },
  ],
});

/** A ledger of a test's own. */
export interface Opened {
  ledger: Ledger;
  events: EventStore;
  /** Indexes what was left for later, where the store leaves anything. */
  indexDue: () => Promise<void>;
  /** Writes the index anew, where the store can. */
  rebuild?: () => Promise<void>;
}

export async function filled({ ledger, events, ...rest }: Opened): Promise<Opened> {
  await ledger.remember([PURCHASE, CUSTOMER]);
  const done = await recorded(ledger, { ...REFUND, refundOf: '071-P-1', target: '071-P-1' });
  const refund = { ...PURCHASE, kind: 'refund' as const, id: '071-R-1', reference: 'RET-1' };
  const record = { id: '071-R-1', amount: -1_000, successful: true, refunded: 'Approved' };
  const settled = { state: 'done' as const, status: 200, recordId: '071-R-1', message: 'Approved' };
  await ledger.settle(done, settled, [{ ...refund, amount: -1_000, record }]);
  const open = { reference: 'RET-2', refundOf: '071-P-1', target: '071-P-1' };
  await recorded(ledger, { ...REFUND, ...open });
  const of = { profile: AT.profile, authentication: 'basic' } as const;
  await appendAll(events, [newEvent(CHARGE, of), newEvent(CHARGE, of), newEvent('not JSON', of)]);
  await rest.indexDue();
  return { ledger, events, ...rest };
}

/** The reference of a customer, with whose card a charge was made. */
export const OF_CUSTOMER = 'c-1042';

export const found = async (ledger: Ledger, text: string) =>
  (await ledger.things.search({ text, limit: 9 })).map(({ kind, id }) => `${kind} ${id}`);

/** @param open gives a ledger of the test's own, which it closes */
export function indexCases(open: () => Promise<Opened>): void {
  test.each([
    ['inv-1001', ['purchase 071-P-1']],
    ['  V-10 ', ['purchase 071-P-1']],
    // A refund shows whose purchase it was, and so does a request that led to none.
    ['zoe angstrom', ['purchase 071-P-1', 'refund 071-R-1', 'request ']],
    ['ÅNGSTRÖM', ['purchase 071-P-1', 'refund 071-R-1', 'request ']],
    ['zo', ['purchase 071-P-1', 'refund 071-R-1', 'request ']],
    ['zoe aangstroem', ['purchase 071-P-1', 'refund 071-R-1', 'request ']],
    ['25.00 aud zoë', ['purchase 071-P-1']],
    ['2500', []],
    ['w7fav6', ['purchase 071-P-1']],
    ['2026-03-09', ['purchase 071-P-1']],
    [OF_CUSTOMER, ['customer 071-C-1']],
    ['MING@example', ['customer 071-C-1']],
    ['小明', ['customer 071-C-1']],
    ['王', ['customer 071-C-1']],
    ['li', ['customer 071-C-1', 'purchase 071-P-2', 'subscription 071-S-1']],
    ['wu li 3430', ['purchase 071-P-2']],
    ['declined', ['purchase 071-P-2']],
    ['failed (1), pending', ['purchase 071-P-2', 'subscription 071-S-1']],
    ['071-r-1', ['refund 071-R-1']],
    ['%', []],
    ['"', []],
  ])('%s finds %j', async (text, expected) => {
    const { ledger } = await filled(await open());
    const things = (await found(ledger, text)).map((one) => one.replace(/^(request ).*/, '$1'));
    // A file also shows the customer of what webhooks alone tell of, and finds that by the name that the customer has now.
    const isOfCustomer = [OF_CUSTOMER, 'MING@example', '小明', '王'].includes(text);
    const ofEvents = ['subscription', ...(isOfCustomer ? ['purchase'] : [])];
    const isShown = (one: string) =>
      expected.includes(one) || !ofEvents.includes(one.split(' ')[0] ?? '');
    expect(things.filter(isShown).toSorted()).toEqual(expected);
  });

  test.each<[filter: Omit<SearchQuery, 'limit'>, ids: string[]]>([
    [{ amount: '10' }, ['071-R-1']],
    [{ amount: '25.00' }, ['071-P-1']],
    [{ amount: '25' }, ['071-P-1']],
    [{ amount: '2500' }, []],
    [{ amount: '0.000' }, []],
    [{ amount: '2.500' }, ['071-P-9']],
    [{ min: '10.01' }, ['071-P-1']],
    [{ max: '10' }, ['071-P-2', '071-P-9', '071-R-1']],
    [{ min: '2.501' }, ['071-P-1', '071-P-2', '071-R-1']],
    [{ min: '24.995', max: '25.004' }, ['071-P-1']],
    [{ max: '9.999' }, ['071-P-2', '071-P-9']],
    [{ min: '0', max: '0' }, []],
    [{ text: '5.00' }, []],
    [{ text: '$25.00' }, ['071-P-1']],
    [{ outcome: ['declined', 'approved'], kinds: ['refund', 'plan'] }, ['071-R-1']],
  ])('the filter %j lets through %j', async (filter, ids) => {
    const { ledger } = await filled(await open());
    const dinars = { ...PURCHASE.record, id: '071-P-9', currency: 'KWD' };
    await ledger.remember([{ ...PURCHASE, id: '071-P-9', record: dinars }]);
    const things = await ledger.things.search({
      kinds: ['purchase', 'refund'],
      ...filter,
      limit: 9,
    });
    const isOfDinars = ids.includes('071-P-9');
    const found = things.map(({ id }) => id).filter((id) => isOfDinars || id !== '071-P-9');
    expect(found.toSorted()).toEqual(ids);
  });

  test.each([
    ['伟 王', '王伟', '王'],
    ['さくら 田中', '田中さくら', '田中'],
    ['민준 김', '김민준', '김'],
    ['Wei Li', 'wei li', 'li'],
  ])('%s is found as %s, and by the family %s', async (name, written, family) => {
    const { ledger } = await open();
    await ledger.remember([{ ...CUSTOMER, name }]);
    for (const text of [written, name, family])
      expect(await found(ledger, text)).toEqual(['customer 071-C-1']);
    const [known] = await ledger.things.search({ text: written, limit: 1 });
    expect(known?.who).toBe(name);
  });

  test('a customer that was deleted from here is found as one', async () => {
    const { ledger } = await open();
    const outcome = async () =>
      (await ledger.things.search({ text: 'C-1042', limit: 1 }))[0]?.outcome;
    await ledger.remember([CUSTOMER]);
    expect(await outcome()).toBeNull();
    await ledger.remember([{ ...CUSTOMER, seenBy: 'customer delete' }]);
    expect(await outcome()).toBe('deleted');
    const deleted = await ledger.things.search({ outcome: 'deleted', limit: 9 });
    expect(deleted.map(({ id }) => id)).toEqual(['071-C-1']);
  });

  test('customers come before what happened to them, a whole word before a part of one', async () => {
    const { ledger } = await filled(await open());
    const named = (id: string, name: string): RecordSnapshot => ({
      ...CUSTOMER,
      id,
      name,
      reference: id,
    });
    await ledger.remember([named('C-7', 'Siew Ling Ong'), named('C-8', 'Wei Li')]);
    expect(await found(ledger, 'li')).toEqual([
      ...['customer C-8', 'customer C-7', 'customer 071-C-1'],
      ...['subscription 071-S-1', 'purchase 071-P-2'],
    ]);
    expect((await found(ledger, 'zoe')).every((one) => !one.startsWith('customer'))).toBe(true);
    const [first] = await ledger.things.search({ text: 'li', limit: 1 });
    expect(first?.id).toBe('C-8');
  });

  test('a refund is tied to its purchase, and has its currency', async () => {
    const { ledger } = await filled(await open());
    const [refund] = await ledger.things.search({ text: 'RET-1', kinds: ['refund'], limit: 1 });
    expect(refund).toMatchObject({ purchase: '071-P-1', currency: 'AUD', amount: -1_000 });
    const tied = await ledger.things.tied(['071-p-1'], { limit: 9 });
    expect(tied.map(({ kind }) => kind).toSorted()).toEqual(['purchase', 'refund', 'request']);
  });

  test('things come newest first, by the date of what they are of', async () => {
    const { ledger } = await filled(await open());
    const things = await ledger.things.search({ limit: 9 });
    const times = things.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(things.at(-1)?.id).toBe('071-C-1');
  });

  test('a request has the state of its entry, also when its process has ended', async () => {
    const { ledger } = await filled(await open());
    const unsettled = await ledger.things.search({ outcome: 'sending', limit: 9 });
    expect(unsettled).toMatchObject([{ kind: 'request', reference: 'RET-2' }]);
  });

  test('what is seen again has one thing, as it is by now', async () => {
    const { ledger } = await filled(await open());
    const moved = {
      ...PURCHASE.record,
      message: 'Refer',
      transaction_date: '2026-03-01T00:00:00Z',
    };
    await ledger.remember([{ ...PURCHASE, seenAt: '2026-04-01T00:00:00.000Z', record: moved }]);
    expect(await found(ledger, 'inv-1001')).toEqual(['purchase 071-P-1']);
    expect(await found(ledger, '2026-03-01')).toEqual(['purchase 071-P-1']);
    expect(await found(ledger, '2026-03-09 zoe')).toEqual([]);
  });

  test('the index that is written anew is the one that there was', async () => {
    const { ledger, rebuild } = await filled(await open());
    if (!rebuild) return;
    const all = async () => {
      const things: Thing[] = [];
      for await (const thing of ledger.things.each({})) things.push(thing);
      return things.toSorted((one, other) => (one.kind + one.id < other.kind + other.id ? -1 : 1));
    };
    const before = await all();
    expect(before).toHaveLength(7);
    await rebuild();
    expect(await all()).toEqual(before);
    expect(await found(ledger, 'zoe angstrom')).not.toEqual([]);
  });

  test('what is pruned is found no more', async () => {
    const { ledger, events, indexDue } = await filled(await open());
    await ledger.prune('9999-01-01T00:00:00.000Z');
    await events.prune('9999-01-01T00:00:00.000Z');
    await indexDue();
    const left = await ledger.things.search({ limit: 9 });
    expect(left.map(({ reference }) => reference)).toEqual(['RET-2']);
    expect(await found(ledger, 'zoe')).toEqual([]);
  });

  test('the days are known on which a subscription was charged, or a charge of it was declined', async () => {
    const { ledger } = await filled(await open());
    const march = { from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' };
    const days = await ledger.things.chargedDays({ ...AT }, march);
    expect(days).toEqual([{ subscription: 'SUB-7', day: '2026-03-08' }]);
  });

  test('keys are found by their beginnings', async () => {
    const { ledger } = await filled(await open());
    const keys = await ledger.things.keysFrom(['inv-', 'min']);
    expect(keys.sort()).toEqual(['inv-1001', 'ming@example.org']);
  });
}
