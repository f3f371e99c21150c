/** `--test-fault`: each kind by the built program, with the exit code that the documents state; and elsewhere. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULTS } from '../../src/contract/faults.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

/** Kind and exit code, by the table of the documents. */
const DOCUMENTED = new Map(
  [
    ...readFileSync('docs/test-gateway.md', 'utf8').matchAll(
      /^\| `([^`]+)` \| [^|]+ \| (\d+) \| (?:`[\w-]+`)? *\|$/gm,
    ),
  ].map(([, kind = '', exit]) => [kind, Number(exit)]),
);

/** @returns runs the built program in a home of its own */
const open = (env: Record<string, string> = { GW_PROFILE: 'local' }, input?: string) => {
  const options = { env: { PATH: process.env.PATH, HOME: temporaryDirectory(), ...env } };
  return (...args: string[]) =>
    run(process.execPath, [PROGRAM, ...args], { ...options, ...(input && { input }) });
};
const purchase = (reference: string, ...more: string[]) => [
  ...['purchase', 'create', '--test-card', 'approved', '--amount', '2500'],
  ...['--reference', reference, ...more],
];

test('the documents state an exit code of each kind', () => {
  expect([...DOCUMENTED.keys()].sort()).toEqual(Object.keys(FAULTS).sort());
});

test('a payment with each fault ends as documented, and was processed or not', async () => {
  const gw = open();
  const kinds = Object.entries(FAULTS);
  const exits: [string, number | null][] = [];
  for (const [kind] of kinds)
    exits.push([kind, (await gw(...purchase(`T-${kind}`, '--test-fault', kind))).code]);
  expect(new Map(exits)).toEqual(DOCUMENTED);
  const { stdout } = await gw('api', 'GET', '/v1.0/purchases');
  const made = JSON.parse(stdout).response.map((one: { reference: string }) => one.reference);
  const processed = kinds.filter(([, { isProcessed }]) => isProcessed).map(([kind]) => `T-${kind}`);
  expect(made.sort()).toEqual(processed.sort());
  // What the gateway lists is settled, the rest stays unknown.
  expect((await gw('journal', 'resolve')).code).toBe(8);
  const { stdout: entries } = await gw('journal', 'list', '-o', 'json');
  const states = JSON.parse(entries).map((one: { reference: string; state: string }) => [
    one.reference,
    one.state,
  ]);
  expect(Object.fromEntries(states)).toEqual({
    'T-429': 'rejected',
    'T-500': 'unknown',
    'T-unreachable': 'not-sent',
    'T-timeout': 'done',
    'T-reset-before': 'unknown',
    'T-reset-after': 'done',
    'T-html': 'done',
    'T-truncated': 'done',
    'T-slow=3s': 'done',
  });
});

test('a late answer and a time limit that is shorter: the outcome is unknown', async () => {
  const gw = open();
  const { code, stderr } = await gw(
    ...purchase('T-1', '--test-fault', 'slow=600s', '--timeout', '1'),
  );
  expect([code, stderr]).toEqual([8, expect.stringContaining('the time limit was reached')]);
});

test('the look-ups before a change meet no fault, those of a look-up do', async () => {
  const gw = open();
  await gw(...purchase('T-1'));
  const refund = ['refund', 'create', 'T-1', '--amount', '100', '--reference', 'R-1'];
  const { code, stderr } = await gw(...refund, '--test-fault', 'reset-after');
  expect([code, stderr]).toEqual([8, expect.stringContaining('gw journal resolve')]);
  expect((await gw('purchase', 'get', 'T-1', '--test-fault', 'reset-after')).code).toBe(7);
});

test('every line of a batch meets the fault', async () => {
  // The test gateway gives the same ids in every home.
  const lines = ['transaction_id,amount,reference', '071-P-IE49OSAF,1,B-1', '071-P-IE49OSAF,2,B-2'];
  const gw = open({ GW_PROFILE: 'local' }, `${lines.join('\n')}\n`);
  expect((await gw(...purchase('T-1'), '-o', 'id')).stdout).toBe('071-P-IE49OSAF\n');
  const { stdout } = await gw('refund', 'batch', '-', '-o', 'jsonl', '--test-fault', 'reset-after');
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).outcome);
  expect(results).toEqual(['unknown', 'unknown']);
});

const AT = { GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST' };

test.each([
  ['a test gateway over HTTP', 'sandbox', 'http://127.0.0.1:4010'],
  ['another server on this machine', 'sandbox', 'http://127.0.0.1:9'],
  ['a sandbox', 'sandbox', 'https://sandbox.gateway.example'],
  ['a live gateway', 'live', 'https://gateway.example'],
])('%s is sent nothing', async (_, environment, url) => {
  const gw = open({ ...AT, GW_ENVIRONMENT: environment, GW_BASE_URL: url });
  for (const args of [
    ['plan', 'list'],
    ['purchase', 'create', '--amount', '1', '--test-card', 'timeout'],
  ]) {
    const { code, stderr } = await gw(...args, '--test-fault', 'timeout', '-o', 'json');
    const { error } = JSON.parse(stderr);
    expect([code, error.code, error.sent]).toEqual([2, 'test-fault-elsewhere', false]);
  }
  expect((await gw('journal', 'list', '-o', 'json')).stdout.trim()).toBe('[]');
});

test('a kind that does not exist is refused with the list of those that do', async () => {
  const gw = open();
  const { code, stderr } = await gw(...purchase('T-1', '--test-fault', 'explode'));
  expect(code).toBe(2);
  for (const kind of Object.keys(FAULTS)) expect(stderr).toContain(kind);
  const { stdout } = await gw('__complete', '', 'purchase', 'create', '--test-fault');
  expect(stdout).toContain('reset-after');
});
