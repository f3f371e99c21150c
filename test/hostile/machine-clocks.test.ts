/**
 * Wrong clocks: whatever day a machine believes it is, what the journal knows is known on any other
 * day, and nothing is sent twice for it. The clock of a real program is changed by `faketime`.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../helpers/certificates.ts';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import type { Running } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { teamEntries } from '../helpers/team.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { startGw } from './support.ts';

const LIMIT_MS = 60_000;
const NOW = '2026-11-22 12:00:00';
const CLOCKS = [
  ['before the day on which the ledger was written', '2001-02-03 04:05:06'],
  ['behind 32 bits', '2038-01-20 00:00:00'],
] as const;

const REAL_TIME_LIMITS = { DONT_FAKE_MONOTONIC: '1' };

let library: string | undefined;

/**
 * Asked once: each `faketime` makes a semaphore that is named by the number of its process, and fails
 * where an older one of that number has left its own behind.
 * @returns what `faketime` loads into a program; in itself it would be a process between it and the test
 */
function libfaketime(): string {
  for (let attempt = 1; library === undefined; attempt++) {
    const { stdout, stderr } = spawnSync('faketime', ['-f', NOW, 'env'], { encoding: 'utf8' });
    library = /^LD_PRELOAD=(.*)$/m.exec(stdout)?.[1];
    if (attempt === 3) expect(library, stderr).toBeDefined();
  }
  return library;
}

/** A gateway, a home, and gw at any time, which stands still. */
async function machine() {
  let hold = () => {};
  /** Resolves when a request is there that gets no answer. */
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const gateway = await hostileServer({
    onRequest(socket, { method, body }) {
      if (method === 'GET') return void socket.write(answer(404, '{}'));
      const { amount, reference } = JSON.parse(body);
      if (reference === 'HELD') return hold();
      const isRejected = reference === 'REJECTED';
      const response = { id: `071-R-${reference}`, amount: -amount, successful: true };
      const envelope = isRejected
        ? { successful: false, response: null, errors: ['Not today'], test: true }
        : { successful: true, response, errors: [], test: true };
      socket.write(answer(isRejected ? 400 : 200, JSON.stringify(envelope)));
    },
  });
  const home = temporaryDirectory();
  const at = (clock: string, args: readonly string[]): Running =>
    startGw(args, {
      url: gateway.url,
      env: { HOME: home, FAKETIME: clock, LD_PRELOAD: libfaketime(), ...REAL_TIME_LIMITS },
      input: '',
      timeout: LIMIT_MS,
    });
  const references = () =>
    gateway.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body).reference);
  return { home, at, held, references };
}

const refund = (reference: string, ...flags: string[]) =>
  ['refund', 'create', '--transaction-id', '071-P-1', '--amount', '100'].concat(
    '--reference',
    reference,
    ...flags,
  );

describe.skipIf(!havePrograms('faketime'))('a clock at', () => {
  describe.each(CLOCKS)('%s', (_, wrong) => {
    test('hides no requests of a right clock, and a right clock hides none of its requests', async () => {
      const { at, references } = await machine();
      expect((await at(NOW, refund('ONE')).ended).code).toBe(0);
      expect((await at(wrong, refund('TWO')).ended).code).toBe(0);
      for (const [clock, reference] of [
        [wrong, 'ONE'],
        [NOW, 'TWO'],
        [wrong, 'TWO'],
      ] as const) {
        const { code, stderr } = await at(clock, refund(reference)).ended;
        expect(code, stderr).toBe(10);
        expect(stderr).toContain('gw journal show');
      }
      const list = ['journal', 'list', '-o', 'csv', '--fields', 'created_at,reference'];
      const { stdout } = await at(wrong, list).ended;
      const days = [NOW, wrong].map((clock) => clock.slice(0, 10));
      expect(stdout.match(/^\d{4}-\d\d-\d\d/gm)?.sort()).toEqual(days.sort());
      expect(references()).toEqual(['ONE', 'TWO']);
    });

    test.each([
      ['killed', 'read by a right one', wrong, NOW],
      ['killed', 'read by the same', wrong, wrong],
      ['killed by a right one', 'read by it', NOW, wrong],
    ])('treats a request that was %s in flight as unknown, %s', async (_what, _by, then, later) => {
      const { at, held, references } = await machine();
      const { child, ended } = at(then, refund('HELD'));
      await held;
      child.kill('SIGKILL');
      await ended;
      const { code, stderr } = await at(later, refund('HELD')).ended;
      expect(code, stderr).toBe(10);
      expect(stderr).toContain('gw journal resolve');
      expect(references()).toEqual(['HELD']);
    });

    test('does not repeat a batch line of a right clock', async () => {
      const { home, at, references } = await machine();
      const file = path.join(home, 'returns.csv');
      const rows = (last: string) =>
        writeFileSync(
          file,
          `transaction_id,amount,reference\n071-P-1,100,A\n071-P-2,100,${last}\n`,
        );
      rows('REJECTED');
      expect((await at(NOW, ['refund', 'batch', file]).ended).code).toBe(9);
      rows('B');
      const { code, stdout } = await at(wrong, ['refund', 'batch', file]).ended;
      expect(code).toBe(0);
      expect(stdout).toContain('"earlier":true');
      expect(references()).toEqual(['A', 'REJECTED', 'B']);
    });
  });
});

