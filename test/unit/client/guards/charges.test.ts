/**
 * The price of a request, at gateways that look records up in different ways, with the look-ups that the gateway
 * gets for it.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCommand } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const GOLD = { id: '071-PL-1', reference: 'GOLD', name: 'Gold', amount: 1500, currency: 'AUD' };
const SILVER = { id: '071-PL-2', reference: 'SILVER', name: 'Silver', amount: 900 };
const WEEKLY = {
  ...{ id: '071-S-1', reference: 'SUB-1', customer: '071-C-1', plan: '071-PL-1' },
  ...{ frequency: 'Weekly', start_date: '2026-01-01', next_billing_date: '2026-02-05' },
};
const ADA = { id: '071-C-1', first_name: 'Ada', last_name: 'Byron' };
const RECORDS: Readonly<Record<string, readonly JsonObject[]>> = {
  ...{ plans: [GOLD, SILVER], subscriptions: [WEEKLY], customers: [ADA] },
};

interface Setting {
  /** Whether ids and references both find a record, as at some deployments. */
  takesBoth?: boolean;
  /** One plan a page, numbered from here. */
  firstPage?: number;
  /** The most that the profile permits, in minor units; null for no limit. */
  maxAmount?: number | null;
  /** The currency of the profile, and so of its limit. */
  currency?: string;
  environment?: 'live' | 'sandbox';
  /** The answer of the person. */
  answers?: string[];
  stdin?: string;
}

/** A gateway of the interface's text: plans and customers by id, subscriptions by reference. */
function answerTo(
  { method, target, body }: { method: string; target: string; body: string },
  { takesBoth = false, firstPage = 1 }: Setting,
): string {
  const envelope = (response: unknown, counts = {}, errors: string[] = []) =>
    JSON.stringify({ successful: errors.length === 0, response, errors, test: false, ...counts });
  const { pathname, searchParams } = new URL(target, 'http://x');
  const [, , kind = '', name = ''] = pathname.replace(/\.json$/, '').split('/');
  if (method !== 'GET') {
    const record = { ...WEEKLY, ...JSON.parse(body), ...(method === 'POST' && { id: '071-S-2' }) };
    return answer(200, envelope(record));
  }
  const known = RECORDS[kind] ?? [];
  if (name === '') {
    const page = Number(searchParams.get('offset') ?? firstPage);
    const counts = { total_records: known.length, pages: known.length, current_page: page };
    return answer(200, envelope(known.slice(page - firstPage, page - firstPage + 1), counts));
  }
  const own = kind === 'subscriptions' ? 'reference' : 'id';
  const by = takesBoth ? ['id', 'reference'] : [own];
  const found = known.find((record) => by.some((field) => record[field] === name));
  return found ? answer(200, envelope(found)) : answer(404, envelope({}, {}, ['Record not found']));
}

/** Runs commands one after the other, in one home, and says what the last one asked of the gateway. */
async function run(commands: readonly string[], setting: Setting = {}) {
  const { maxAmount = 100_000, currency, environment = 'live', answers, stdin } = setting;
  const server = await hostileServer({
    onRequest: (socket, request) => socket.write(answerTo(request, setting)),
  });
  const limit = maxAmount === null ? {} : { maxAmount };
  const profile = {
    ...{ environment, baseUrl: server.url.href, ...limit },
    ...(currency && { currency }),
  };
  const home = temporaryDirectory();
  const options = {
    ...{ home, profiles: { shop: profile }, ...(answers && { answers }), ...(stdin && { stdin }) },
    env: { GW_PROFILE: 'shop', GW_USERNAME: 'ada', GW_API_TOKEN: 'secret-token' },
  };
  const results = [];
  let before = 0;
  for (const command of commands) {
    before = server.requests.length;
    results.push(await runCommand('fast path', command.split(' '), options));
  }
  const last = results.at(-1)!;
  const asked = server.requests.slice(before).map(({ method, target }) => {
    const short = target.replace('/v1.0/', '').replace(/\.json/, '');
    return method === 'GET' ? short : `${method} ${short}`;
  });
  return { ...last, asked };
}

const create = (plan: string, more = '') =>
  `subscription create --customer 071-C-1 --plan ${plan} --frequency Daily --reference NEW${more}`;
const CONFIRM = ' --confirm shop';

