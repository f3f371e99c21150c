/** Finding, from the words to what is printed and what is said beside it. */

import { expect, test } from 'vitest';
import { listOptions } from '../../../../src/cli/flags/search-flags.ts';
import { runFind } from '../../../../src/commands/find/run-find.ts';
import type { NewEvent } from '../../../../src/events/event.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import type { ThingKind } from '../../../../src/things/thing.ts';
import { createTestHost, type TestHostOptions } from '../../../helpers/cli.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';
import { charged, seen } from '../../desk/support.ts';
import { newEvent } from '../../events/support.ts';

type FindFlags = Parameters<typeof listOptions>[0] & { kind?: readonly ThingKind[] };

const BEFORE = '2026-01-01T00:00:00.000Z';

interface ShopOptions extends TestHostOptions {
  /** Further records, as they were looked up. */
  seen?: RecordSnapshot[];
  events?: readonly NewEvent[];
}

const CHARGE = { id: '071-P-C', amount: 1_490, currency: 'AUD', transaction_date: '2026-03-11' };

function seenPurchase(record: RecordSnapshot['record']): RecordSnapshot {
  return seen('purchase', { amount: 2_500, currency: 'AUD', successful: true, ...record });
}

function purchases(amounts: readonly number[], currencies: readonly string[] = []): ShopOptions {
  return {
    seen: amounts.map((amount, n) =>
      seenPurchase({ id: `071-P-A${n}`, amount, currency: currencies[n] ?? 'AUD' }),
    ),
  };
}

/** A refund that was left behind, and three purchases of which two were made. */
async function shop({ seen: records = [], events = [], ...options }: ShopOptions = {}) {
  const host = { ...createTestHost(options), processes: { self: 'me', isGone: () => true } };
  const processes = { self: 'another', isGone: () => undefined };
  const ledger = await openSqliteLedger(
    ledgerPath(host.files),
    { now: () => new Date(BEFORE) },
    { processes },
  );
  await recorded(ledger, REFUND);
  for (const reference of ['INV-1', 'INV-2', 'INV-3']) {
    const id = await recorded(ledger, sandboxPurchase(reference));
    const isMade = reference !== 'INV-3';
    await ledger.settle(id, {
      state: isMade ? 'done' : 'rejected',
      status: isMade ? 200 : 400,
      recordId: isMade ? `071-P-${reference.at(-1)}` : null,
      message: 'said',
    });
  }
  if (records.length > 0) await ledger.remember(records);
  await ledger.close();
  const store = new EventFile(ledgerPath(host.files));
  for (const event of events) await store.append(event);
  await store.close();
  const find = async (words: string[], flags: Partial<FindFlags> = {}) => {
    const context = { host, redactor: new Redactor(), root: '.' };
    const all = { limit: '20', output: 'jsonl', 'time-zone': 'UTC', ...flags } as const;
    await runFind(context, words, { ...listOptions(all), kinds: flags.kind });
    return { stdout: host.stdout.text, stderr: host.stderr.text };
  };
  return { find };
}

const lines = (text: string) => text.split('\n').filter(Boolean);

test('a request that was left behind is unknown, and found as such', async () => {
  const { find } = await shop();
  const { stdout } = await find(['r-1'], { outcome: ['unknown'], fields: 'outcome,reference' });
  expect(lines(stdout)).toEqual(['{"outcome":"unknown","reference":"R-1"}']);
});

test('a request that ended is not found as one that is being sent', async () => {
  const { find } = await shop();
  expect((await find([], { outcome: ['sending'] })).stdout).toBe('');
});

test('each thing is printed once, as `gw get` takes it, and what it does not take is counted', async () => {
  const { find } = await shop({ events: [newEvent({ event: 'charge:odd', payload: [{}] })] });
  const { stdout, stderr } = await find([], { output: 'id' });
  const rejected = expect.stringMatching(/^[\da-f]{32}$/);
  const all = ['071-P-1', '071-P-2', 'P-1', rejected];
  expect(lines(stdout)).toEqual(expect.arrayContaining(all));
  expect(lines(stdout)).toHaveLength(all.length);
  expect(stderr).toContain('1 result does not name a record');
});

