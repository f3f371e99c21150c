/** Few descriptors: nothing is sent that cannot be written down, and what was done is told. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf, resultsOf } from '../helpers/batch.ts';
import { ENVELOPE } from '../helpers/calls.ts';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf } from './support.ts';

const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '1', '--reference', 'INV-1'];
/** Node itself takes about twenty; below that it does not come to gw. */
const ENOUGH_FOR_NODE = 20;
const ENOUGH = 32;
const LINES = 100;

const STACK = /^\s+at /m;

function withDescriptors(count: number, args: readonly string[], url: URL, home: string) {
  const script = `ulimit -n ${count}; "$0" "$@"`;
  const env = environmentOf({ url, home });
  return run('bash', ['-c', script, process.execPath, PROGRAM, ...args], { env });
}

describe.skipIf(process.platform !== 'linux' || !havePrograms('bash'))(
  'with few descriptors',
  () => {
    const counts = Array.from({ length: 8 }, (_, n) => ENOUGH_FOR_NODE + n);

    test.each(counts)(
      'with %d left, a payment is made and reported, or not made',
      async (count) => {
        const home = temporaryDirectory();
        const server = await hostileServer({
          onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
        });
        const { code, stderr } = await withDescriptors(
          count,
          [...PAY, '-o', 'table'],
          server.url,
          home,
        );
        if (!existsSync(path.join(home, '.local/state/gw/ledger.db'))) {
          // Node ended before gw began, each version at a number of its own.
          expect(server.connections).toBe(0);
          return;
        }
        expect(stderr).not.toMatch(STACK);
        const states = (await entriesOf({ home, env: {} })).map(({ state }) => state);
        const said = /succeeded, but its record could not be printed/.test(stderr) ? 'told' : '';
        const story = `${code} ${server.requests.length} ${states} ${said}`.trim();
        expect([
          '0 1 done',
          '9 1 done told',
          '7 0 not-sent',
          '10 0',
          '9 0',
          '9 0 not-sent',
        ]).toContain(story);
      },
    );

    test('a batch with too many connections sends every line once', async () => {
      const home = temporaryDirectory();
      const server = await hostileServer({
        onRequest(socket, { body }, index) {
          const record = { ...JSON.parse(body), id: `071-R-${index}`, successful: true };
          const envelope = { successful: true, response: record, errors: [], test: true };
          socket.write(answer(200, JSON.stringify(envelope)));
        },
      });
      const file = path.join(home, 'refunds.csv');
      const rows = Array.from({ length: LINES }, (_, n) => `071-P-${n},100,R-${n}\n`);
      writeFileSync(file, `transaction_id,amount,reference\n${rows.join('')}`);
      const args = ['refund', 'batch', file, '--concurrency', '40'];
      const end = await withDescriptors(ENOUGH, args, server.url, home);
      expect(end.stderr).not.toMatch(STACK);
      expect(end.stderr).not.toContain('Warning');
      const done = resultsOf(end).filter(({ outcome }) => outcome === 'done');
      expect(server.requests).toHaveLength(done.length);
      expect(end.code).toBe(done.length === LINES ? 0 : 9);
      const others = resultsOf(end).filter(({ outcome }) => outcome !== 'done');
      expect(
        others.filter(({ outcome }) => !['not-sent', 'not-started'].includes(outcome)),
      ).toEqual([]);
    });
  },
);
