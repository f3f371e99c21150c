/**
 * Signals, at moments that the other side decides: what is in flight is seen through or unknown, and
 * no entry of the journal is left that says it is being sent.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../helpers/batch.ts';
import { ENVELOPE } from '../helpers/calls.ts';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { charge, post } from '../helpers/listener.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Running, start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf, gw, startGw } from './support.ts';

const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '1', '--reference', 'INV-1'];
const REFUND = [
  'refund',
  'create',
  '--transaction-id',
  '071-P-1',
  '--amount',
  '1',
  '--reference',
  'R-1',
];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LINES = 40;
const IN_FLIGHT = 4;
const INTERRUPTED = { code: null, signal: 'SIGINT' };

const approved = answer(200, ENVELOPE);

const statesOf = async (home: string) =>
  (await entriesOf({ home, env: {} })).map(({ state }) => state);

/** Answers a line of a batch with what it was sent. */
const refunded: Required<Behaviour>['onRequest'] = (socket, { body }, index) => {
  const record = { ...JSON.parse(body), id: `071-R-${index}`, successful: true };
  const envelope = { successful: true, response: record, errors: [], test: true };
  socket.write(answer(200, JSON.stringify(envelope)));
};

function batchIn(home: string): string[] {
  const file = path.join(home, 'refunds.csv');
  const rows = Array.from({ length: LINES }, (_, n) => `071-P-${n},100,R-${n}\n`);
  writeFileSync(file, `transaction_id,amount,reference\n${rows.join('')}`);
  return ['refund', 'batch', file, '--concurrency', String(IN_FLIGHT)];
}

/** A server that keeps its answers to a batch until it is told to give them. */
function holding(whenHeld: () => void) {
  const held: (() => void)[] = [];
  let isOpen = false;
  const behaviour: Behaviour = {
    onRequest(socket, request, index) {
      const reply = () => refunded(socket, request, index);
      if (isOpen) return reply();
      held.push(reply);
      if (held.length === IN_FLIGHT) whenHeld();
    },
  };
  const release = () => {
    isOpen = true;
    for (const reply of held) reply();
  };
  return { behaviour, release };
}

describe.each(SIGNALS)('%s', (signal) => {
  test(`${signal} before the gateway is reached sends nothing`, async () => {
    const home = temporaryDirectory();
    const server = await hostileServer({ onRequest: (socket) => socket.write(approved) });
    const command = `kill -${signal.slice('SIG'.length)} $PPID; exec sleep 60`;
    const settings = ['--environment', 'sandbox', '--base-url', server.url.href];
    await gw(['profile', 'set', 'shop', ...settings, '--credential-command', command], { home });
    const end = await gw([...PAY, '--profile', 'shop'], { home });
    expect(end).toMatchObject({ ...INTERRUPTED, stdout: '' });
    expect(server.connections).toBe(0);
    expect(await statesOf(home)).toEqual([]);
  });

  test(`${signal} during the look-up before a refund sends no refund`, async () => {
    const home = temporaryDirectory();
    const server = await hostileServer({ onRequest: () => void child.kill(signal) });
    const { child, ended } = startGw(REFUND, { url: server.url, home });
    expect(await ended).toMatchObject({ ...INTERRUPTED, stdout: '' });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(await statesOf(home)).toEqual([]);
  });

  test(`${signal} during a payment leaves its outcome unknown`, async () => {
    const home = temporaryDirectory();
    const server = await hostileServer({ onRequest: () => void child.kill(signal) });
    const { child, ended } = startGw(PAY, { url: server.url, home });
    expect(await ended).toMatchObject({ code: 8, signal: null });
    expect(server.requests).toHaveLength(1);
    expect(await statesOf(home)).toEqual(['unknown']);
  });

  test(`${signal} at the time of the answer does not change its meaning`, async () => {
    const home = temporaryDirectory();
    const server = await hostileServer({
      onRequest: (socket) => socket.write(approved, () => void child.kill(signal)),
    });
    const { child, ended } = startGw(PAY, { url: server.url, home });
    const { code } = await ended;
    const [state] = await statesOf(home);
    expect(['0 done', '8 unknown']).toContain(`${code} ${state}`);
    expect(server.requests).toHaveLength(1);
  });

  test(`${signal} in a batch starts no more lines and finishes those in flight`, async () => {
    const home = temporaryDirectory();
    const { behaviour, release } = holding(() => child.kill(signal));
    const server = await hostileServer(behaviour);
    const { child, ended, printed } = startGw(batchIn(home), { url: server.url, home, input: '' });
    await printed(/gw starts no more lines/);
    release();
    expect(await ended).toMatchObject(INTERRUPTED);
    expect(await statesOf(home)).toEqual(Array(IN_FLIGHT).fill('done'));
    expect(server.requests).toHaveLength(IN_FLIGHT);
  });

  test(`a second ${signal} ends a batch at once, and lines in flight are unknown`, async () => {
    const home = temporaryDirectory();
    const { behaviour } = holding(() => child.kill(signal));
    const server = await hostileServer(behaviour);
    const { child, ended, printed } = startGw(batchIn(home), { url: server.url, home, input: '' });
    await printed(/gw starts no more lines/);
    child.kill(signal);
    expect(await ended).toMatchObject(INTERRUPTED);
    expect(await statesOf(home)).toEqual(Array(IN_FLIGHT).fill('unknown'));
    expect(server.requests).toHaveLength(IN_FLIGHT);
  });

  test(`${signal} ends look-ups that wait for more ids`, async () => {
    const server = await hostileServer({ onRequest: () => void child.kill(signal) });
    const { child, ended } = startGw(['purchase', 'get', '-', '-o', 'json'], { url: server.url });
    child.stdin?.write('071-P-1\n');
    expect(await ended).toMatchObject({ ...INTERRUPTED, stdout: '[]\n' });
  });

  test(`${signal} ends a listener that has stored its events`, async () => {
    const home = temporaryDirectory();
    const { child, ended, printed, output } = startGw(['listen', '--port', '0'], { home });
    const listening = /Give the gateway this address: (http\S+)\n/;
    await printed(listening);
    const url = new URL(listening.exec(output())?.[1] ?? '');
    expect((await post(url, JSON.stringify(charge('071-P-1')))).status).toBe(200);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, signal: null });
    const events = await gw(['events', 'list', '-o', 'json'], { home });
    expect(JSON.parse(events.stdout)).toHaveLength(1);
  });

  test(`${signal} ends the test gateway with success`, async () => {
    const { child, ended, printed } = startGw(['emulator', 'start', '--port', '0']);
    await printed(/Press Ctrl-C to stop/);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });

  test.skipIf(!havePrograms('script'))(`${signal} cancels a question`, async () => {
    const server = await hostileServer({});
    const { ended, printed, pid } = startOnTerminal(['purchase', 'create'], { url: server.url });
    await printed(/Card:/);
    process.kill(pid(), signal);
    expect((await ended).code).toBe(130);
    expect(server.connections).toBe(0);
  });
});

