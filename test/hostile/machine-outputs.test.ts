/**
 * Places that take no output, or a part of it: what was done is seen through, kept and told of, and
 * never looks like success.
 */
import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf, resultsOf } from '../helpers/batch.ts';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { charge, post } from '../helpers/listener.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, type Running, start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf, type GwOptions, gw, startGw } from './support.ts';

const PAY = [
  'purchase',
  'create',
  '--card-token',
  'tok',
  '--amount',
  '100',
  '--reference',
  'INV-1',
];
const LINES = 60;
const IN_FLIGHT = 4;
const EXIT_INCOMPLETE = 9;
const EXIT_UNREAD = 141;

/** Does what it is asked, and gives back what it was sent as a record of some length. */
const obliging: Behaviour = {
  onRequest(socket, { method, target, body }, index) {
    const sent = method === 'GET' ? {} : JSON.parse(body);
    const id = method === 'GET' ? target.split('/').at(-1) : `071-X-${index}`;
    const record = { ...sent, id, successful: true, message: 'Approved', note: 'n'.repeat(2_000) };
    const counts = { records: 1, total_records: 1, pages: 1, current_page: 1 };
    const response = target.includes('plans') ? [record] : record;
    const envelope = { successful: true, response, errors: [], test: true, ...counts };
    socket.write(answer(200, JSON.stringify(envelope)));
  },
};

const FILE_LIMIT_BYTES = 1024 * 1024;
const ROOM_BYTES = 20;

/** Redirections of bash; `$PLACE` is a directory that has a file `nearly` with ROOM_BYTES left. */
const PLACES: readonly [what: string, redirection: string][] = [
  ['is full', '> /dev/full'],
  ['has room for a part', '>> "$PLACE/nearly"'],
  ['is open for reading only', '1< /dev/null'],
  ['is a directory', '1< "$PLACE"'],
];

function prepared(): string {
  const place = temporaryDirectory();
  writeFileSync(path.join(place, 'nearly'), '');
  truncateSync(path.join(place, 'nearly'), FILE_LIMIT_BYTES - ROOM_BYTES);
  return place;
}

/** Starts gw in bash, with a redirection and no file larger than FILE_LIMIT_BYTES. */
function startInBash(
  args: readonly string[],
  redirection: string,
  { input = '', ...options }: GwOptions = {},
): Running {
  // In a subshell, so that what bash itself says goes where it always does.
  const script = `ulimit -f ${FILE_LIMIT_BYTES / 1024}; ("$0" "$@" ${redirection})`;
  return start('bash', ['-c', script, process.execPath, PROGRAM, ...args], {
    input,
    env: { ...environmentOf(options), PLACE: prepared(), ...options.env },
  });
}

const inBash = (...args: Parameters<typeof startInBash>): Promise<Ended> =>
  startInBash(...args).ended;

function writeBatch(home: string): string {
  const file = path.join(home, 'refunds.csv');
  const rows = Array.from({ length: LINES }, (_, n) => `071-P-${n},100,R-${n}\n`);
  writeFileSync(file, `transaction_id,amount,reference\n${rows.join('')}`);
  return file;
}

const statesOf = async (home: string) =>
  (await entriesOf({ home, env: {} })).map(({ state }) => state);

const STACK = /^\s+at /m;

