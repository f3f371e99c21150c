/** The way out of an unknown outcome: what is said of it, and what `gw journal resolve` makes of it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import type { Dialect } from '../../src/contract/local-account.ts';
import { createGateway } from '../../src/emulator/gateway.ts';
import { openState } from '../../src/emulator/state.ts';
import { basicAuthorization } from '../../src/host/http/basic-auth.ts';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '1000', '--reference'];
const REFUND = ['refund', 'create', '--transaction-id', '071-P-1', '--amount', '5', '--reference'];
const RECORD = { id: '071-P-7', amount: 1000, successful: true, reference: 'INV-1' };
const found = (record: object) => {
  const response = { ...RECORD, transaction_date: new Date().toISOString(), ...record };
  return answer(200, JSON.stringify({ successful: true, response, errors: [], test: true }));
};

/** Loses the answer to whatever changes something; looks up with the answer for the last part of the path. */
const losing = (records: Readonly<Record<string, string>>): Behaviour => ({
  onRequest(socket, { method, target }) {
    const record = records[target.split('/').at(-1) ?? ''];
    if (method !== 'GET') socket.resetAndDestroy();
    else
      socket.write(record ?? answer(404, '{"successful":false,"errors":["Purchase not found"]}'));
  },
});

interface Entry {
  id: string;
  state: string;
  reference: string;
  record_id: string | null;
}

async function lose(records: Readonly<Record<string, string>>, ...requests: string[][]) {
  const home = temporaryDirectory();
  const { url, requests: arrived } = await hostileServer(losing(records));
  const run = (...args: string[]) => gw(args, { url, home });
  const ends = [];
  for (const args of requests) ends.push(await run(...args, '-o', 'json'));
  const journal = async () =>
    JSON.parse((await run('journal', 'list', '-o', 'json')).stdout) as Entry[];
  return { run, ends, journal, arrived };
}

test('an unknown outcome names its entry and the command that resolves it, and so does a repeat', async () => {
  const { run, ends, journal, arrived } = await lose({ 'INV-1': found({}) }, [...PAY, 'INV-1']);
  const [{ id }] = (await journal()) as [Entry];
  expect(ends[0]!.code).toBe(8);
  const { error } = JSON.parse(ends[0]!.stderr);
  expect(error).toMatchObject({ kind: 'unknown', code: 'outcome-unknown', entry: id });
  expect(error.next).toContain(`Run \`gw journal resolve ${id}\` to find out`);

  const repeat = await run(...PAY, 'INV-1', '-o', 'json');
  expect(repeat.code).toBe(10);
  const refused = JSON.parse(repeat.stderr).error;
  expect(refused).toMatchObject({ code: 'duplicate-request', entry: id, state: 'unknown' });
  expect(refused.next).toContain(`\`gw journal resolve ${id}\``);
  expect(refused.next).not.toContain('--allow-duplicate');
  expect(arrived.filter(({ method }) => method === 'POST')).toHaveLength(1);

  const resolved = await run('journal', 'resolve', id);
  expect(resolved.code).toBe(0);
  expect(await journal()).toMatchObject([{ state: 'done', record_id: '071-P-7' }]);
  expect((await run(...PAY, 'INV-1')).stderr).toContain('give it another --reference');
});

