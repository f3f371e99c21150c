/** `gw subscription move`, where the gateway goes away between its two requests, and of a stopped subscription. */
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCommand } from '../../../helpers/cli.ts';
import {
  type ArrivedRequest,
  answer,
  type HostileServer,
  hostileServer,
} from '../../../helpers/hostile-server.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const SUBSCRIPTION = {
  id: 'S-1',
  reference: 'SUB-1',
  customer: 'C-1',
  plan: 'GOLD',
  frequency: 'Monthly',
  next_billing_date: '2026-02-15',
};

/** The gateway answers a request, its answer is lost, it is rejected, or the gateway is gone before. */
type Fate = 'answered' | 'lost' | 'rejected' | 'unreachable';

interface Setting {
  subscription?: object;
  put?: Fate;
  post?: Fate;
  takesEnd?: boolean;
}

/** A gateway that does what it is asked, and remembers it. */
class Shop {
  readonly home = temporaryDirectory();
  readonly stored = new Map<string, JsonObject>();
  fates: Record<string, Fate>;
  server: HostileServer | undefined;
  made = 0;
  readonly #takesEnd: boolean;

  constructor(setting: Setting = {}) {
    const { subscription = SUBSCRIPTION, put = 'answered', post = 'answered' } = setting;
    this.#takesEnd = setting.takesEnd ?? true;
    this.fates = { PUT: put, POST: post };
    this.stored.set('SUB-1', { ...SUBSCRIPTION, ...subscription });
  }

  move(...more: string[]) {
    return this.run('subscription', 'move', 'SUB-1', '--plan', 'SILVER', ...more);
  }

  async run(...words: string[]) {
    this.server ??= await hostileServer({
      onRequest: (socket, asked) => this.#answer(socket, asked),
    });
    const argv = [...words, '--no-input'];
    const env = {
      GW_USERNAME: 'shop',
      GW_API_TOKEN: 'secret-token',
      GW_BASE_URL: this.server.url.href,
      GW_ENVIRONMENT: 'sandbox',
    };
    return runCommand('fast path', argv, { env, home: this.home, now: '2026-02-10T09:30:00.000Z' });
  }

  /** @returns the subscriptions that bill somebody */
  get active() {
    return [...this.stored.values()].filter(({ is_active }) => is_active !== false);
  }

  #answer(socket: Socket, { method, target, body }: ArrivedRequest): void {
    const say = (status: number, response: object, errors: string[] = []) =>
      socket.end(
        answer(
          status,
          JSON.stringify({ successful: errors.length === 0, response, errors, test: true }),
          { connection: 'close' },
        ),
      );
    if (target.includes('/plans/')) return void say(200, { id: 'SILVER', amount: 1 });
    const fate = this.fates[method] ?? 'answered';
    if (fate === 'rejected') return void say(400, {}, ['Not possible']);
    if (fate === 'unreachable') return void socket.destroy();
    const name = /subscriptions\/([^/.]+)/.exec(target)?.[1] ?? '';
    const found = [...this.stored.values()].find(({ id, reference }) =>
      [id, reference].includes(name),
    );
    if (method !== 'POST' && !found) return void say(404, {}, ['Record not found']);
    const made = method === 'POST' ? { ...JSON.parse(body), id: `S-${++this.made + 1}` } : found;
    if (method === 'POST' && !this.#takesEnd) Object.assign(made, { end_date: null });
    if (method === 'PUT') Object.assign(made, JSON.parse(body));
    this.stored.set(String(made.reference), made);
    if (fate === 'lost') socket.destroy();
    else say(method === 'POST' ? 201 : 200, made);
  }
}

test('a move stops one and makes the other', async () => {
  const shop = new Shop();
  expect((await shop.move()).failure).toBeUndefined();
  expect(shop.active).toMatchObject([{ reference: 'SUB-1-SILVER', start_date: '2026-02-15' }]);
});

test('the same move again says that it is done, and names no way to bill twice', async () => {
  const shop = new Shop();
  await shop.move();
  const { failure, stdout, stderr } = await shop.move();
  expect(failure).toBeUndefined();
  expect(stdout).toContain('SUB-1-SILVER');
  expect(stderr).toContain('SUB-1 was stopped before; SUB-1-SILVER takes its place.');
  expect(shop.made).toBe(1);
});

test.each(['rejected', 'lost'] as const)(
  'where stopping is %s, the same move again makes one that bills',
  async (put) => {
    const shop = new Shop({ put });
    const { failure } = await shop.move();
    expect(failure?.code).toBe(put === 'lost' ? 'outcome-unknown' : 'rejected-by-gateway');
    expect(failure?.next).not.toMatch(/resume|create/);
    shop.fates = {};
    expect((await shop.move()).failure).toBeUndefined();
    expect(shop.active).toMatchObject([{ reference: 'SUB-1-SILVER', start_date: '2026-02-15' }]);
  },
);

