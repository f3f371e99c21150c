/** The built program leaves nothing of a person on the disk after `gw forget`, or with --no-remember. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { charge, chargeText, gw, post, recordsOf, startListener } from '../helpers/listener.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openReceiver } from '../unit/emulator/support-billing.ts';

const WORDS = ['ada@example.com', 'lovelace', 'byron@example.com', 'cust-77'];
const PROFILE = ['profile', 'set', 'shop', '--environment', 'sandbox'];
const ADDRESS = ['--base-url', 'http://127.0.0.1:1'];

/** @returns which of the words are in what gw keeps, but for the test gateway's own state */
function left(home: string): string[] {
  const folder = path.join(home, '.local/state/gw');
  const names = readdirSync(folder).filter((name) => !name.startsWith('emulator.db'));
  const kept = names.map((name) => readFileSync(path.join(folder, name), 'latin1')).join('');
  return WORDS.filter((word) => kept.toLowerCase().includes(word));
}

const ended = async (listener: Awaited<ReturnType<typeof startListener>>) => {
  listener.child.kill('SIGTERM');
  return listener.ended;
};

test('a forgotten person is in no file, not even from look-ups', async () => {
  const home = temporaryDirectory();
  const local = { GW_PROFILE: 'local' };
  const person = ['--first-name', 'Ada', '--last-name', 'Byron', '--reference', 'CUST-77'];
  const create = ['customer', 'create', ...person, '--email', 'byron@example.com'];
  const made = await gw(home, [...create, '--test-card', 'approved', '-o', 'id'], local);
  const id = made.stdout.trim();
  expect((await gw(home, ['customer', 'get', id, '-o', 'id'], local)).stdout.trim()).toBe(id);
  const listener = await startListener(home);
  await post(listener.url, chargeText('P-1'));
  await ended(listener);
  expect(left(home)).toEqual(WORDS);

  const forget = async (...whom: string[]) =>
    recordsOf((await gw(home, ['forget', ...whom, '--yes', '-o', 'jsonl'])).stdout);
  expect(await forget('--customer', id)).toMatchObject([{ action: 'deleted', id }]);
  expect(left(home)).toEqual(['ada@example.com', 'lovelace']);
  expect(await forget('ada@example.com')).toMatchObject([{ action: 'blanked', id: '1' }]);
  expect(left(home)).toEqual([]);
  const [event] = recordsOf((await gw(home, ['events', 'list', '-o', 'jsonl'])).stdout);
  expect(event).toMatchObject({ outcome: 'approved', amount: 2500, purchase: 'P-1', who: null });
});

test('a profile that remembers nothing passes events on and stores no names', async () => {
  const home = temporaryDirectory();
  const application = await openReceiver();
  await gw(home, [...PROFILE, ...ADDRESS, '--no-remember']);
  const to = ['--profile', 'shop', '--forward-to', application.url, '-o', 'jsonl'];
  const listener = await startListener(home, to);
  await post(listener.url, chargeText('P-1'));
  await post(listener.url, chargeText('P-1'));
  await expect.poll(() => application.received.length).toBe(2);
  const { stdout } = await ended(listener);
  expect(recordsOf(stdout)).toMatchObject([
    { id: '1', who: 'Ada Lovelace', payload: charge('P-1').payload, duplicate_of: null },
    { id: '2', duplicate_of: '1' },
  ]);
  const events = recordsOf((await gw(home, ['events', 'list', '-o', 'jsonl'])).stdout);
  expect(events).toMatchObject([
    { id: '2', event: 'charge:successful', who: null },
    { id: '1', event: 'charge:successful', who: null },
  ]);
  expect((await gw(home, ['find', 'lovelace'])).stdout).toBe('');
  const resend = await gw(home, ['events', 'resend', '1', '--to', application.url]);
  expect([resend.code, resend.stderr]).toEqual([
    4,
    expect.stringContaining('gw no longer has the body of event'),
  ]);
});
