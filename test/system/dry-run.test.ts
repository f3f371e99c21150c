/**
 * A dry run asks every guard that the run itself asks, and does nothing: what each of them ends with
 * is compared, first without and then with sending.
 */
import { chownSync, linkSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entriesOf, gw, type Place, placeFor, type Result, resultsOf } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { type Ended, OWN_CACHE } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let gateway: FaultGateway;
let place: Place;
let ids: string[];

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
  ids = await gateway.purchases(3, 1_000);
});
afterEach(() => gateway.close());

/** Makes a profile of the gateway with limits, and of live money where that is said. */
async function withProfile(...limits: string[]): Promise<void> {
  const { GW_USERNAME, GW_API_TOKEN } = place.env;
  const printed = JSON.stringify({ username: GW_USERNAME, token: GW_API_TOKEN });
  const address = ['--base-url', gateway.url, '--credential-command', `echo '${printed}'`];
  const environment = limits.includes('live') ? [] : ['--environment', 'sandbox'];
  place.env = { PATH: place.env.PATH ?? '', HOME: place.home };
  const set = await gw(place, ['profile', 'set', 'shop', ...environment, ...address, ...limits]);
  expect(set.code, set.stderr).toBe(0);
  place.env.GW_PROFILE = 'shop';
}

const refund = (amount: number, reference = 'R', purchase = 0) => [
  ...['refund', 'create', '--transaction-id', ids[purchase] ?? '', '--amount', String(amount)],
  ...['--reference', reference, '-o', 'json'],
];
const lines = (
  ...rows: readonly (readonly [amount: number, reference: string, purchase?: number])[]
) => {
  const file = path.join(place.home, 'refunds.csv');
  const text = rows.map(([amount, reference, purchase = 0]) =>
    [ids[purchase], amount, reference].join(),
  );
  writeFileSync(file, `transaction_id,amount,reference\n${text.join('\n')}\n`);
  return ['refund', 'batch', file, '--concurrency', '1'];
};
/** Has the machine see a purchase. */
const see = async (purchase: number) =>
  void (await gw(place, ['purchase', 'get', ids[purchase] ?? '']));

const TEST_CARD = '5123456789012346';

/** Only root may give a file away. */
const MAY_GIVE_AWAY = process.getuid?.() === 0;
const NOBODY = 65_534;

async function ownedByOthers(): Promise<void> {
  await see(0);
  if (MAY_GIVE_AWAY) chownSync(path.join(place.home, '.local', 'state', 'gw'), NOBODY, NOBODY);
}

const codeOf = ({ stderr }: Ended) =>
  stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).error.code] : []))[0];

/** The content of the journal and the gateway. */
const stateOf = async () => [await entriesOf(place), [...gateway.refunds()], gateway.requests()];