test('where the second request is rejected, the same move again finishes', async () => {
  const shop = new Shop({ post: 'rejected' });
  const { failure } = await shop.move();
  expect(failure).toMatchObject({ kind: 'rejected', operation: 'subscription move' });
  expect(failure?.message).toMatch(/^SUB-1 was stopped, but the new one was not created\. /);
  expect(failure?.next).toBe(
    'To finish the move, run the same command again. To bill as before instead, run `gw subscription resume S-1`.',
  );
  expect(failure?.sent).toBeUndefined();
  shop.fates = {};
  expect((await shop.move()).failure).toBeUndefined();
  expect(shop.active).toMatchObject([{ reference: 'SUB-1-SILVER' }]);
});

test('a second request that was made and not answered is found, and not sent again', async () => {
  const shop = new Shop({ post: 'lost' });
  const { failure } = await shop.move();
  expect(failure?.kind).toBe('unknown');
  expect(failure?.next).toMatch(/journal resolve .* Then run the same command again/);
  expect(failure?.next).not.toMatch(/resume/);
  shop.fates = {};
  const again = await shop.move();
  expect(again.failure).toBeUndefined();
  expect(again.stdout).toContain('SUB-1-SILVER');
  expect(shop.made).toBe(1);
});

test('a second request of which the gateway shows nothing is not sent again', async () => {
  const shop = new Shop({ post: 'unreachable' });
  expect((await shop.move()).failure?.kind).toBe('unknown');
  shop.fates = {};
  for (const more of [[], ['--new-reference', 'OTHER']]) {
    const { failure } = await shop.move(...more);
    expect(failure).toMatchObject({ kind: 'guard', code: 'duplicate-request' });
    expect(failure?.next).toMatch(/journal resolve/);
    expect(failure?.next).not.toMatch(/resume|create/);
  }
  expect(shop.made).toBe(0);
});

