/** What a request will charge, found out at gateways that look records up in one way or another. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  type ChargeLookUp,
  chargesOf,
  shownCharges,
} from '../../../../src/client/connection/charges.ts';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import {
  subscriptionCreate,
  subscriptionUpdate,
} from '../../../../src/contract/resources/subscription.ts';

const GOLD = { id: '071-PL-1', reference: 'GOLD', name: 'Gold', amount: 1500, currency: 'AUD' };
const SILVER = { id: '071-PL-2', reference: 'SILVER', name: 'Silver', amount: 900 };
const WEEKLY = {
  id: '071-S-1',
  reference: 'SUB-1',
  customer: '071-C-1',
  plan: '071-PL-1',
  frequency: 'Weekly',
  start_date: '2026-01-01',
  next_billing_date: '2026-02-05',
};
const ADA = { id: '071-C-1', first_name: 'Ada', last_name: 'Byron' };

const reply = (records: JsonObject[], counts = {}) =>
  ({ records, envelope: { counts } }) as unknown as Reply;

interface Setting {
  /** Whether ids and references both find a record, as at some deployments. */
  takesBoth?: boolean;
  /** One plan a page, numbered from here. */
  firstPage?: number;
  known?: readonly JsonObject[];
}

/** A gateway of the interface's text: plans and customers by id, subscriptions by reference. */
function witness({ takesBoth = false, firstPage = 1, known = [] }: Setting = {}) {
  const asked: string[] = [];
  const ask = async ({ name, kind, list }: Operation, { id, query }: CallInput) => {
    asked.push(`${name} ${id ?? JSON.stringify(query)}`);
    if (list) {
      const page = Number((query as Record<string, string>).offset ?? firstPage);
      const plan = [GOLD, SILVER][page - firstPage];
      return reply(plan ? [plan] : [], { pages: 2, current_page: page });
    }
    const all = { plan: [GOLD, SILVER], subscription: [WEEKLY], customer: [ADA] }[kind as 'plan'];
    const by = kind === 'subscription' ? 'reference' : 'id';
    const found = (all as JsonObject[]).find(
      (record) =>
        record[by] === id || (takesBoth && [record.id, record.reference].includes(id ?? '')),
    );
    return found && reply([found]);
  };
  const one: ChargeLookUp = {
    ask,
    known: async (_, name) => known.find((record) => [record.id, record.reference].includes(name)),
  };
  return { one, asked };
}

const create = (plan: string) => ({ body: { customer: '071-C-1', plan, frequency: 'Daily' } });

describe('what a new subscription charges', () => {
  test.each<[string, Setting]>([
    ['071-PL-2', {}],
    ['SILVER', { takesBoth: true }],
    ['SILVER', {}],
    ['SILVER', { firstPage: 0 }],
  ])('is what the gateway says of its plan %s, at %o', async (plan, setting) => {
    const { one } = witness(setting);
    expect(await chargesOf(subscriptionCreate, create(plan), one)).toMatchObject({
      ...{ plan, amount: 900, title: 'Silver', customer: '071-C-1', frequency: 'Daily' },
    });
  });

  test('is not known of a plan that nobody has, and what was seen once does not count', async () => {
    const { one, asked } = witness({ known: [{ ...SILVER, id: 'X', reference: 'LEAD' }] });
    expect((await chargesOf(subscriptionCreate, create('LEAD'), one)).amount).toBeUndefined();
    expect(asked).toEqual(['plan get LEAD', 'plan list {}', 'plan list {"offset":"2"}']);
  });

  test('is what was seen where nothing may be sent', async () => {
    const { one, asked } = witness({ known: [GOLD] });
    const dry = { known: one.known };
    expect((await chargesOf(subscriptionCreate, create('GOLD'), dry)).amount).toBe(1500);
    expect((await chargesOf(subscriptionCreate, create('SILVER'), dry)).amount).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('what another place may say otherwise', () => {
  test.each<[string, CallInput]>([
    ['the query', { query: { plan: 'GOLD' } }],
    ['other letters', { body: { ...create('SILVER').body, Plan: 'GOLD' } }],
    ['another name', { body: { ...create('SILVER').body, plan_id: '071-PL-1' } }],
    ['an object', { body: { ...create('SILVER').body, subscription: { plan: 'GOLD' } } }],
  ])('is not known: %s', async (_, other) => {
    const { one } = witness({ takesBoth: true });
    const input = { ...create('SILVER'), ...other };
    expect((await chargesOf(subscriptionCreate, input, one)).amount).toBeUndefined();
  });

  test('is known where all say the same', async () => {
    const { one } = witness({ takesBoth: true });
    const body = { ...create('SILVER').body, explanation: 'GOLD' };
    const input = { body, query: { plan: 'SILVER' } };
    expect((await chargesOf(subscriptionCreate, input, one)).amount).toBe(900);
  });
});

describe('what a resumed subscription charges', () => {
  const resume = { id: '071-S-1', body: { is_active: true } };
  test.each<[string, Setting, number | undefined]>([
    ['that takes ids', { takesBoth: true }, 1500],
    ['that takes references, of one seen here', { known: [WEEKLY] }, 1500],
    ['that takes references, of another', {}, undefined],
    [
      'where its reference is another one now',
      { known: [{ ...WEEKLY, id: '071-S-9' }] },
      undefined,
    ],
  ])('at a gateway %s', async (_, setting, amount) => {
    const { one } = witness(setting);
    expect((await chargesOf(subscriptionUpdate, resume, one)).amount).toBe(amount);
  });

  test.each([
    ['another plan, which not every gateway takes', { takesBoth: true }, 'SILVER', undefined],
    ['a plan of what nobody finds', {}, 'SILVER', undefined],
    ['the same plan', { takesBoth: true }, '071-PL-1', 1500],
  ])('where the request itself names %s', async (_, setting, plan, amount) => {
    const { one } = witness(setting);
    const input = { ...resume, body: { is_active: true, plan } };
    expect((await chargesOf(subscriptionUpdate, input, one)).amount).toBe(amount);
  });

  test('is shown with its customer and the next day', async () => {
    const { one } = witness({ takesBoth: true });
    const charges = await chargesOf(subscriptionUpdate, resume, one);
    expect(await shownCharges(charges, 'USD', one)).toEqual([
      ['Plan', '071-PL-1, Gold: 15.00 AUD each time'],
      ['Customer', 'Ada Byron (071-C-1)'],
      ['Frequency', 'Weekly'],
      ['First billing', '2026-02-05'],
    ]);
  });

  test('is shown as not known where it is not', async () => {
    const { one } = witness();
    const charges = await chargesOf(subscriptionUpdate, resume, one);
    expect(await shownCharges(charges, 'USD', one)).toContainEqual([
      'Plan',
      'unknown: gw does not know what it charges',
    ]);
  });
});
