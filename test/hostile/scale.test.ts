/** Much of everything: long messages, many ids, and readers that go away. */
import { describe, expect, test } from 'vitest';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { environmentOf, gw } from './support.ts';

const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '1'];
const LONG = 'x'.repeat(10_000_000);

/** Finds every purchase, with 40 KB of text. */
const finding: Behaviour = {
  onRequest(socket, { target }) {
    const id = target.split('/').at(-1);
    const record = { id, successful: true, message: 'Approved', reference: 'r'.repeat(40_960) };
    socket.write(answer(200, JSON.stringify({ successful: true, response: record, errors: [] })));
  },
};
const IDS = Array.from({ length: 1500 }, (_, i) => `071-P-${String(i).padStart(5, '0')}`);
const input = `${IDS.join('\n')}\n`;

describe('a message of 10 MB', () => {
  const answering = async (status: number, body: object, flags: string[] = []) => {
    const text = JSON.stringify(body);
    const server = await hostileServer({
      onRequest: (socket) => socket.write(answer(status, text)),
    });
    return gw([...PAY, ...flags], { url: server.url });
  };

  test('a message of 10 MB in an error is cut short', async () => {
    const { code, stderr } = await answering(400, {
      successful: false,
      errors: [LONG, 'Short'],
    });
    expect(code).toBe(6);
    expect(stderr.length).toBeLessThan(10_000);
  });

  test('an endless list of errors is cut short', async () => {
    const errors = Array.from({ length: 100_000 }, (_, i) => `Error ${i}`);
    const { code, stderr } = await answering(400, { successful: false, errors });
    expect(code).toBe(6);
    expect(stderr.length).toBeLessThan(10_000);
  });

  test('the message of a declined card is cut at a MiB in its record, and shorter in the error', async () => {
    const response = { id: null, successful: false, message: LONG };
    const { code, stdout, stderr } = await answering(
      200,
      { successful: true, response, errors: [] },
      ['--json'],
    );
    expect(code).toBe(5);
    const { message, ...others } = JSON.parse(stdout);
    expect(others).toEqual({ id: null, successful: false });
    expect(message).toMatch(/^x{1000000,1048576}…$/);
    expect(stderr.length).toBeLessThan(10_000);
  });
});

describe('1500 ids on stdin', () => {
  const get = ['purchase', 'get', '-'];

  test('1500 ids are looked up in order in constant memory', async () => {
    const server = await hostileServer(finding);
    // Their records are 60 MB together.
    const nodeArgs = ['--max-old-space-size=40'];
    const { code, stdout, stderr } = await gw([...get, '-o', 'id'], {
      url: server.url,
      input,
      nodeArgs,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(input);
    expect(server.requests).toHaveLength(IDS.length);
    expect(server.connections).toBe(8);
  });

  test.skipIf(!havePrograms('bash'))(
    '1500 ids are not all looked up if nobody reads the output',
    async () => {
      const server = await hostileServer(finding);
      const { stdout, stderr } = await run(
        'bash',
        [
          '-c',
          '"$0" "$1" purchase get - -o jsonl | head -1; echo "$PIPESTATUS"',
          process.execPath,
          PROGRAM,
        ],
        { env: environmentOf({ url: server.url }), input },
      );
      const [record = '', code] = stdout.split('\n');
      expect(JSON.parse(record)).toMatchObject({ id: IDS[0] });
      expect({ code, stderr }).toEqual({ code: '141', stderr: '' });
      expect(server.requests.length).toBeLessThan(IDS.length / 2);
    },
  );
});

test('gw does not wait for a slow body beyond the time limit', async () => {
  const server = await hostileServer({
    onRequest(socket) {
      socket.write(answer(200, '', { 'transfer-encoding': 'chunked' }));
      const drop = () => socket.write('1\r\n \r\n', (error) => error || setImmediate(drop));
      drop();
    },
  });
  const { code, stderr } = await gw([...PAY, '--timeout', '3'], { url: server.url });
  expect(code).toBe(8);
  expect(stderr).toContain('the time limit was reached');
});