const CASES: readonly [string, () => Promise<string[]>, number][] = [
  ['a refund', async () => refund(100), 0],
  [
    'a refund of a profile that is read-only',
    async () => {
      await withProfile('--read-only');
      return refund(100);
    },
    10,
  ],
  [
    'a refund above the limit of its profile',
    async () => {
      await withProfile('--max-amount', '99');
      return refund(100);
    },
    10,
  ],
  [
    'a command that the profile does not allow',
    async () => {
      await withProfile('--allowed-commands', 'purchase get');
      return refund(100);
    },
    10,
  ],
  [
    'a refund of a live profile, and another one is confirmed',
    async () => {
      await withProfile('--environment', 'live');
      return [...refund(100), '--confirm', 'other'];
    },
    10,
  ],
  [
    'a refund of a live profile that is confirmed',
    async () => {
      gateway.options.isLive = true;
      await withProfile('--environment', 'live');
      return [...refund(100), '--confirm', 'shop'];
    },
    0,
  ],
  [
    'a refund that repeats one',
    async () => {
      await gw(place, refund(100));
      return refund(100);
    },
    10,
  ],
  [
    'a refund that repeats one, and is meant',
    async () => {
      await gw(place, refund(100));
      return [...refund(100), '--allow-duplicate'];
    },
    0,
  ],
  [
    'a refund that repeats one whose outcome is unknown',
    async () => {
      gateway.options.perMille = { 'reset-before': 1_000 };
      await gw(place, refund(100));
      gateway.options.perMille = {};
      return refund(100);
    },
    10,
  ],
  [
    'a refund of more than is left of what was seen',
    async () => {
      await see(0);
      return refund(1_001);
    },
    10,
  ],
  ['a refund without a reference', async () => refund(100).filter((_, i) => i < 6), 2],
  [
    'a request by path of a profile that is read-only',
    async () => {
      await withProfile('--read-only');
      return ['api', 'POST', '/v1.0/refunds/071-R-1/void', '--field', 'amount=1'];
    },
    10,
  ],
  [
    'a refund of a live profile with a reference that looks like a card number',
    async () => {
      await withProfile('--environment', 'live');
      return [...refund(100, TEST_CARD), '--confirm', 'shop'];
    },
    2,
  ],
  [
    'a refund of a live profile with certificates unchecked',
    async () => {
      await withProfile('--environment', 'live');
      place.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      return [...refund(100), '--confirm', 'shop'];
    },
    10,
  ],
  [
    'a refund without a journal when others own what gw keeps',
    async () => {
      await ownedByOthers();
      return [...refund(100), '--no-journal'];
    },
    MAY_GIVE_AWAY ? 10 : 0,
  ],
  [
    'a refund when others own what gw keeps',
    async () => {
      await ownedByOthers();
      return refund(100);
    },
    MAY_GIVE_AWAY ? 10 : 0,
  ],
  [
    'a batch when others own what gw keeps',
    async () => {
      await ownedByOthers();
      return lines([100, 'A']);
    },
    MAY_GIVE_AWAY ? 10 : 0,
  ],
  [
    'a customer of a profile that is read-only',
    async () => {
      await withProfile('--read-only');
      return ['customer', 'delete', '071-C-1', '-o', 'json'];
    },
    10,
  ],
  ['a batch', async () => lines([100, 'A'], [200, 'B', 1]), 0],
  [
    'a batch of a profile that is read-only',
    async () => {
      await withProfile('--read-only');
      return lines([100, 'A']);
    },
    10,
  ],
  [
    'a batch above the limit of its profile',
    async () => {
      await withProfile('--max-amount', '99');
      return lines([100, 'A']);
    },
    2,
  ],
  ['a batch of too many lines', async () => [...lines([1, 'A'], [1, 'B']), '--max-count', '1'], 10],
  ['a batch of too much', async () => [...lines([60, 'A'], [60, 'B']), '--max-total', '100'], 10],
  ['a batch with a line that repeats one', async () => lines([1, 'A'], [1, 'A']), 2],
  [
    'a batch that is done',
    async () => {
      await gw(place, lines([100, 'A']));
      return lines([100, 'A']);
    },
    0,
  ],
  [
    'a batch with a conflict',
    async () => {
      await gw(place, lines([100, 'A']));
      return lines([200, 'A'], [300, 'B', 1]);
    },
    9,
  ],
  [
    'a batch with a line that is unknown',
    async () => {
      gateway.options.perMille = { 'reset-before': 1_000 };
      await gw(place, lines([100, 'A']));
      gateway.options.perMille = {};
      return lines([100, 'A'], [300, 'B', 1]);
    },
    9,
  ],
  [
    'a batch of which one line is more than is left',
    async () => {
      await see(0);
      return lines([1_001, 'A'], [300, 'B', 1]);
    },
    9,
  ],
  [
    'a batch whose lines together are more than is left',
    async () => {
      await see(0);
      return lines([600, 'A'], [600, 'B'], [400, 'C']);
    },
    9,
  ],
];