const programs = findPostgres();

describe.skipIf(programs === undefined || !havePrograms('openssl'))('a paused machine', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  /** A gateway that takes no connection until it is let; whoever comes is told. */
  async function gatedGateway() {
    const authority = createAuthority(temporaryDirectory());
    const gateway = await hostileServer(
      {
        onRequest(socket, { body }) {
          const response = { ...JSON.parse(body), id: '071-P-1', successful: true };
          const envelope = { successful: true, response, errors: [], test: true };
          socket.write(answer(200, JSON.stringify(envelope)));
        },
      },
      { tls: authority.issue('127.0.0.1') },
    );
    const gate = net.createServer({ pauseOnConnect: true });
    gate.listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const came = once(gate, 'connection');
    onTestFinished(() => void gate.close());
    return {
      gateway,
      authority: authority.file,
      url: new URL(`https://127.0.0.1:${(gate.address() as AddressInfo).port}`),
      async came() {
        const [socket] = (await came) as [net.Socket];
        return () => {
          const onward = net.connect(gateway.port, '127.0.0.1');
          for (const end of [socket, onward]) end.on('error', () => undefined);
          socket.pipe(onward).pipe(socket);
          socket.resume();
        };
      },
    };
  }

  const AN_HOUR = 3_600_000;

  const NOT_SENT = { code: 7, sent: 0, state: 'not-sent' };
  const DONE = { code: 0, sent: 1, state: 'done' };

  test.each<[what: string, became: typeof DONE, uptimeMs: number, wallMs: number]>([
    ['for 40 s, and has its clock put back', NOT_SENT, 40_000, 0],
    ['for 40 s, and has its clock put back by an hour', NOT_SENT, 40_000, -AN_HOUR],
    ['for 40 s, which only the time of day counts', NOT_SENT, 0, 40_000],
    ['for 2 s, and has its clock put back by an hour', DONE, 2_000, -AN_HOUR],
  ])('that is paused before it sends %s', async (_, became, uptimeMs, wallMs) => {
    const { url: ledger } = await cluster.database();
    const { gateway, authority, url, came } = await gatedGateway();
    const clocks = path.join(temporaryDirectory(), 'clocks');
    writeFileSync(clocks, JSON.stringify({ wallMs: 0, uptimeMs: 0 }));
    const pay = ['purchase', 'create', '--card-token', 'tok', '--amount', '1', '--reference', 'A'];
    const { child, ended } = startGw(pay, {
      url,
      nodeArgs: ['--require', path.resolve('test/helpers/clocks-of-file.cjs')],
      env: { GW_LEDGER_URL: ledger, GW_TEST_CLOCKS: clocks, NODE_EXTRA_CA_CERTS: authority },
      input: '',
    });
    const open = await came();
    child.kill('SIGSTOP');
    writeFileSync(clocks, JSON.stringify({ wallMs, uptimeMs }));
    open();
    child.kill('SIGCONT');
    const { code, stderr } = await ended;
    const [entry] = await teamEntries(ledger);
    const said = { code, sent: gateway.requests.length, state: entry?.state };
    expect(said, stderr).toEqual(became);
  });
});
