/** The built listener with deliveries that come again: by the test gateway, by a sample, and in a circle. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { charge, chargeText, gw, post, recordsOf, startListener } from '../helpers/listener.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const DAILY = ['--frequency', 'Daily', '--reference', 'SUB-1'];

async function events(home: string) {
  const { stdout } = await gw(home, ['events', 'list', '--limit', '100', '-o', 'jsonl']);
  return recordsOf(stdout).reverse();
}

/** @returns the id of the record that a command creates at the test gateway */
async function made(home: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await gw(home, [...args, '--profile', 'local', '-o', 'id']);
  expect(stdout, stderr).not.toBe('');
  return stdout.trim();
}

test('the announcements of four days are four events, and end --count 4', async () => {
  const home = temporaryDirectory();
  const plan = ['--name', 'Gold', '--reference', 'GOLD', '--description', 'Gold'];
  await made(home, 'plan', 'create', ...plan, '--amount', '2500');
  const person = ['--first-name', 'Ada', '--last-name', 'L', '--email', 'ada@example.com'];
  const card = ['--test-card', 'approved', '--reference', 'C-1'];
  const customer = await made(home, 'customer', 'create', ...person, ...card);
  const today = new Date().toISOString().slice(0, 10);
  const ofCustomer = ['--customer', customer, '--plan', 'GOLD', '--start-date', today];
  await made(home, 'subscription', 'create', ...ofCustomer, ...DAILY);
  const listener = await startListener(home, [
    ...['--profile', 'local', '--events', 'charge:pending', '--count', '4', '--timeout', '60'],
  ]);
  await gw(home, ['emulator', 'advance', '4d']);
  const { code, stderr } = await listener.ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('Received 4 events: 4 charge:pending.'),
  ]);
  expect((await events(home)).slice(0, 4).map(({ duplicate_of }) => duplicate_of)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('each sample is an event of its own, and a resent one is not', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home, ['--count', '2']);
  const to = ['--to', listener.url.href];
  await gw(home, ['trigger', 'charge:pending', ...to]);
  expect((await gw(home, ['events', 'resend', '1', ...to])).code).toBe(0);
  await gw(home, ['trigger', 'charge:pending', ...to]);
  expect((await listener.ended).stderr).toContain('Not counted: 1 duplicate, 2 samples.');
  expect((await events(home)).map(({ duplicate_of }) => duplicate_of)).toEqual([null, '1', null]);
});

test('bodies over 1 MiB are compared whole', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home);
  const large = (end: string) => 'x'.repeat(1024 * 1024) + end;
  for (const body of [large('a'), large('b'), large('a')])
    expect((await post(listener.url, body)).status).toBe(413);
  expect((await events(home)).map(({ duplicate_of }) => duplicate_of)).toEqual([null, null, '1']);
});

test('a forged charge with the ids of the true one does not hide it, and a resend may go back', async () => {
  const home = temporaryDirectory();
  const [first, second] = [temporaryDirectory(), temporaryDirectory()];
  const to = await startListener(second);
  const from = await startListener(first, ['--forward-to', to.url.href]);
  const forged = chargeText('P-1').replace('2500', '1');
  for (const body of [forged, chargeText('P-1'), chargeText('P-1')])
    await post(from.url, body, { headers: { 'X-Gw-Delivery': '7' } });
  await to.printed(/#3\t/);
  const seen = [null, null, '2'];
  for (const each of [first, second])
    expect((await events(each)).map(({ duplicate_of }) => duplicate_of)).toEqual(seen);
  expect(from.output()).toContain('event 2 has the delivery id of event 1');
  // What the first listener passed on may be sent to it again by hand.
  expect((await gw(second, ['events', 'resend', '2', '--to', from.url.href])).code).toBe(0);
  expect((await events(first)).map(({ duplicate_of }) => duplicate_of)).toEqual([...seen, '2']);
  expect(from.output()).not.toContain('came back');
  expect(await events(home)).toEqual([]);
});

test('an event that was sent by hand to where it waited for is not passed on there again', async () => {
  const [one, two] = [temporaryDirectory(), temporaryDirectory()];
  const gone = await startListener(two);
  gone.child.kill('SIGKILL');
  await gone.ended;
  const to = gone.url.href;
  const first = await startListener(one, ['--forward-to', to]);
  await post(first.url, chargeText('P-1'));
  first.child.kill('SIGTERM');
  await first.ended;
  await startListener(two, ['--port', gone.url.port]);
  expect((await gw(one, ['events', 'resend', '1', '--to', to])).code).toBe(0);
  const again = await startListener(one, ['--forward-to', to, '--timeout', '1']);
  await again.ended;
  expect((await events(two)).length).toBe(1);
});

test('--forward-to the listener itself is refused, by any of its names', async () => {
  const home = temporaryDirectory();
  // No system gives such a port to whoever asks for any, as other tests do.
  const other = String(20_000 + (process.pid % 10_000));
  for (const address of ['127.0.0.1', 'localhost', '127.1', '[::1]', '127.0.0.2', '0.0.0.0']) {
    const forward = ['--port', other, '--forward-to', `http://${address}:${other}/hooks`];
    const { code, stderr } = await gw(home, ['listen', ...forward, '--timeout', '5']);
    expect([code, stderr], address).toEqual([
      2,
      expect.stringContaining('address of this listener'),
    ]);
    expect(stderr).not.toContain('Listening.');
  }
});

test('two listeners that pass events on to each other keep each event once', async () => {
  const home = temporaryDirectory();
  const [one, two] = [path.join(home, 'one'), path.join(home, 'two')];
  const free = await startListener(home);
  free.child.kill('SIGKILL');
  await free.ended;
  const first = await startListener(one, ['--forward-to', free.url.href]);
  const second = await startListener(two, [
    ...['--port', free.url.port, '--forward-to', first.url.href],
  ]);
  const body = JSON.stringify(charge('P-1'));
  await post(first.url, body);
  await first.printed(/and that came back/);
  const ended = [];
  for (const { child, ended: end } of [first, second]) {
    child.kill('SIGTERM');
    ended.push((await end).stderr);
  }
  for (const stderr of ended) expect(stderr).toContain('Received 1 event');
  for (const each of [one, two]) expect(await events(each)).toHaveLength(1);
  const { stdout } = await run(process.execPath, [PROGRAM, 'events', 'get', '1', '-o', 'json'], {
    env: { PATH: process.env.PATH, HOME: two },
  });
  expect(JSON.parse(stdout).headers['x-gw-forwarded']).toMatch(/^[a-p-]{36}$/);
});
