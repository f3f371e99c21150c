/**
 * Keys that were typed before a question was drawn answer nothing, however they come: nothing is sent. Keys that are
 * typed as soon as it is drawn do. A real terminal, and a gateway that answers a look-up when the test says so.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeLiveProfile } from '../helpers/live-profile.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal, type Terminal } from '../helpers/terminal.ts';

const PURCHASE = {
  id: '071-P-X',
  amount: 2500,
  currency: 'AUD',
  successful: true,
  message: 'Approved',
  authorization: '582',
  reference: 'INV-1',
};

/** A live gateway, which holds look-ups back until it is told to answer them. */
async function openGateway({ isHolding = false } = {}) {
  const written: string[] = [];
  const held: (() => void)[] = [];
  let arrived: () => void;
  const lookedUp = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((request, response) => {
    const answer = (record: object) =>
      response.end(JSON.stringify({ successful: true, response: record, errors: [], test: false }));
    request.resume();
    if (request.method === 'GET') {
      if (isHolding) held.push(() => answer(PURCHASE));
      else answer(PURCHASE);
      arrived();
    } else {
      written.push(`${request.method} ${request.url}`);
      answer({ ...PURCHASE, id: '071-R-1', amount: 100, refunded: 'Approved', reference: 'LR' });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const release = () => {
    for (const answer of held) answer();
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, written, lookedUp, release };
}

function openDesk(baseUrl: string, env: Record<string, string> = {}) {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'gw'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
    mode: 0o755,
  });
  writeLiveProfile(home, { baseUrl, currency: 'AUD' });
  writeFileSync(
    path.join(home, 'refunds.csv'),
    'transaction_id,amount,reference\n071-P-X,100,LR\n071-P-X,200,LR-2\n',
  );
  const all = { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', ...env };
  const terminal = openTerminal({ columns: 80, rows: 40, env: all, cwd: home });
  const gw = (line: string) => run('sh', ['-c', line], { env: all, cwd: home, input: '' });
  return { terminal, gw };
}

const NAME = /Type the profile name \(live\) to confirm:/;

/** Only a question that stands unanswered refuses another name; then it is taken back. */
async function stillAsks({ shows, type }: Terminal): Promise<void> {
  await shows(NAME);
  type('lvie\r');
  await shows(/2 tries are left/);
  type('\x03');
}

const REFUND = 'gw refund create 071-P-X --amount 100 --reference LR -p live';
const COMMANDS = [
  REFUND,
  'gw purchase create --card-token tok --amount 2500 --currency AUD --reference INV-2 -p live',
  'gw customer delete 071-C-1 -p live',
  'gw api POST /v1.0/purchases/071-P-X/void --field reference=LR -p live',
  'gw refund batch refunds.csv -p live',
];
const LOOKING_UP = [REFUND];
const FORMS: readonly [form: string, flag: string][] = [
  ['drawn', ''],
  ['plain', ' --plain'],
];
const both = (commands: readonly string[]) =>
  FORMS.flatMap(([form, flag]) => commands.map((command) => [form, `${command}${flag}`] as const));

describe.skipIf(!havePrograms('script', 'stty'))('a live profile is not confirmed', () => {
  test.each(both(COMMANDS))('by keys typed at once: %s, %s', async (_, command) => {
    const { url, written } = await openGateway();
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(command);
    terminal.type('live\r');
    await stillAsks(terminal);
    expect((await ended).code).toBe(130);
    expect(terminal.text().at(-1)).toContain('Nothing was sent.');
    expect(written).toEqual([]);
  });

  test.each(both(LOOKING_UP))('by keys typed during a look-up: %s, %s', async (_, command) => {
    const { url, written, lookedUp, release } = await openGateway({ isHolding: true });
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(command);
    await lookedUp;
    terminal.type('live\rlive\r');
    // The terminal itself shows what is typed while nothing is asked: it has taken it.
    await terminal.shows(/^live\n(?:.*\n)*live$/m);
    release();
    await stillAsks(terminal);
    expect((await ended).code).toBe(130);
    expect(written).toEqual([]);
  });

  test.each(FORMS)('by keys typed after the earlier answer: %s', async (_, flag) => {
    const { url, written } = await openGateway();
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(`gw refund create 071-P-X -p live${flag}`);
    await terminal.shows(/Amount in AUD/);
    terminal.type('1\rLR\rlive\r');
    await terminal.shows(/Reference:/);
    terminal.type('LR\rlive\rlive\r');
    await stillAsks(terminal);
    expect((await ended).code).toBe(130);
    expect(written).toEqual([]);
  });

  test.each(FORMS)('by more keys than a terminal buffers: %s', async (_, flag) => {
    const { url, written } = await openGateway();
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(`${REFUND}${flag}`);
    terminal.type('live\r'.repeat(3_000));
    await stillAsks(terminal);
    expect((await ended).code).toBe(130);
    expect(written).toEqual([]);
  });

  test.each(FORMS)('by a name without its Enter, typed during a look-up: %s', async (_, flag) => {
    const { url, written, lookedUp, release } = await openGateway({ isHolding: true });
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(`${REFUND}${flag}`);
    await lookedUp;
    terminal.type('live');
    await terminal.shows(/^live$/m);
    release();
    await terminal.shows(NAME);
    terminal.type('\r');
    await terminal.shows(/2 tries are left/);
    terminal.type('\x03');
    expect((await ended).code).toBe(130);
    expect(written).toEqual([]);
  });

  test.each(FORMS)('by keys typed after a refused name: %s', async (_, flag) => {
    const { url, written } = await openGateway();
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(`${REFUND}${flag}`);
    await terminal.shows(NAME);
    terminal.type('lvie\rlive\r');
    await terminal.shows(/2 tries are left/);
    terminal.type('lvie\r');
    await terminal.shows(/1 try is left/);
    terminal.type('\x03');
    expect((await ended).code).toBe(130);
    expect(written).toEqual([]);
  });
});

describe.skipIf(!havePrograms('script', 'stty'))('an answer typed in time', () => {
  test.each(both(COMMANDS))('confirms a live profile: %s, %s', async (_, command) => {
    const { url, written } = await openGateway();
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(command);
    terminal.type('live\r');
    await terminal.shows(NAME);
    terminal.type('live\r');
    await ended;
    expect(written).toHaveLength(command.includes('batch') ? 2 : 1);
  });

  test.each(FORMS)('cancels a command, even before its question: %s', async (_, flag) => {
    const { url, written, lookedUp, release } = await openGateway({ isHolding: true });
    const { terminal } = openDesk(url);
    const { ended } = terminal.begin(`${REFUND}${flag}`);
    await lookedUp;
    terminal.type('live\r\x03');
    expect((await ended).code).toBe(130);
    release();
    expect(written).toEqual([]);
  });
});

describe.skipIf(!havePrograms('script', 'stty'))('yes or no', () => {
  const made =
    'gw customer create -p local --first-name Ada --last-name Byron --email ada@example.com --reference C-1 --test-card approved -o id';

  test.each(FORMS)('is not answered by earlier keys: gw forget, %s', async (_, flag) => {
    const { terminal, gw } = openDesk('http://127.0.0.1:1');
    expect(await gw(made)).toMatchObject({ code: 0, stderr: '' });
    const { ended } = terminal.begin(`gw forget ada@example.com -p local${flag}`);
    terminal.type('y\r');
    await terminal.shows(/Erase this for good\?/);
    terminal.type('\r');
    expect((await ended).code).toBe(10);
    expect(terminal.text().join(' ')).toContain('Nothing was erased.');
    expect((await gw('gw customer list -p local -o id')).stdout).toMatch(/071-C-/);
  });

  test.each(FORMS)('is a no after Enter alone: %s', async (_, flag) => {
    const { terminal } = openDesk('http://127.0.0.1:1');
    const { ended } = terminal.begin(`gw purchase create -p local --test-card approved${flag}`);
    await terminal.shows(/Amount/);
    terminal.type('25\r');
    await terminal.shows(/Reference/);
    terminal.type('INV-1\r');
    await terminal.shows(/Send it\?/);
    terminal.type('\r');
    expect((await ended).code).toBe(130);
    expect(terminal.text().at(-1)).toContain('Nothing was sent.');
  });
});