describe('a record of another request resolves nothing', () => {
  test.each([
    ['another amount', { amount: 999_999 }, 'its amount is 999999, not 1000 as requested'],
    ['another reference', { reference: 'INV-2' }, 'INV-2'],
    ['another token', { card_token: 'kot_2', reference: 'inv-1' }, 'its reference differs'],
    ['no amount', { amount: null }, 'it does not show its amount'],
  ])('with %s', async (_, record, why) => {
    const { run, journal } = await lose({ 'INV-1': found(record) }, [...PAY, 'INV-1']);
    const [{ id }] = (await journal()) as [Entry];
    const { code, stderr } = await run('journal', 'resolve', id);
    expect(code).toBe(8);
    expect(stderr).toContain(why);
    expect(await journal()).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('an answer with several records', () => {
  const REJECTED = { id: '071-P-1', amount: 1000, reference: 'INV-1', successful: false };
  const said = (id: string, record: object): [string, string] => [id, found({ ...record, id })];
  const rejected = (id: string) => said(id, { successful: false, message: null });
  const approved = (id: string) => said(id, {});
  const declined = (id: string) => said(id, { successful: false, message: 'Declined' });

  /** Answers a purchase with records of those ids, and a look-up of each as it is given. */
  async function answering(ids: readonly string[], known: Readonly<Record<string, string>>) {
    const home = temporaryDirectory();
    const records = ids.map((id) => ({ ...REJECTED, id, message: null }));
    const { url, requests } = await hostileServer({
      onRequest(socket, { method, target }) {
        const body = { successful: false, response: records, errors: ['No'], test: true };
        const name = target.split('/').at(-1) ?? '';
        const looked = known[name] ?? answer(404, '{"successful":false,"errors":["Not found"]}');
        socket.write(method === 'GET' ? looked : answer(200, JSON.stringify(body)));
      },
    });
    const run = (...args: string[]) => gw(args, { url, home });
    const pay = () => run(...PAY, 'INV-1', '-o', 'json');
    const entry = async () =>
      (JSON.parse((await run('journal', 'list', '-o', 'json')).stdout) as Entry[])[0] as Entry;
    const asked = () =>
      requests.flatMap(({ method, target }) =>
        method === 'GET' ? target.split('/').slice(-1) : [],
      );
    return { run, pay, entry, asked };
  }

  const IDS = ['071-P-1', '071-P-7'];
  test.each<[what: string, known: [string, string][], state: string, id: string]>([
    [
      'a rejected and an approved one is done',
      [rejected('071-P-1'), approved('071-P-7')],
      'done',
      '071-P-7',
    ],
    ['two approved ones is done', [approved('071-P-1'), approved('071-P-7')], 'done', '071-P-1'],
    [
      'two rejected ones is rejected',
      [rejected('071-P-1'), rejected('071-P-7')],
      'rejected',
      '071-P-1',
    ],
    [
      'two declined ones is declined',
      [declined('071-P-1'), declined('071-P-7')],
      'declined',
      '071-P-1',
    ],
    [
      'a declined and a rejected one stays unknown',
      [declined('071-P-1'), rejected('071-P-7')],
      'unknown',
      IDS.join(', '),
    ],
    [
      'a rejected one and one that is not found stays unknown',
      [rejected('071-P-1')],
      'unknown',
      IDS.join(', '),
    ],
    [
      'an approved one and one that is not found stays unknown',
      [approved('071-P-7')],
      'unknown',
      IDS.join(', '),
    ],
    [
      'a rejected one and one of another amount stays unknown',
      [rejected('071-P-1'), said('071-P-7', { amount: 5 })],
      'unknown',
      IDS.join(', '),
    ],
  ])('an answer with several records makes gw look up each: %s', async (_, known, state, id) => {
    const { run, pay, entry, asked } = await answering(IDS, Object.fromEntries(known));
    const first = await pay();
    expect(first.code).toBe(8);
    expect(JSON.parse(first.stderr).error.message).toContain('2 records instead of one');
    expect((await pay()).code).toBe(10);
    const resolved = await run('journal', 'resolve', (await entry()).id);
    expect(resolved.code).toBe(state === 'unknown' ? 8 : 0);
    expect(resolved.stderr.includes('This is certain.')).toBe(state !== 'unknown');
    expect(asked()).toEqual(IDS);
    expect(await entry()).toMatchObject({ state, record_id: id });
    expect((await pay()).code).toBe(state === 'done' || state === 'unknown' ? 10 : 8);
  });

  test('a repeated record is looked up once', async () => {
    const { run, pay, asked, entry } = await answering(
      ['071-P-1', '071-P-1'],
      Object.fromEntries([rejected('071-P-1')]),
    );
    expect((await pay()).code).toBe(8);
    expect((await run('journal', 'resolve')).code).toBe(0);
    expect(asked()).toEqual(['071-P-1']);
    expect(await entry()).toMatchObject({ state: 'rejected' });
  });
});

describe('the test gateway lists purchases by reference in one dialect', () => {
  const { card_number } = TEST_CARDS.approved;
  const CARD = { card_number, card_holder: 'Ada Byron', card_expiry: '05/2099', cvv: '123' };
  const GW_PAY = [
    ...['purchase', 'create', '--card-token', 'tok', '--amount', '1000'],
    ...['--reference', 'INV 1/ä&'],
  ];

  interface Flaws {
    isProcessed?: boolean;
    /** Answers the list. */
    list?: string;
  }

  /** Processes what changes something, unless it is told not to, and loses the answer. */
  async function behind(dialect: Dialect, { isProcessed = true, list }: Flaws = {}) {
    const store = openState({ path: ':memory:', clock: { now: () => new Date() } });
    onTestFinished(() => store.close());
    store.write((tx) => tx.setDialect(dialect));
    const gateway = createGateway({ store });
    const ask = (method: string, target: string, body?: string) =>
      gateway.answer({ method, target, body, authorization: basicAuthorization('TEST', 'TEST') });
    const make = async (path: string, body: object) =>
      JSON.parse((await ask('POST', path, JSON.stringify(body))).body).response;
    const pay = (change: object) =>
      make('/v1.0/purchases', { amount: 1000, reference: 'INV 1/ä&', ...change });
    const { token: card_token } = await make('/v1.0/credit_cards', CARD);
    const { url, requests } = await hostileServer({
      onRequest(socket, { method, target, body }) {
        if (method !== 'GET' && !isProcessed) return void socket.resetAndDestroy();
        void ask(method, target, body).then(({ status, body: text }) => {
          const isList = list !== undefined && target.includes('?');
          if (method === 'GET') socket.write(isList ? list : answer(status, text));
          else socket.resetAndDestroy();
        });
      },
    });
    const home = temporaryDirectory();
    const run = (...args: string[]) => gw(args, { url, home });
    const lost = () => run(...GW_PAY.map((word) => (word === 'tok' ? card_token : word)));
    const state = async () =>
      (JSON.parse((await run('journal', 'list', '-o', 'json')).stdout) as Entry[]).map(
        (entry) => entry.state,
      );
    const asked = () => requests.flatMap(({ method, target }) => (method === 'GET' ? target : []));
    return { store, card_token, pay, run, lost, state, asked };
  }
  const LIST = '/v1.0/purchases?reference=INV+1%2F%C3%A4%26';
  const BY_REFERENCE = '/v1.0/purchases/INV%201%2F%C3%A4%26';

  test('the purchase in the list is looked up by its id', async () => {
    const { run, lost, state, asked } = await behind('deployed');
    expect((await lost()).code).toBe(8);
    const { code, stderr } = await run('journal', 'resolve');
    expect({ code, state: await state() }).toEqual({ code: 0, state: ['done'] });
    expect(stderr).toMatch(/: The gateway lists purchase \S+ with reference INV 1\/ä&\. It was/);
    expect(asked()).toEqual([LIST, expect.stringMatching(/^\/v1\.0\/purchases\/\d+-P-\w+$/)]);
  });

  test.each([404, 405, 501])('a list that is answered with %i: the reference', async (status) => {
    const list = answer(status, '{"successful":false,"response":{},"errors":["No"]}');
    const { run, lost, state, asked } = await behind('deployed', { list });
    expect((await lost()).code).toBe(8);
    const { code, stderr } = await run('journal', 'resolve');
    expect({ code, state: await state() }).toEqual({ code: 0, state: ['done'] });
    expect(stderr).toMatch(/: The gateway found purchase \S+ by its reference INV 1\/ä&\. It was/);
    expect(asked()).toEqual([LIST, BY_REFERENCE]);
  });

  test.each<[Dialect, string]>([
    ['deployed', 'The gateway lists no purchase with reference INV 1/ä&.'],
    ['strict', 'The gateway found no purchase with reference INV 1/ä&.'],
  ])('%s: a request that never arrived stays unknown', async (dialect, said) => {
    const { run, lost, state, asked } = await behind(dialect, { isProcessed: false });
    expect((await lost()).code).toBe(8);
    const { code, stderr } = await run('journal', 'resolve');
    expect({ code, state: await state() }).toEqual({ code: 8, state: ['unknown'] });
    expect(stderr).toContain(said);
    expect(asked()).toEqual([LIST, BY_REFERENCE]);
  });

  test('a declined purchase with the reference leaves the approved one certain', async () => {
    const { run, pay, lost, state, asked } = await behind('deployed');
    await pay({ ...CARD, card_number: TEST_CARDS.declined.card_number });
    expect((await lost()).code).toBe(8);
    // The approved one has the reference, so the gateway rejects this, and does not list it.
    await pay(CARD);
    expect((await run('journal', 'resolve')).code).toBe(0);
    expect(await state()).toEqual(['done']);
    expect(asked()).toHaveLength(2);
  });

  test('a second approved purchase with the reference leaves the outcome unknown', async () => {
    const { store, card_token, run, pay, lost, state, asked } = await behind('strict');
    expect((await lost()).code).toBe(8);
    await pay({ card_token });
    store.write((tx) => tx.setDialect('deployed'));
    const { code, stderr } = await run('journal', 'resolve');
    expect({ code, state: await state() }).toEqual({ code: 8, state: ['unknown'] });
    expect(stderr).toContain('2 purchases with reference INV 1/ä& that may be of this request');
    expect(asked()).toEqual([LIST]);
  });

  test('purchases of another amount or card leave the first one certain', async () => {
    const { store, card_token, run, pay, lost, state } = await behind('strict');
    await pay({ card_token, amount: 1001 });
    expect((await lost()).code).toBe(8);
    await pay({ card_token, amount: 999 });
    await pay(CARD);
    store.write((tx) => tx.setDialect('deployed'));
    expect((await run('journal', 'resolve')).code).toBe(0);
    expect(await state()).toEqual(['done']);
  });

  test('more purchases with the reference than one page leave the outcome unknown', async () => {
    const { store, card_token, run, pay, lost, state } = await behind('strict');
    for (let n = 0; n < 101; n++) await pay({ card_token, amount: 1 });
    expect((await lost()).code).toBe(8);
    store.write((tx) => tx.setDialect('deployed'));
    const { code, stderr } = await run('journal', 'resolve');
    expect({ code, state: await state() }).toEqual({ code: 8, state: ['unknown'] });
    expect(stderr).toContain('The gateway has more purchases with reference INV 1/ä&');
  });
});

describe('a hostile list of purchases', () => {
  const one = { ...RECORD, transaction_date: new Date().toISOString() };
  const listOf = (response: unknown, more: object = {}) =>
    answer(200, JSON.stringify({ successful: true, response, errors: [], test: true, ...more }));

  test.each<[what: string, list: string]>([
    ['another purchase than it has', listOf([one])],
    ['something that is no record', listOf([one, 7])],
    ['a refusal', listOf([one], { successful: false, errors: ['No'] })],
    ['an id that leads elsewhere', listOf([{ ...one, id: '..' }])],
    ['an id of half a character', listOf([{ ...one, id: '\ud800' }])],
    ['an id that a terminal would obey', listOf([{ ...one, id: '\u001b[2J\nDone.' }])],
    ['a page', answer(200, '<html>purchases</html>')],
    ['a redirect', answer(302, '')],
    ['half a list', answer(200, '{"successful":true,"response":[{"id":"071-P-7"')],
    ['no method', answer(405, '')],
    ['an error', answer(501, '{"successful":false,"response":{},"errors":["No"]}')],
  ])('resolves nothing by itself: %s', async (_, list) => {
    const { run, journal } = await lose({ 'purchases?reference=INV-1': list }, [...PAY, 'INV-1']);
    const { code, stderr } = await run('journal', 'resolve');
    expect({ code, states: (await journal()).map(({ state }) => state) }).toEqual({
      code: 8,
      states: ['unknown'],
    });
    expect(stderr).not.toContain('as good as certain');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('gw journal resolve without an id', () => {
  test('resolves what it can and reports the rest on a line each', async () => {
    const { run, journal } = await lose(
      { 'INV-1': found({}), 'INV-2': found({ id: '071-P-8', reference: 'INV-2', amount: 1 }) },
      [...PAY, 'INV-1'],
      [...REFUND, 'RET-1', '--allow-over-refund'],
      [...PAY, 'INV-2'],
    );
    const { code, stdout, stderr } = await run('journal', 'resolve', '-o', 'json');
    expect(code).toBe(8);
    expect(
      (JSON.parse(stdout) as Entry[]).map(({ reference, state }) => [reference, state]),
    ).toEqual([
      ['INV-2', 'unknown'],
      ['RET-1', 'unknown'],
      ['INV-1', 'done'],
    ]);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('its amount is 1, not 1000 as requested');
    expect(lines[1]).toContain('refund create RET-1: The gateway looks up refunds only by id');
    expect(lines[2]).toContain('as good as certain');
    expect(JSON.parse(lines[3]!).error).toMatchObject({
      code: 'outcome-still-unknown',
      exit_code: 8,
      message: '2 outcomes are still unknown.',
    });
    expect((await journal()).map(({ state }) => state)).toEqual(['unknown', 'unknown', 'done']);
  });

  test('succeeds if all or no requests were unknown', async () => {
    const { run } = await lose({ 'INV-1': found({}) }, [...PAY, 'INV-1']);
    expect((await run('journal', 'resolve')).code).toBe(0);
    const again = await run('journal', 'resolve', '-o', 'json');
    expect(again).toMatchObject({ code: 0, stdout: '[]\n', stderr: 'Every outcome is known.\n' });
  });

  test('reports an entry of another gateway and goes on', async () => {
    const home = temporaryDirectory();
    const [one, two] = [
      await hostileServer(losing({})),
      await hostileServer(losing({ B: found({ reference: 'B' }) })),
    ];
    await gw([...PAY, 'A'], { url: one.url, home, env: { GW_USERNAME: 'other' } });
    await gw([...PAY, 'B'], { url: two.url, home });
    const { code, stdout, stderr } = await gw(['journal', 'resolve', '-o', 'json'], {
      url: two.url,
      home,
    });
    expect(code).toBe(8);
    expect((JSON.parse(stdout) as Entry[]).map(({ state }) => state)).toEqual(['done', 'unknown']);
    expect(stderr).toContain(one.url.host);
    expect(one.requests).toHaveLength(1);
  });

  test('refuses --as', async () => {
    const { run, journal } = await lose({}, [...PAY, 'INV-1']);
    expect((await run('journal', 'resolve', '--as', 'not-done')).code).toBe(2);
    expect(await journal()).toMatchObject([{ state: 'unknown' }]);
  });
});
