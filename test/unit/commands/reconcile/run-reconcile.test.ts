/** From flags to what is asked, printed and said; without a process. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { GatewayConnection } from '../../../../src/client/connection/call.ts';
import { reconcileOptions } from '../../../../src/commands/reconcile/reconcile-options.ts';
import { runReconcile } from '../../../../src/commands/reconcile/run-reconcile.ts';
import type { Failure } from '../../../../src/failure.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { createTestHost, runCommand } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { sleepingClock } from '../../requests/batch/engine/support.ts';

const rows = (count: number) =>
  ['id,amount', ...Array.from({ length: count }, (_, n) => `071-P-${n},1000`)].join('\n');
const said = (status: number, body: object) => answer(status, JSON.stringify(body));
const purchase = (target: string, others: object = {}) =>
  said(200, {
    successful: true,
    response: { id: target.split('/').at(-1), amount: 1000, currency: 'AUD', successful: true },
    errors: [],
    test: true,
    ...others,
  });
const refused = (status: number, error: string) =>
  said(status, { successful: false, response: null, errors: [error], test: true });

interface End {
  outcomes: string[];
  stderr: string;
  failure: Failure | undefined;
  asked: string[];
}

interface Setting {
  input: string;
  flags?: Parameters<typeof reconcileOptions>[1];
  source?: string;
  /** @param n how many were asked for before */
  respond?: (target: string, n: number) => string;
}

async function run({
  input,
  flags,
  source = '-',
  respond = (target) => purchase(target),
}: Setting): Promise<End> {
  const asked: string[] = [];
  const server = await hostileServer({
    onRequest(socket, { target }, index) {
      asked.push(target);
      socket.write(respond(target, index));
    },
  });
  const host = createTestHost({
    stdin: input,
    env: {
      GW_USERNAME: 'shop',
      GW_API_TOKEN: 'secret-token',
      GW_BASE_URL: server.url.href,
      GW_ENVIRONMENT: 'sandbox',
    },
  });
  const context = {
    host: { ...host, clock: sleepingClock(), readNamed: async () => Buffer.from(input) },
    redactor: new Redactor(),
    root: '.',
  };
  const asks = { output: 'jsonl', concurrency: '1', ...flags } as const;
  const reconcile = async () =>
    runReconcile(context, { source, options: reconcileOptions(context.host, asks) });
  const failure = await reconcile().then(
    () => undefined,
    (error) => failureOf(() => Promise.reject(error)),
  );
  const outcomes = host.stdout.text
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { outcome: string }).outcome);
  return { outcomes, stderr: host.stderr.text, failure, asked };
}

test('correct books succeed with one request for each row', async () => {
  const { outcomes, failure, asked } = await run({ input: rows(3) });
  expect(failure).toBeUndefined();
  expect(outcomes).toEqual(['matches', 'matches', 'matches']);
  expect(asked).toEqual([0, 1, 2].map((n) => `/v1.0/purchases/071-P-${n}`));
});

test('a row is asked again after a pause if the gateway is busy', async () => {
  const busy = said(429, { successful: false, response: null, errors: ['Slow down'] });
  const { outcomes, failure } = await run({
    input: rows(3),
    respond: (target, n) => (n < 6 ? busy : purchase(target)),
  });
  expect(failure).toBeUndefined();
  expect(outcomes).toEqual(['matches', 'matches', 'matches']);
});

test('a bad answer makes one row unchecked', async () => {
  const { outcomes, failure, stderr } = await run({
    input: rows(3),
    respond: (target, n) => (n === 1 ? refused(403, 'Not yours') : purchase(target)),
  });
  expect(outcomes).toEqual(['matches', 'not-asked', 'matches']);
  expect(failure).toMatchObject({ kind: 'incomplete', code: 'reconcile-differs' });
  expect(stderr).toMatch(/^not asked +10\.00 \(account currency\)$/m);
});

test('a live answer to a sandbox profile ends the run and is not compared', async () => {
  const { outcomes, failure, asked } = await run({
    input: rows(3),
    respond: (target) => purchase(target, { test: false }),
  });
  expect(outcomes).toEqual(Array(3).fill('not-asked'));
  expect(failure).toMatchObject({ kind: 'incomplete', code: 'wrong-mode' });
  expect(asked).toHaveLength(1);
});

test('refused credentials end the run', async () => {
  const { outcomes, failure, asked } = await run({
    input: rows(3),
    respond: () => refused(401, 'No'),
  });
  expect(outcomes).toEqual(Array(3).fill('not-asked'));
  expect(failure?.message).toBe('The reconciliation stopped: the credentials are not accepted.');
  expect(asked).toHaveLength(1);
});

test('with half of the credentials the run ends, and closes its connection', async () => {
  const close = vi.spyOn(GatewayConnection.prototype, 'close');
  onTestFinished(() => close.mockRestore());
  const { failure } = await runCommand('fast path', ['reconcile', '-'], {
    stdin: rows(1),
    env: { GW_PROFILE: 'shop', GW_USERNAME: 'ada' },
    profiles: { shop: { environment: 'sandbox', baseUrl: 'https://gateway.example' } },
  });
  expect(failure?.code).toBe('environment-incomplete');
  expect(close).toHaveBeenCalledOnce();
});