test.each(CASES)('%s ends like its dry run, which does nothing', async (_, arrange, code) => {
  const args = await arrange();
  const before = await stateOf();
  const dry = await gw(place, [...args, '--dry-run']);
  expect(await stateOf()).toEqual(before);
  const real = await gw(place, args);
  expect([dry.code, real.code], dry.stderr + real.stderr).toEqual([code, code]);
  expect(codeOf(dry)).toBe(codeOf(real));
  if (args.includes('batch')) {
    const outcomes = ({ outcome, earlier }: { outcome: string; earlier?: boolean }) =>
      earlier || outcome === 'refused' ? outcome : 'sent';
    if (dry.stdout !== '' && real.stdout !== '')
      expect(resultsOf(dry).map(outcomes)).toEqual(resultsOf(real).map(outcomes));
  }
  expect(dry.stderr).toContain('othing was sent');
});

type Row = Record<string, unknown>;

/** Ways to write the rows of a batch. */
const FORMS = {
  csv(rows: readonly Row[]): string {
    const names = [...new Set(rows.flatMap(Object.keys))];
    const cells = rows.map((row) => names.map((name) => row[name] ?? '').join());
    return [names.join(), ...cells].join('\n');
  },
  jsonl: (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).join('\n'),
};

/** @returns a row of a refund of the first purchase, with a change */
const row = (change: Row = {}): Row => ({
  ...{ transaction_id: ids[0], amount: 100, reference: 'A' },
  ...change,
});
const UP_TO_1 = ['--max-amount', '100', '--currency', 'AUD'];
const LIVE = ['--environment', 'live'];

interface Refused {
  what: string;
  limits?: readonly string[];
  arrange?: () => Promise<unknown>;
  rows: () => Row[];
  flags?: readonly string[];
  /** What the dry run and the run end with, in each form that can say it. */
  codes: { csv?: number; jsonl?: number };
}

/** Makes a refund whose outcome is unknown, and has the machine see its purchase, of 1000. */
const lose = async (amount: number) => {
  await see(0);
  gateway.options.perMille = { 'reset-before': 1_000 };
  expect((await gw(place, refund(amount, 'LOST'))).code).toBe(8);
  gateway.options.perMille = {};
};

