/** The way out of an unknown outcome: what is said of it, and what `gw journal resolve` makes of it. */
import { describe, expect, test } from 'vitest';
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
  expect(refused).toMatchObject({ code: 'duplicate-request', entry: id });
  expect(refused.next).toContain(`\`gw journal resolve ${id}\``);
  expect(refused.next).not.toContain('--allow-duplicate');
  expect(arrived.filter(({ method }) => method === 'POST')).toHaveLength(1);

  const resolved = await run('journal', 'resolve', id);
  expect(resolved.code).toBe(0);
  expect(await journal()).toMatchObject([{ state: 'done', record_id: '071-P-7' }]);
  expect((await run(...PAY, 'INV-1')).stderr).toContain('--allow-duplicate');
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