describe('the price of a plan', () => {
  test.each<[what: string, plan: string, setting: Setting, asked: string[]]>([
    ['by its id', '071-PL-2', {}, ['plans/071-PL-2', 'plans']],
    [
      'by a reference, which a gateway takes',
      'SILVER',
      { takesBoth: true },
      ['plans/SILVER', 'plans'],
    ],
    ['in a walk over the plans', 'SILVER', {}, ['plans/SILVER', 'plans', 'plans?offset=2']],
    [
      'in a walk over pages that are numbered from 0',
      'SILVER',
      { firstPage: 0 },
      ['plans/SILVER', 'plans', 'plans?offset=1'],
    ],
    ['on the first page', 'GOLD', {}, ['plans/GOLD', 'plans']],
  ])('is requested %s', async (_, plan, setting, asked) => {
    const sent = await run([create(plan, CONFIRM)], setting);
    expect(sent.failure).toBeUndefined();
    expect(sent.asked).toEqual([...asked, 'POST subscriptions']);
    const above = await run([create(plan, CONFIRM)], { ...setting, maxAmount: 899 });
    expect(above.failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
    expect(above.failure?.message).toMatch(new RegExp(`^Each charge of ${plan}: `));
    expect(above.asked).toEqual(asked);
  });

  test('in another currency than the limit is refused', async () => {
    const { failure, asked } = await run([create('GOLD', CONFIRM)], { currency: 'JPY' });
    expect(failure).toMatchObject({ kind: 'guard', code: 'limit-in-other-currency' });
    expect(failure?.message).toBe(
      'Each charge of GOLD: gw cannot compare an amount in AUD with the limit of the profile shop, 100000 JPY.',
    );
    expect(asked).toEqual(['plans/GOLD', 'plans']);
    const same = await run([create('GOLD', CONFIRM)], { currency: 'AUD' });
    expect(same.failure).toBeUndefined();
  });

  test('is not there if the gateway has no such plan', async () => {
    const { failure, asked } = await run([create('LEAD', CONFIRM)]);
    expect(failure).toMatchObject({ kind: 'notFound', code: 'not-found' });
    expect(asked).toEqual(['plans/LEAD', 'plans', 'plans?offset=2']);
  });

  test('is requested once for the limit and the confirmation', async () => {
    const { failure, stderr, asked } = await run([create('SILVER')], { answers: ['shop'] });
    expect(failure).toBeUndefined();
    expect(stderr).toMatch(/Plan +SILVER, Silver: 9\.00 AUD each time\n/);
    expect(stderr).toMatch(/Customer +Ada Byron \(071-C-1\)\n/);
    expect(asked).toEqual([
      ...['plans/SILVER', 'plans', 'plans?offset=2'],
      ...['customers/071-C-1', 'POST subscriptions'],
    ]);
  });

  test('is not requested if this machine knows the plan, and neither a limit nor a confirmation needs it', async () => {
    const unlimited = { environment: 'sandbox', maxAmount: null } as const;
    const { asked } = await run(['plan list --all', create('SILVER')], unlimited);
    expect(asked).toEqual(['POST subscriptions']);
    const free = await run(['plan list --all', create('SILVER', ' --no-is-active')]);
    expect(free.asked).toEqual(['POST subscriptions']);
  });

  test('is requested once for all lines of a batch', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `071-C-1,SILVER,Daily,B-${n}`);
    const stdin = ['customer,plan,frequency,reference', ...lines].join('\n');
    const { asked } = await run([`subscription batch -${CONFIRM}`], {
      ...{ stdin, takesBoth: true, maxAmount: 899 },
    });
    expect(asked).toEqual(['plans/SILVER', 'plans']);
  });

  test('is not requested in a dry run, which says so', async () => {
    const { failure, stderr, asked } = await run([
      'plan list --all',
      create('SILVER', ' --dry-run'),
    ]);
    expect(failure).toBeUndefined();
    expect(stderr).toContain('gw does not know how much SILVER charges: the real run looks it up');
    expect(asked).toEqual([]);
  });
});

test.each([
  { plan_id: '071-PL-1' },
  { subscription: { plan: 'GOLD' } },
  { new_plan: { id: '071-PL-1' } },
])('the price is unknown if the gateway answers %j', async (other) => {
  const body = { customer: '071-C-1', plan: 'SILVER', frequency: 'Daily', reference: 'NEW' };
  const { failure, asked } = await run([`subscription create --input -${CONFIRM}`], {
    ...{ stdin: JSON.stringify({ ...body, ...other }), takesBoth: true },
  });
  expect(failure).toMatchObject({ kind: 'guard', code: 'plan-amount-unknown' });
  expect(asked).toEqual(['plans/SILVER']);
  const same = JSON.stringify({ ...body, plan_id: 'SILVER', explanation: 'GOLD' });
  const { asked: sent } = await run([`subscription create --input -${CONFIRM}`], {
    ...{ stdin: same, takesBoth: true },
  });
  expect(sent).toEqual(['plans/SILVER', 'plans', 'POST subscriptions']);
});