const BOTH = (code: number) => ({ csv: code, jsonl: code });
const ROWS: readonly Refused[] = [
  { what: 'that is fine', limits: UP_TO_1, rows: () => [row()], codes: BOTH(0) },
  {
    what: 'above the limit',
    limits: UP_TO_1,
    rows: () => [row({ reference: 'B', amount: 100 }), row({ amount: 101 })],
    codes: BOTH(2),
  },
  {
    what: 'above the limit, as a decimal',
    limits: UP_TO_1,
    rows: () => [row({ amount: undefined, decimal_amount: '1.01' })],
    codes: BOTH(2),
  },
  {
    what: 'in another currency than the limit',
    limits: UP_TO_1,
    rows: () => [row({ currency: 'JPY' })],
    codes: BOTH(2),
  },
  ...[
    { total: 101 },
    { total: '1.01' },
    { total_amount: 101 },
    { order: { price: 101 } },
    { items: [{ cents: 101 }] },
    { total: '2 of 3' },
  ].map(
    (more): Refused => ({
      what: `with ${JSON.stringify(more)}, above the limit or not to be compared with it`,
      limits: UP_TO_1,
      rows: () => [row({ reference: 'B' }), row(more)],
      // A table takes known fields alone.
      codes: { jsonl: 2 },
    }),
  ),
  ...[{ total: 100 }, { total: '1.00' }, { order: { price: 5 } }, { amount_currency: 'AUD' }].map(
    (more): Refused => ({
      what: `with ${JSON.stringify(more)}, within the limit`,
      limits: UP_TO_1,
      rows: () => [row(more)],
      codes: { jsonl: 0 },
    }),
  ),
  {
    what: 'with a total, without a limit',
    rows: () => [row({ total: 9_999 })],
    codes: { jsonl: 0 },
  },
  ...[0, -5, 1.5, 'x'].map(
    (amount): Refused => ({
      what: `of the amount ${amount}`,
      limits: UP_TO_1,
      rows: () => [row({ amount })],
      codes: BOTH(2),
    }),
  ),
  {
    what: 'with two amounts',
    limits: UP_TO_1,
    rows: () => [row({ decimal_amount: '1.00' })],
    codes: BOTH(2),
  },
  { what: 'without an amount', rows: () => [row({ amount: undefined })], codes: BOTH(2) },
  { what: 'without a reference', rows: () => [row({ reference: undefined })], codes: BOTH(2) },
  {
    what: 'with an unknown field',
    rows: () => [row({ colour: 'red' })],
    codes: { csv: 2, jsonl: 0 },
  },
  {
    what: 'with a stray card number, of a live profile',
    limits: LIVE,
    rows: () => [row({ reference: TEST_CARD })],
    flags: ['--confirm', 'shop'],
    codes: BOTH(2),
  },
  { what: 'that repeats another', rows: () => [row(), row()], codes: BOTH(2) },
  {
    what: 'that repeats another and is meant',
    rows: () => [row(), row()],
    flags: ['--allow-duplicate'],
    codes: BOTH(0),
  },
  {
    what: 'of a profile that is read-only',
    limits: ['--read-only'],
    rows: () => [row()],
    codes: BOTH(10),
  },
  {
    what: 'of a profile that allows other commands',
    limits: ['--allowed-commands', 'purchase get'],
    rows: () => [row()],
    codes: BOTH(10),
  },
  {
    what: 'of a live profile, and another one is confirmed',
    limits: LIVE,
    rows: () => [row()],
    flags: ['--confirm', 'other'],
    codes: BOTH(10),
  },
  {
    what: 'with the reference of another amount',
    arrange: () => gw(place, refund(50, 'A')),
    rows: () => [row(), row({ reference: 'B' })],
    codes: BOTH(9),
  },
  {
    what: 'of more than is left',
    arrange: () => see(0),
    rows: () => [row({ amount: 900 }), row({ reference: 'B', amount: 101 })],
    codes: BOTH(9),
  },
  {
    what: 'of more than an unknown refund leaves',
    arrange: () => lose(600),
    rows: () => [row({ amount: 400 }), row({ reference: 'B', amount: 1 })],
    codes: BOTH(9),
  },
  {
    what: 'that is unknown and sent again after another',
    arrange: () => lose(600),
    rows: () => [row({ amount: 400 }), row({ reference: 'LOST', amount: 600 })],
    flags: ['--retry-unknown'],
    codes: BOTH(0),
  },
];

describe.each(['csv', 'jsonl'] as const)('of a batch in %s, a line', (form) => {
  const cases = ROWS.filter(({ codes }) => codes[form] !== undefined);
  test.each(cases.map((each) => [each.what, each] as const))(
    '%s ends the dry run like the run, in the same words',
    async (_, { limits, arrange, rows, flags = [], codes }) => {
      if (limits) await withProfile(...limits);
      gateway.options.isLive = limits === LIVE;
      await arrange?.();
      const file = path.join(place.home, `refunds.${form}`);
      writeFileSync(file, `${FORMS[form](rows())}\n`);
      const args = ['refund', 'batch', file, '--concurrency', '1', ...flags];
      const before = await stateOf();
      const dry = await gw(place, [...args, '--dry-run']);
      expect(await stateOf()).toEqual(before);
      const real = await gw(place, args);
      expect([dry.code, real.code], dry.stderr + real.stderr).toEqual([codes[form], codes[form]]);
      if (codes[form] === 2 || codes[form] === 10) {
        // A dry run may show the lines before it says that nobody confirmed them.
        expect(dry.stderr.endsWith(real.stderr), dry.stderr + real.stderr).toBe(true);
        expect(await stateOf()).toEqual(before);
        return;
      }
      const refused = ({ outcome }: Result) => ['refused', 'conflict'].includes(outcome);
      expect(resultsOf(dry).filter(refused)).toEqual(resultsOf(real).filter(refused));
    },
  );
});