test('says that there are more results than the limit', async () => {
  const { find } = await shop();
  const { stdout, stderr } = await find(['inv'], { limit: '2', fields: 'reference' });
  expect(lines(stdout)).toHaveLength(2);
  expect(stderr).toContain('There are more results.');
  expect(stderr).toContain('--limit 10');
});

test('nothing is found with what was searched, and no control character', async () => {
  const { find } = await shop();
  const { stdout, stderr } = await find(['nosuch\u001b[2J']);
  expect(stdout).toBe('');
  expect(stderr).toContain(
    'Searched: 2 purchases, 2 requests without a record, the oldest payment from 2026-01-01.',
  );
  expect(stderr).not.toContain('\u001b');
});

test.each(['19', '$19', '19,00', '19.00', '19 AUD', '19 €', 'aud 19,00'])(
  '%s finds the amounts of 19.00 and no others',
  async (typed) => {
    const { find } = await shop({ ...purchases([1_900, 11_900, 190_000]) });
    const { stdout } = await find(typed.split(' '), { output: 'csv', fields: 'id' });
    expect(lines(stdout)).toEqual(['id', '071-P-A0']);
  },
);

test.each<[typed: string, ids: string[]]>([
  ['¥19', ['071-P-A1']],
  ['1,900', ['071-P-A0']],
  ['1.900,00', ['071-P-A0']],
  ['$1,900.00', ['071-P-A0']],
  ['1900.0', ['071-P-A0']],
])('%s is read as people write amounts', async (typed, ids) => {
  const { find } = await shop({ ...purchases([190_000, 19], ['AUD', 'JPY']) });
  const { stdout } = await find([typed], { output: 'csv', fields: 'id' });
  expect(lines(stdout)).toEqual(['id', ...ids]);
});

test('two characters find the beginning of a reference, and one does', async () => {
  const known = { seen: [seenPurchase({ id: '071-P-A', reference: 'Q-1' })] };
  for (const typed of ['Q-', 'q', 'Q-1']) {
    const { find } = await shop(known);
    expect((await find([typed], { output: 'id' })).stdout, typed).toBe('071-P-A\n');
  }
  const { find } = await shop(known);
  const { stdout, stderr } = await find(['-1']);
  expect(stdout).toBe('');
  expect(stderr).toContain('at the beginning of a name or reference');
});

test('a charge that a webhook told of and that was looked up is one thing', async () => {
  const { find } = await shop({ events: [charged('approved', CHARGE)] });
  const asWebhook = { kind: 'purchase', id: '071-P-C', who: 'Li SUB-7', amount: 1_490 };
  const fields = 'kind,id,who,amount,sources';
  const [row = ''] = lines((await find(['#1'], { kind: ['purchase'], fields })).stdout);
  expect(JSON.parse(row)).toMatchObject({ ...asWebhook, sources: { record: null, events: [1] } });
  const both = await shop({ events: [charged('approved', CHARGE)], seen: [seenPurchase(CHARGE)] });
  const rows = lines((await both.find(['071-P-C'], { kind: ['purchase'], fields })).stdout);
  expect(rows.map((text) => JSON.parse(text))).toMatchObject([
    { ...asWebhook, sources: { record: '2026-03-12T09:30:00.000Z', events: [1] } },
  ]);
});

test('a payment that a present name finds is said to have the name of its time', async () => {
  const customer = { id: '071-C-SUB-7', first_name: 'Li', last_name: 'King' };
  const renamed = seen('customer', customer, { name: 'Li King' });
  const { find } = await shop({ events: [charged('approved', CHARGE)], seen: [renamed] });
  const asked = { kind: ['purchase'], fields: 'id,who' } satisfies Partial<FindFlags>;
  const before = await find(['SUB-7'], asked);
  expect(before.stderr).not.toContain('of their time');
  const { stdout, stderr } = await find(['king'], asked);
  expect(stdout).toBe(`${before.stdout}{"id":"071-P-C","who":"Li SUB-7"}\n`);
  expect(stderr).toContain(
    'Payments of Li King (071-C-SUB-7) have the name or email of their time: Li SUB-7.\n',
  );
});