test('rows that all fail alike end the run, unless failures are allowed', async () => {
  const setting = { input: rows(30), respond: () => refused(403, 'Not yours') };
  expect((await run(setting)).asked).toHaveLength(20);
  const { asked, failure } = await run({ ...setting, flags: { 'stop-after-failures': '25' } });
  expect(asked).toHaveLength(25);
  expect(failure?.message).toContain('25 lines did not succeed');
});

test('no request is sent if a row or the period is invalid', async () => {
  const bad = await run({ input: 'id,amount\na,1\nb,1.50' });
  expect([bad.failure?.code, bad.asked]).toEqual(['input-invalid', []]);
  expect(bad.stderr).toContain('stdin:3: amount is "1.50"');
  const none = await run({ input: rows(1), flags: { since: '2026-02-01', until: '2026-01-01' } });
  expect([none.failure?.code, none.asked]).toEqual(['period-empty', []]);
});

test('--failed has the rows that need attention, and is empty without any', async () => {
  const failed = path.join(temporaryDirectory(), 'failed.csv');
  writeFileSync(failed, 'of an earlier run');
  const respond = (target: string) => purchase(target);
  await run({ input: rows(2), respond, flags: { failed } });
  expect(readFileSync(failed, 'utf8')).toBe('');
  await run({ input: 'id,amount\n071-P-1,1000\n"071-P-2", 900', respond, flags: { failed } });
  expect(readFileSync(failed, 'utf8')).toBe('id,amount\n071-P-2,900\n');
});

test('--failed refuses the file that is read, by any path', async () => {
  const folder = temporaryDirectory();
  const { failure, asked } = await run({
    input: rows(1),
    source: path.join(folder, 'books.csv'),
    flags: { failed: `${folder}/here/../books.csv` },
  });
  expect([failure?.code, asked]).toEqual(['output-is-input', []]);
});

test('--failed refuses a link to the file that is read', async () => {
  const folder = temporaryDirectory();
  const source = path.join(folder, 'books.csv');
  const failed = path.join(folder, 'link.csv');
  writeFileSync(source, rows(1));
  symlinkSync(source, failed);
  const { failure, asked } = await run({ input: rows(1), source, flags: { failed } });
  expect([failure?.code, asked]).toEqual(['output-is-input', []]);
  expect(readFileSync(source, 'utf8')).toBe(rows(1));
});

test('a person says how a file is to be read, and gets the command without the question', async () => {
  const file = path.join(temporaryDirectory(), 'books.csv');
  writeFileSync(file, 'Invoice,Betrag\nINV-1,"1,045"\n');
  const { stderr, failure } = await runCommand('fast path', ['reconcile', file], {
    answers: ['1,045 is 1045'],
    env: { GW_PROFILE: 'local' },
  });
  expect(failure?.code).toBe('reconcile-differs');
  const command = `gw reconcile ${file} --decimal-mark point`;
  expect(stderr).toContain(`The same without questions:\n  ${command}\n`);
});

test('a file of which the gateway knows no record says so before its results', async () => {
  const respond = () => refused(404, 'Purchase not found');
  const { outcomes, stderr } = await run({ input: rows(3), respond });
  expect(outcomes).toEqual(Array(3).fill('not-found'));
  expect(stderr).toContain(
    'Note: the gateway has no record for any of the first 3 rows. The file may be of another account.\n',
  );
  const one = await run({
    input: rows(3),
    respond: (target, n) => (n < 2 ? respond() : purchase(target)),
  });
  expect(one.outcomes).toEqual(['not-found', 'not-found', 'matches']);
  expect(one.stderr).not.toContain('Note:');
});

test('rows on two sides wait for what the records say, and keep their order', async () => {
  const lines = Array.from({ length: 30 }, (_, n) => `071-P-${n},${n === 0 ? '10.00,' : ',10.00'}`);
  const input = ['Id,Debit,Credit', ...lines].join('\n');
  const said = await run({ input, flags: { concurrency: '4' } });
  expect(said.outcomes).toEqual(['differs', ...Array(29).fill('matches')]);
  expect(said.stderr).toContain('Note: a debit is money out, as 29 of 30 records show.');
  const asked = await run({ input, flags: { 'debit-is': 'in' } });
  expect(asked.outcomes).toEqual(['matches', ...Array(29).fill('differs')]);
  expect(asked.stderr).not.toContain('Note:');
});

test('an end of the run while rows wait gives each row a result', async () => {
  const input = 'Id,Debit,Credit\n071-P-0,,10.00\n071-P-1,,10.00';
  const { outcomes, stderr } = await run({ input, respond: () => refused(401, 'No') });
  expect(outcomes).toEqual(['not-asked', 'not-asked']);
  expect(stderr).toContain('the records do not show whether a debit is money in or out');
});