describe.skipIf(!havePrograms('script'))('a reader in a pager', () => {
  const READING = "console.log('reading'); process.stdin.resume(); setInterval(() => {}, 1e6);";

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends the pager, and gw', async (signal) => {
    const home = temporaryDirectory();
    const pager = path.join(home, 'pager.cjs');
    writeFileSync(pager, `console.log('pager ' + process.pid); ${READING}`);
    const { ended, printed, output, pid } = startOnTerminal(['purchase', 'create', '--help'], {
      home,
      env: { GW_PAGER: `exec '${process.execPath}' '${pager}'` },
    });
    await printed(/reading/);
    process.kill(pid(), signal);
    expect((await ended).code).toBe(130);
    const reader = Number(/pager (\d+)/.exec(output())?.[1]);
    expect(() => process.kill(reader, 0)).toThrow('ESRCH');
  });
});

/** Starts gw on a pseudo-terminal; the first line there is its process. */
function startOnTerminal(
  args: readonly string[],
  { env: more, ...options }: { url?: URL; home?: string; env?: NodeJS.ProcessEnv },
): Running & { pid(): number } {
  const words = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const command = `echo "process $$"; exec ${words}`;
  const env = { ...environmentOf(options), TERM: 'xterm', ...more };
  const running = start('script', ['-qec', command, '/dev/null'], { env });
  return { ...running, pid: () => Number(/process (\d+)/.exec(running.output())?.[1]) };
}

test.skipIf(!havePrograms('script'))(
  'a closed terminal ends a batch after the lines in flight',
  async () => {
    const home = temporaryDirectory();
    // Nobody waits for gw itself any more, and its connections are closed when it has ended.
    const closed: Promise<unknown>[] = [];
    const { behaviour, release } = holding(() => terminal.child.kill('SIGKILL'));
    const server = await hostileServer({
      ...behaviour,
      onConnection: (socket) =>
        void closed.push(new Promise((resolve) => socket.once('close', resolve))),
    });
    const terminal = startOnTerminal(batchIn(home), { url: server.url, home });
    expect((await terminal.ended).signal).toBe('SIGKILL');
    release();
    await Promise.all(closed);
    expect(await statesOf(home)).toEqual(Array(server.requests.length).fill('done'));
    expect(server.requests.length).toBeLessThan(LINES);
  },
);

describe.skipIf(process.platform !== 'linux' || !havePrograms('bash', 'nohup'))('nohup', () => {
  test.each([
    ['nohup', 'nohup "$0" "$@" & echo "process $!"; wait $!'],
    ["trap '' HUP", 'trap "" HUP; "$0" "$@" & echo "process $!"; wait $!'],
  ])('a payment continues if %s ignores SIGHUP', async (_, script) => {
    const home = temporaryDirectory();
    const server = await hostileServer({
      onRequest(socket) {
        process.kill(Number(/process (\d+)/.exec(output())?.[1]), 'SIGHUP');
        socket.write(approved);
      },
    });
    const { ended, output } = start('bash', ['-c', script, process.execPath, PROGRAM, ...PAY], {
      env: environmentOf({ url: server.url, home }),
      input: '',
    });
    expect((await ended).code).toBe(0);
    expect(await statesOf(home)).toEqual(['done']);
  });
});

describe('a signal without a meaning', () => {
  test.each<[what: string, first: NodeJS.Signals, then?: NodeJS.Signals]>([
    ['SIGPIPE', 'SIGPIPE'],
    ['SIGWINCH', 'SIGWINCH'],
    ['SIGSTOP and then SIGCONT', 'SIGSTOP', 'SIGCONT'],
  ])('%s does not affect a payment', async (_, first, then) => {
    const server = await hostileServer({
      onRequest(socket) {
        child.kill(first);
        socket.write(approved, () => then && child.kill(then));
      },
    });
    const { child, ended } = startGw(PAY, { url: server.url, input: '' });
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