test('the number of an event finds what it is about', async () => {
  const { find } = await shop({ events: [charged('approved', CHARGE)] });
  const { stdout } = await find(['#1'], { output: 'csv', fields: 'kind,id' });
  expect(lines(stdout).slice(1).toSorted()).toEqual([
    'customer,071-C-SUB-7',
    'purchase,071-P-C',
    'subscription,071-S-SUB-7',
  ]);
});

test('a card that expires is found by its customer, until it is changed from here', async () => {
  const customer = { id: '071-C-1', first_name: 'Ann', last_name: 'Bee', email: 'a@example.com' };
  const expiring = newEvent(
    { event: 'card:expiring', payload: [customer] },
    { profile: 'sandbox', receivedAt: '2026-03-12T09:00:00.000Z' },
  );
  const asked = {
    kind: ['card'],
    outcome: ['expiring'],
    fields: 'kind,id,outcome',
  } satisfies Partial<FindFlags>;
  const { find } = await shop({ events: [expiring] });
  expect((await find([], asked)).stdout).toBe(
    '{"kind":"customer","id":"071-C-1","outcome":"expiring"}\n',
  );
  const deed = { at: '2026-03-12T09:30:00.000Z', what: 'changed', fields: ['card'] } as const;
  const changed = seen('customer', customer, { deed: { ...deed, operator: 'ada', note: null } });
  const again = await shop({ events: [expiring], seen: [changed] });
  expect((await again.find([], asked)).stdout).toBe('');
});

test('a card that expires in another profile is said to be there', async () => {
  const expiring = newEvent(
    { event: 'card:expiring', payload: [{ id: '071-C-1', email: 'a@example.com' }] },
    { profile: 'sandbox' },
  );
  const { find } = await shop({
    env: {
      GW_USERNAME: 'u',
      GW_API_TOKEN: 'token',
      GW_BASE_URL: 'https://gateway.test',
      GW_ENVIRONMENT: 'sandbox',
    },
    events: [expiring],
  });
  const { stdout, stderr } = await find([], { kind: ['card'], outcome: ['expiring'] });
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('Other profiles have matches.')]);
});

test('a terminal is told what the search covers', async () => {
  const { find } = await shop({ answers: [] });
  expect((await find(['inv-1'])).stderr).toContain('since 2026-01-01');
});

test('a pipe is not', async () => {
  const { find } = await shop();
  expect((await find(['inv-1'])).stderr).toBe('');
});

test.each<[typed: string, references: string[]]>([
  ['ended february 2025', ['OVER-1']],
  ['ended in february 2025', ['OVER-1']],
  ['ended subscriptions in february 2025', ['OVER-1']],
  ['ended in march 2025', ['OVER-2']],
  ['ended in june 2025', []],
  ['payments over 20', ['P-25']],
  ['purchases under 20', ['P-19']],
  ['over 20', ['P-25']],
])('%s is read as a state, a time and a limit: %j', async (typed, references) => {
  const over = [
    ['OVER-1', '2025-02-20'],
    ['OVER-2', '2025-03-20'],
  ].map(([reference = '', end_date = '']) =>
    seen('subscription', {
      ...{ id: `071-S-${reference}`, reference, is_active: true, start_date: '2025-02-01' },
      end_date,
    }),
  );
  const paid = [
    seenPurchase({ id: '071-P-A1', reference: 'P-19', amount: 1_900 }),
    seenPurchase({ id: '071-P-A2', reference: 'P-25', amount: 2_500 }),
  ];
  const { find } = await shop({ seen: [...over, ...paid] });
  const { stdout } = await find(typed.split(' '), { output: 'csv', fields: 'reference,read_as' });
  const found = lines(stdout).map((line) => line.split(',')[0]);
  expect(found.filter((one) => /^(?:OVER|P-\d\d)/.test(one ?? ''))).toEqual(references);
});
