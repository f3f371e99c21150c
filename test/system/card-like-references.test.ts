/** References that look like card numbers, through the whole program: sent, kept, found again, and shown as they are. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cardLike } from '../helpers/card-like.ts';
import { writeLiveProfile } from '../helpers/live-profile.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const PAY = ['purchase', 'create', '--test-card', 'approved', '--amount', '2500'];

function machine() {
  const home = temporaryDirectory();
  const env = { PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local', GW_OPERATOR: 'ada' };
  const gw = (...args: string[]) => run(process.execPath, [PROGRAM, ...args], { env, input: '' });
  return { home, gw };
}

test.each([
  ['by itself', cardLike(11)],
  ['behind a word', `INV-${cardLike(12)}`],
  ['as a decimal with a word', `INV-0.${cardLike(13)}`],
])('a reference that looks like a card number %s', async (_, reference) => {
  const { gw } = machine();
  const made = await gw(...PAY, '--reference', reference, '--json');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { id, ...record } = JSON.parse(made.stdout);
  expect(record.reference).toBe(reference);

  const again = await gw(...PAY, '--reference', reference);
  expect(again).toMatchObject({ code: 10, stdout: '' });

  const entries = JSON.parse((await gw('journal', 'list', '--json')).stdout);
  expect(entries).toMatchObject([{ record_id: id, reference }]);
  const found = JSON.parse((await gw('find', reference, '--json')).stdout);
  expect(found.map((one: { reference: string }) => one.reference)).toContain(reference);
  const got = await gw('get', reference, '--json');
  expect(JSON.parse(got.stdout)).toMatchObject({ id, reference });
  const history = await gw('history', reference, '--json');
  expect(history.stdout).toContain(reference);
  const raw = await gw('purchase', 'get', id, '--raw');
  expect(JSON.parse(raw.stdout).response).toMatchObject({ id, reference });
});

test('two references that differ in the middle are two purchases', async () => {
  const { gw } = machine();
  const alike = Array.from({ length: 100 }, (_, n) => `411111${String(n).padStart(6, '0')}1111`);
  const [one = '', other = ''] = alike.filter(
    (text) => cardLike(Number(text.slice(1, 15))) === text,
  );
  expect([one, other]).toEqual([
    expect.stringMatching(/^\d{16}$/),
    expect.stringMatching(/^\d{16}$/),
  ]);
  for (const reference of [one, other])
    expect((await gw(...PAY, '--reference', reference)).code).toBe(0);
});

test('failed rows keep their references and can be sent again', async () => {
  const { home, gw } = machine();
  const file = path.join(home, 'rows.csv');
  const reference = cardLike(14);
  writeFileSync(file, `transaction_id,amount,reference\n071-P-NOTTHERE,100,${reference}\n`);
  const failed = path.join(home, 'failed.csv');
  await gw('refund', 'batch', file, '--failed', failed);
  const rows = await gw('refund', 'batch', failed, '--dry-run');
  expect(`${rows.stdout}${rows.stderr}`).not.toMatch(/card number/);
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(failed, 'utf8')).toContain(reference);
});

test('a live profile accepts one within a word and refuses a separate one', async () => {
  const { home, gw } = machine();
  writeLiveProfile(home);
  const refund = (reference: string) =>
    gw(
      'refund',
      'create',
      '071-P-A',
      '--amount',
      '1',
      '--reference',
      reference,
      '-p',
      'live',
      '--dry-run',
    );
  const refused = await refund(cardLike(15));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('reference looks like a card number');
  expect(refused.stderr).not.toContain(cardLike(15));
  const taken = await refund(`INV-${cardLike(15)}`);
  expect(taken.code).toBe(0);
  expect(JSON.parse(taken.stdout).body.reference).toBe(`INV-${cardLike(15)}`);
});