describe('the name of a plan', () => {
  test.each(['Silver', 'silver', 'sILVER'])('%s names the only plan so called', async (name) => {
    for (const command of [
      create(name, CONFIRM),
      `subscription move SUB-1 --plan ${name}${CONFIRM}`,
    ]) {
      const { failure, stderr, asked } = await run([command]);
      expect(failure).toBeUndefined();
      expect(stderr).toContain(`${name} is the reference of plan 071-PL-2, SILVER.`);
      expect(asked.at(-1)).toBe('POST subscriptions');
      const dry = await run([`${command} --dry-run`]);
      expect(JSON.stringify(dry.stdout)).toMatch(/plan[^,]*SILVER/);
      expect(dry.asked.join()).not.toMatch(/PUT|POST/);
    }
  });

  test.each([create('LEAD'), 'subscription move SUB-1 --plan LEAD'])(
    'that no plan has fails a dry run too: %s',
    async (command) => {
      const { failure, asked } = await run([`${command} --dry-run`]);
      expect(failure).toMatchObject({ code: 'not-found', exitCode: 4 });
      expect(failure?.next).toContain('071-PL-2 (Silver, SILVER');
      expect(asked.join()).not.toMatch(/PUT|POST/);
    },
  );
});

describe('a resumed subscription', () => {
  const resume = `subscription update 071-S-1 --is-active${CONFIRM}`;

  test('charges its plan, if the gateway looks subscriptions up by id', async () => {
    const { asked } = await run([resume], { takesBoth: true });
    expect(asked).toEqual([
      ...['subscriptions/071-S-1', 'plans/071-PL-1', 'PUT subscriptions/071-S-1'],
    ]);
    const above = await run([resume], { takesBoth: true, maxAmount: 1499 });
    expect(above.failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
  });

  test('is looked up by its reference if this machine knows it', async () => {
    const { asked } = await run([`subscription update SUB-1 --is-active${CONFIRM}`]);
    expect(asked).toEqual([
      ...['subscriptions/SUB-1', 'subscriptions/SUB-1', 'plans/071-PL-1'],
      'PUT subscriptions/071-S-1',
    ]);
  });

  test('has an unknown price if neither the id nor the reference is found', async () => {
    const { failure, asked } = await run([resume]);
    expect(failure).toMatchObject({ kind: 'guard', code: 'plan-amount-unknown' });
    expect(asked).toEqual(['subscriptions/071-S-1']);
  });

  test('with another plan in its body has an unknown price', async () => {
    const { failure } = await run([`subscription update 071-S-1 --input -${CONFIRM}`], {
      ...{ takesBoth: true, stdin: '{"is_active": true, "plan": "SILVER"}' },
    });
    expect(failure).toMatchObject({ code: 'plan-amount-unknown' });
  });

  test('is shown with its customer and its next billing date', async () => {
    const { stderr } = await run(['subscription update 071-S-1 --is-active'], {
      ...{ takesBoth: true, answers: ['no', 'no', 'no'] },
    });
    expect(stderr).toMatch(
      /Plan +071-PL-1, Gold: 15\.00 AUD each time\n.*Customer +Ada Byron \(071-C-1\)\n.*Frequency +Weekly\n.*First billing +the gateway decides, because 2026-02-05 has passed\n/,
    );
  });

  test('is shown with an unknown price', async () => {
    const { stderr } = await run(['subscription update 071-S-1 --is-active'], {
      ...{ maxAmount: null, answers: ['no', 'no', 'no'] },
    });
    expect(stderr).toMatch(/Plan +unknown: gw does not know what it charges\n/);
  });
});

test('a plan is found by its reference on every page of the list', async () => {
  const { failure, stderr, asked } = await run(['get SILVER']);
  expect(failure).toBeUndefined();
  expect(stderr).toContain("Found SILVER in the gateway's list of plans.");
  expect(asked.slice(-2)).toEqual(['plans', 'plans?offset=2']);
});

describe('a moved subscription', () => {
  test.each<[plan: string, setting: Setting, asked: string[]]>([
    ['071-PL-2', {}, ['plans/071-PL-2', 'subscriptions/NEW', 'plans']],
    ['SILVER', { takesBoth: true }, ['plans/SILVER', 'subscriptions/NEW', 'plans']],
    ['SILVER', {}, ['plans/SILVER', 'plans', 'plans?offset=2', 'subscriptions/NEW']],
  ])('to %s requests its price once', async (plan, setting, asked) => {
    const move = `subscription move SUB-1 --plan ${plan} --new-reference NEW${CONFIRM}`;
    const moved = await run([move], setting);
    expect(moved.failure).toBeUndefined();
    expect(moved.asked).toEqual([
      ...['subscriptions/SUB-1', ...asked],
      ...['PUT subscriptions/071-S-1', 'POST subscriptions'],
    ]);
    const above = await run([move], { ...setting, maxAmount: 899 });
    expect(above.failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
    expect(above.asked).toEqual(['subscriptions/SUB-1', ...asked]);
  });

  test.each([{}, { environment: 'sandbox' }] as const)(
    'does not change if the gateway has no such plan: %j',
    async (setting) => {
      const { failure, asked } = await run(
        [`subscription move SUB-1 --plan LEAD --new-reference NEW${CONFIRM}`],
        { ...setting },
      );
      expect(failure).toMatchObject({ kind: 'notFound', exitCode: 4 });
      expect(asked.slice(0, 2)).toEqual(['subscriptions/SUB-1', 'plans/LEAD']);
      expect(asked.join()).not.toMatch(/PUT|POST/);
    },
  );
});