describe.skipIf(!existsSync('/dev/full') || !havePrograms('bash'))('stdout', () => {
  describe.each(PLACES)('stdout that %s', (_what, redirection) => {
    test('does not hide that the payment was made', async () => {
      const home = temporaryDirectory();
      const server = await hostileServer(obliging);
      const { code, stderr } = await inBash(PAY, redirection, { url: server.url, home });
      expect(stderr).toMatch(
        /^Error: purchase create succeeded, but its record could not be printed\./,
      );
      const [entry] = await entriesOf({ home, env: {} });
      expect(stderr).toContain(
        `Do not send it again. It is 071-X-0. \`gw journal show ${entry?.id}`,
      );
      expect({ code, state: entry?.state }).toEqual({ code: EXIT_INCOMPLETE, state: 'done' });
      expect(server.requests).toHaveLength(1);
    });

    test('stops a batch after the lines in flight', async () => {
      const home = temporaryDirectory();
      const server = await hostileServer(obliging);
      const args = ['refund', 'batch', writeBatch(home), '--concurrency', String(IN_FLIGHT)];
      const { code, stderr } = await inBash(args, redirection, { url: server.url, home });
      expect(stderr).not.toMatch(STACK);
      expect(stderr).toContain('results of lines that are done, and does not send them again');
      expect(code).toBe(EXIT_INCOMPLETE);
      const sent = server.requests.length;
      expect(sent).toBeLessThan(LINES);
      expect(await statesOf(home)).toEqual(Array(sent).fill('done'));

      const again = await gw(args, { url: server.url, home });
      expect(again.code).toBe(0);
      expect(resultsOf(again).filter(({ earlier }) => earlier)).toHaveLength(sent);
      expect(server.requests).toHaveLength(LINES);
    });
  });

  const GET = ['purchase', 'get', '071-P-1'];
  const FORMATS = ['table', 'json', 'jsonl', 'csv'].map((format) => [...GET, '-o', format]);
  const COMMANDS: string[][] = [
    ...FORMATS,
    [...GET, '--raw'],
    ['purchase', 'get', '-', '-o', 'json'],
    ['purchase', 'get', '-', '-o', 'csv'],
    ['plan', 'list', '--all', '-o', 'json'],
    ['api', 'GET', '/v1.0/plans.json'],
    ['api', '--openapi'],
    ['purchase', 'create', '--skeleton'],
    ['purchase', 'create', '--dry-run', '--card-token', 'tok', '--amount', '1'],
    ['whoami'],
    ['--help'],
    ['purchase', '--help'],
    ['purchase', 'create', '--help'],
  ];
  const SHORT = '>> "$PLACE/nearly"';

  test.each(COMMANDS.map((args) => [args.join(' '), args]))(
    'gw %s reports incomplete output',
    async (_, args) => {
      const server = await hostileServer(obliging);
      const input = Array.from({ length: 20 }, (_, n) => `071-P-${n}\n`).join('');
      const { code, stderr } = await inBash(args, SHORT, { url: server.url, input });
      expect(stderr).toMatch(/(?:^Error: |"message":")The output could not be written: /m);
      expect(stderr).not.toMatch(STACK);
      expect(code).toBe(EXIT_INCOMPLETE);
    },
  );

  test.each([
    ['--version'],
    ['journal', 'list', '--all-profiles', '-o', 'json'],
    ['events', 'list', '-o', 'json'],
  ])('gw %s reports a single failed write', async (...args) => {
    const { code, stderr } = await inBash(args, '> /dev/full');
    expect(stderr).toContain('The output could not be written: no space is left');
    expect(code).toBe(EXIT_INCOMPLETE);
  });

  test('a declined card is reported even if its record is not printed', async () => {
    const response = { id: '071-P-1', successful: false, message: 'Declined', amount: 100 };
    const declined = JSON.stringify({ successful: true, response, errors: [], test: true });
    const server = await hostileServer({
      onRequest: (socket) => socket.write(answer(200, declined)),
    });
    const { code, stderr } = await inBash(PAY, '> /dev/full', { url: server.url });
    expect(stderr).toMatch(/^Error: The card was declined\./);
    expect(stderr).toContain('The output could not be written');
    expect(code).toBe(5);
  });

  test('gw listen stores events that it cannot print, and ends', async () => {
    const home = temporaryDirectory();
    const { printed, output, ended } = startInBash(['listen', '--port', '0'], '> /dev/full', {
      home,
    });
    const listening = /Give the gateway this address: (http\S+)\n/;
    await printed(listening);
    const url = new URL(listening.exec(output())?.[1] ?? '');
    expect((await post(url, JSON.stringify(charge('071-P-1')))).status).toBe(200);
    const { code, stderr } = await ended;
    expect(stderr).toMatch(/\nError: The output could not be written: no space is left/);
    expect(stderr).not.toMatch(STACK);
    expect(code).toBe(EXIT_INCOMPLETE);
    const events = await gw(['events', 'list', '-o', 'json'], { home });
    expect(JSON.parse(events.stdout)).toHaveLength(1);
  });
});

describe('a reader that has gone', () => {
  /** Its reader goes when the first request arrives, and only then it is answered. */
  async function unread(args: readonly string[], home: string) {
    const server = await hostileServer({
      onRequest(socket, request, index) {
        const { stdout } = child;
        const reply = () => obliging.onRequest?.(socket, request, index);
        if (stdout?.closed) return reply();
        stdout?.once('close', reply).destroy();
      },
    });
    const { child, ended } = startGw(args, { url: server.url, home, input: '' });
    return { server, ended: await ended };
  }

  test('a reader that has gone misses a payment that stderr reports', async () => {
    const home = temporaryDirectory();
    const { ended, server } = await unread(PAY, home);
    expect(ended.stderr).toMatch(
      /^Error: purchase create succeeded, but its record could not be printed\./,
    );
    expect(ended.stderr).toContain('Do not send it again. It is 071-X-0.');
    expect(ended.code).toBe(EXIT_UNREAD);
    expect(server.requests).toHaveLength(1);
    expect(await statesOf(home)).toEqual(['done']);
  });

  test('a reader that has gone stops a batch after the lines in flight', async () => {
    const home = temporaryDirectory();
    const args = ['refund', 'batch', writeBatch(home), '--concurrency', String(IN_FLIGHT)];
    const { ended, server } = await unread(args, home);
    expect(ended.code).toBe(EXIT_UNREAD);
    expect(ended.stderr).not.toContain('Error');
    expect(server.requests.length).toBeLessThan(LINES);
    expect(await statesOf(home)).toEqual(Array(server.requests.length).fill('done'));
  });

  test('a reader that has gone ends a look-up quietly', async () => {
    const { ended } = await unread(['purchase', 'get', '071-P-1'], temporaryDirectory());
    expect(ended).toMatchObject({ code: EXIT_UNREAD, stderr: '' });
  });
});

describe.skipIf(!havePrograms('bash'))('descriptors that are closed', () => {
  // Node opens /dev/null in their place, before any of gw runs.
  test.each(['<&-', '>&-', '2>&-', '<&- >&- 2>&-', '2> /dev/full', '2< /dev/null'])(
    'with %s a payment is made once and recorded',
    async (redirection) => {
      const home = temporaryDirectory();
      const server = await hostileServer(obliging);
      const { code, stderr } = await inBash(PAY, redirection, { url: server.url, home });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(server.requests).toHaveLength(1);
      expect(await statesOf(home)).toEqual(['done']);
    },
  );

  test.each(['<&-', '< "$PLACE"', '0> "$PLACE/written"'])(
    'with %s stdin has no body, and nothing is sent',
    async (redirection) => {
      const server = await hostileServer(obliging);
      const args = ['purchase', 'create', '--input', '-'];
      const { code, stderr } = await inBash(args, redirection, { url: server.url });
      expect(stderr).toMatch(/^Error: /);
      expect(stderr).not.toMatch(STACK);
      expect({ code, connections: server.connections }).toEqual({ code: 2, connections: 0 });
    },
  );
});