test.each([
  ['a refund', () => refund(100)],
  ['a batch', () => lines([100, 'A'])],
])(
  'a dry run of %s on a live profile asks nothing and says what the run needs',
  async (_, args) => {
    await withProfile('--environment', 'live');
    const dry = await gw(place, [...args(), '--dry-run']);
    expect(dry.code, dry.stderr).toBe(0);
    expect(dry.stderr).toContain('The real run is refused, unless you add --confirm shop.');
    expect(dry.stderr).toContain('shop (LIVE)');
    // A batch looks its purchases up, so that the total has their currency.
    expect(dry.stderr).toMatch(/1\.00 (?:AUD|\(account currency\))/);
    expect((await gw(place, args())).code).toBe(10);
  },
);

describe('a dry run of a batch', () => {
  test('says which lines would be sent, with counts and totals', async () => {
    await see(0);
    await gw(place, lines([100, 'A', 1]));
    const args = lines(
      [100, 'A', 1],
      [200, 'A', 2],
      [600, 'B'],
      [700, 'C'],
      [50, 'D', 2],
      [90, 'A', 1],
    );
    const dry = await gw(place, [...args, '--dry-run']);
    expect(resultsOf(dry).map(({ outcome }) => outcome)).toEqual([
      ...['done', 'not-started', 'not-started', 'refused', 'not-started', 'conflict'],
    ]);
    expect(dry.stderr.split('\n').slice(0, 5)).toEqual([
      'The amounts are minor units: 100 is 1.00 (account currency). If they are money, add --map decimal_amount=amount.',
      '2 lines have the reference of an earlier line, line 3 that of line 2 (A).',
      'Nothing was sent. 3 to send, 2.50 (account currency) and 6.00 AUD in total; 1 sent before.',
      '2 would not be sent, 7.00 AUD and 0.90 (account currency): 1 refused here, 1 in conflict.',
      'Error: 2 lines would not be sent.',
    ]);
  });

  test('shows a total for each currency', async () => {
    const input = [
      'card_token,decimal_amount,currency,reference',
      'T,1.50,AUD,A',
      'T,2.50,AUD,B',
      'T,300,JPY,C',
    ].join('\n');
    const dry = await gw(place, ['purchase', 'batch', '-', '--dry-run'], input);
    expect(dry.stderr).toContain('3 to send, 4.00 AUD and 300 JPY in total; none sent before.');
  });
});

test.each([
  ['a refund', () => refund(100)],
  ['a batch', () => lines([100, 'A'])],
])('a dry run of %s on a new machine leaves no file but compiled code', async (_, args) => {
  const given = args();
  const others = () => readdirSync(place.home).filter((name) => name !== '.cache');
  const before = others();
  Object.assign(place.env, OWN_CACHE);
  const dry = await gw(place, [...given, '--dry-run']);
  expect(dry.code, dry.stderr).toBe(0);
  expect(others()).toEqual(before);
  expect(readdirSync(path.join(place.home, '.cache/gw'))).toEqual(['compiled']);
});

test('a dry run refuses a journal with a second name, like the run itself', async () => {
  await gw(place, refund(1));
  const ledger = path.join(place.home, '.local', 'state', 'gw', 'ledger.db');
  linkSync(ledger, path.join(place.home, 'other.db'));
  for (const args of [[...refund(100, 'R2'), '--dry-run'], refund(100, 'R2')]) {
    const ended = await gw(place, args);
    expect([ended.code, codeOf(ended)], ended.stderr).toEqual([10, 'file-linked']);
  }
  expect(gateway.refunds()).toHaveLength(1);
});