test.each([false, 'false', 0])('a subscription whose is_active is %j is not moved', async (no) => {
  const shop = new Shop({ subscription: { is_active: no } });
  const { failure } = await shop.move();
  expect(failure).toMatchObject({ kind: 'usage', code: 'subscription-stopped' });
  expect(failure?.next).toMatch(/`gw subscription create`.*`gw subscription resume S-1`/);
  expect(new Set(shop.server?.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('nobody is told to resume one whose place somebody else has filled', async () => {
  const shop = new Shop({ subscription: { is_active: false } });
  shop.stored.set('SUB-1-SILVER', { ...SUBSCRIPTION, reference: 'SUB-1-SILVER', id: 'S-9' });
  const { failure } = await shop.move();
  expect(failure).toMatchObject({ code: 'subscription-stopped' });
  expect(failure?.next).not.toMatch(/`gw subscription (?:resume|create)/);
});

const RESUMES = [
  ['subscription', 'resume', 'SUB-1'],
  ['subscription', 'update', 'SUB-1', '--is-active'],
  ['subscription', 'resume', 'SUB-1', '--dry-run'],
];

test.each(RESUMES)(
  '%s %s %s %s: nobody is billed twice for one that was moved',
  async (...words) => {
    const shop = new Shop();
    await shop.move();
    const { failure } = await shop.run(...words);
    expect(failure).toMatchObject({ kind: 'usage', code: 'subscription-moved' });
    expect(failure?.message).toContain('SUB-1-SILVER took its place');
    expect(failure?.next).toContain('`gw subscription stop S-2` first');
    expect(shop.active).toMatchObject([{ reference: 'SUB-1-SILVER' }]);
  },
);

test('the old one is resumed once its replacement is stopped, and then moves and resumes like any other', async () => {
  const shop = new Shop();
  await shop.move();
  await shop.run('subscription', 'stop', 'SUB-1-SILVER');
  for (const words of RESUMES.slice(0, 2)) {
    expect((await shop.run(...words)).failure).toBeUndefined();
    expect(shop.active).toMatchObject([{ reference: 'SUB-1' }]);
    expect((await shop.run('subscription', 'stop', 'SUB-1')).failure).toBeUndefined();
  }
});

test('one that was moved twice is not resumed while the last in its place bills', async () => {
  const shop = new Shop();
  await shop.move();
  const words = ['subscription', 'move', 'SUB-1-SILVER', '--plan', 'SILVER'];
  expect((await shop.run(...words)).failure).toBeUndefined();
  const { failure } = await shop.run('subscription', 'resume', 'SUB-1');
  expect(failure).toMatchObject({ code: 'subscription-moved' });
  expect(failure?.next).toContain('`gw subscription stop S-3` first');
  expect(shop.active).toMatchObject([{ reference: 'SUB-1-SILVER-SILVER' }]);
});

test.each([
  ['lost', 'usage'],
  ['unreachable', 'guard'],
  ['rejected', undefined],
] as const)('where the second request is %s, a resume is %s', async (post, kind) => {
  const shop = new Shop({ post });
  await shop.move();
  shop.fates = {};
  expect((await shop.run('subscription', 'resume', 'SUB-1')).failure?.kind).toBe(kind);
  expect(shop.active).toHaveLength(post === 'unreachable' ? 0 : 1);
});

test.each(['2026-12-31', '2026-12-31T00:00:00+00:00', '2026-02-15'])(
  'one that ends on %s is moved with its end',
  async (end_date) => {
    const shop = new Shop({ subscription: { end_date } });
    const { failure, stderr } = await shop.move();
    expect(failure).toBeUndefined();
    expect(stderr).not.toContain('Note');
    expect(shop.active).toMatchObject([{ end_date: end_date.slice(0, 10) }]);
  },
);

test('a gateway that takes no end is named', async () => {
  const shop = new Shop({ subscription: { end_date: '2026-12-31' }, takesEnd: false });
  const { stderr } = await shop.move();
  expect(stderr).toContain('did not take the end, 2026-12-31. Stop SUB-1-SILVER then.');
});

test.each([
  [{ end_date: '2026-02-01', next_billing_date: null }, []],
  [{ end_date: '2026-03-01' }, ['--start-date', '2026-03-02']],
])('one that is over is not moved: %j %j', async (subscription, more) => {
  const shop = new Shop({ subscription });
  expect((await shop.move(...more)).failure).toMatchObject({ code: 'subscription-ended' });
  expect(shop.active).toMatchObject([{ reference: 'SUB-1' }]);
});

test('one that was moved is not moved to yet another plan', async () => {
  const shop = new Shop();
  await shop.move();
  const { failure } = await shop.move('--new-reference', 'OTHER');
  expect(failure).toMatchObject({ code: 'subscription-stopped' });
  expect(shop.active).toHaveLength(1);
});

test('a move that is finished after the day has passed asks for another', async () => {
  const due = { next_billing_date: '2026-02-09' };
  const shop = new Shop({ subscription: due, post: 'rejected' });
  await shop.move();
  shop.fates = {};
  expect((await shop.move()).failure).toMatchObject({ code: 'start-date-past' });
  expect((await shop.move('--start-date', '2026-02-20')).failure).toBeUndefined();
  expect(shop.active).toMatchObject([{ start_date: '2026-02-20' }]);
});

const LOST_DAYS: readonly (readonly [start: string, next: string, how: string, kept: string])[] = [
  ['2026-01-31', '2026-02-28', 'Monthly', '2026-03-31'],
  ['2026-01-30', '2026-02-28', 'Monthly', '2026-03-30'],
  ['2026-01-29', '2026-02-28', 'Monthly', '2026-03-29'],
  ['2028-01-30', '2028-02-29', 'Monthly', '2028-03-30'],
  ['2025-12-31', '2026-04-30', 'Monthly', '2026-05-31'],
  ['2025-08-31', '2026-02-28', 'Quarterly', '2026-05-31'],
  ['2025-08-31', '2026-02-28', 'Bi-Annually', '2026-08-31'],
  ['2024-02-29', '2026-02-28', 'Annually', '2028-02-29'],
  ['2026-01-31', '2026-02-28', 'Every month', '2026-03-31'],
  ['2026-01-31T00:00:00+00:00', '2026-02-28T00:00:00+00:00', 'Monthly', '2026-03-31'],
];

test.each(LOST_DAYS)(
  'from %s, next due on %s, %s: the day is said and asked for',
  async (...row) => {
    const [start_date, next_billing_date, frequency, kept] = row;
    const shop = new Shop({ subscription: { start_date, next_billing_date, frequency } });
    const { failure } = await shop.move();
    expect(failure).toMatchObject({ kind: 'usage', code: 'billing-day-changes' });
    expect(failure?.next).toContain(`--start-date ${kept} `);
    expect(failure?.next).toContain(`--start-date ${next_billing_date.slice(0, 10)}.`);
    expect(shop.active).toMatchObject([{ reference: 'SUB-1' }]);
    const known = frequency === 'Every month' ? ['--frequency', 'Monthly'] : [];
    expect((await shop.move('--start-date', kept, ...known)).failure).toBeUndefined();
    expect(shop.active).toMatchObject([{ start_date: kept }]);
  },
);

test.each([
  ['2026-01-31', '2026-03-31', 'Monthly', []],
  ['2026-01-28', '2026-02-28', 'Monthly', []],
  ['2028-01-29', '2028-02-29', 'Monthly', []],
  ['2026-01-31', '2026-02-28', 'Weekly', []],
  ['2026-01-31', '2026-02-28', 'Weekly', ['--frequency', 'Monthly']],
  ['2026-01-31', '2026-02-28', 'Monthly', ['--frequency', 'Fortnightly']],
  [null, '2026-02-28', 'Monthly', []],
])('from %s, next due on %s, %s %j: no day is lost', async (start_date, next, frequency, more) => {
  const shop = new Shop({ subscription: { start_date, next_billing_date: next, frequency } });
  expect((await shop.move(...more)).failure).toBeUndefined();
  expect(shop.active).toMatchObject([{ start_date: next }]);
});
