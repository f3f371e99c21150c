/** A gateway that writes to the terminal of whoever asks it: nothing of it arrives as it was sent. */
import { describe, expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { gw } from './support.ts';

const NASTY = [
  '\u001b[2J\u001b[H', // clears the screen
  '\u001b]0;title\u0007', // sets the title
  '\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u001b]52;c;ZXZpbA==\u0007', // writes the clipboard
  '\u009b31m', // an escape sequence in one byte
  'Approved\rDECLINED',
  'back\b\b\b\bspace',
  '\u202egnp.exe', // reads from right to left
  '\u2066hidden\u2069',
  'line\u2028separator',
  'del\u007f',
  'nul\u0000nul',
  'bell\u0007',
].join('|');

/** Characters that gw may send to a terminal: text, line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** The id that is asked for: gw takes none that hides something. */
const ID = '071-P-1';

const RECORD = {
  id: ID,
  successful: true,
  message: NASTY,
  card_number: NASTY,
  card_holder: NASTY,
  reference: NASTY,
  currency: NASTY,
  amount: 2500,
  transaction_date: NASTY,
  [NASTY]: { [NASTY]: [NASTY] },
};
const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '2500'];

async function ask(args: readonly string[], status: number, body: string) {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(Buffer.from(answer(status, body))),
  });
  return gw(args, { url: server.url });
}

const found = JSON.stringify({ successful: true, response: RECORD, errors: [], test: true });

describe('a record', () => {
  test.each([
    ['text', []],
    ['a table', ['-o', 'table']],
    ['json', ['-o', 'json']],
    ['jsonl', ['-o', 'jsonl']],
    ['picked fields', ['--fields', 'message,reference']],
    ['raw', ['--raw']],
    ['debug', ['--debug']],
  ])('a record as %s reaches the terminal escaped', async (_, flags) => {
    const { stdout, stderr, code } = await ask(['purchase', 'get', ID, ...flags], 200, found);
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
    expect(stdout).not.toMatch(RAW);
    expect(stderr).not.toMatch(RAW);
  });

  test('the id of a new record reaches the terminal escaped', async () => {
    const made = JSON.stringify({
      successful: true,
      response: { ...RECORD, id: NASTY },
      errors: [],
    });
    const { stdout, stderr } = await ask([...PAY, '-o', 'id'], 200, made);
    expect(stdout).not.toBe('');
    expect(stdout + stderr).not.toMatch(RAW);
  });

  test('a record as JSON keeps its value', async () => {
    const { stdout } = await ask(['purchase', 'get', ID, '-o', 'json'], 200, found);
    expect(JSON.parse(stdout)).toEqual(RECORD);
    const raw = await ask(['purchase', 'get', ID, '--raw'], 200, found);
    expect(JSON.parse(raw.stdout)).toEqual(JSON.parse(found));
  });

  test('the record of a declined payment is escaped', async () => {
    const declined = JSON.stringify({
      successful: true,
      response: { ...RECORD, successful: false, message: `Declined ${NASTY}` },
      errors: [],
    });
    const { stdout, stderr, code } = await ask(PAY, 200, declined);
    expect(code).toBe(5);
    expect(stdout + stderr).not.toMatch(RAW);
  });

  test('the names of fields of another type are escaped', async () => {
    const odd = JSON.stringify({ successful: true, response: { message: [NASTY] }, errors: [] });
    const { stderr } = await ask(['purchase', 'get', ID], 200, odd);
    expect(stderr).toContain('message');
    expect(stderr).not.toMatch(RAW);
  });
});

describe('an error', () => {
  const envelope = JSON.stringify({ successful: false, errors: [NASTY, NASTY] });
  const ANSWERS: [what: string, status: number, body: string, flags: string[]][] = [
    ['in an envelope', 400, envelope, []],
    ['in an envelope, as JSON', 400, envelope, ['--json']],
    ['in an envelope, raw', 400, envelope, ['--raw']],
    ['as one text', 422, JSON.stringify({ successful: false, errors: NASTY }), ['--debug']],
    ['of permissions', 403, JSON.stringify({ successful: false, errors: [NASTY] }), ['--debug']],
    ['of nothing found', 404, JSON.stringify({ successful: false, errors: [NASTY] }), ['--debug']],
    ['on a page', 500, `<html><body>${NASTY}<h1>${NASTY}</h1></body></html>`, ['--debug']],
    ['on a page, raw', 500, `<html><body>${NASTY}<h1>${NASTY}</h1></body></html>`, ['--raw']],
    ['in plain text', 400, NASTY, ['--debug']],
    ['in half of a JSON', 200, found.slice(0, -9), ['--debug']],
    ['in JSON that is no envelope', 200, JSON.stringify({ [NASTY]: NASTY }), ['--debug']],
  ];

  test.each(ANSWERS)('an error %s reaches the terminal escaped', async (_, status, body, flags) => {
    const { stdout, stderr, code } = await ask([...PAY, ...flags], status, body);
    expect([3, 4, 6, 8]).toContain(code);
    expect(stdout).not.toMatch(RAW);
    expect(stderr).not.toMatch(RAW);
    expect(stderr).not.toBe('');
  });

  test('an error in the headers reaches the terminal escaped', async () => {
    // Latin-1 is all that a header may have; some of its control characters are escapes of their own.
    const nasty = 'x\u009b31m\u0085\u0090\u009d0;t\u009c';
    const server = await hostileServer({
      onRequest: (socket) =>
        socket.write(
          Buffer.from(
            answer(302, '', { location: nasty, 'retry-after': nasty, 'x-evil': nasty }),
            'latin1',
          ),
        ),
    });
    const { stderr, code } = await gw([...PAY, '--debug'], { url: server.url });
    expect(code).toBe(8);
    expect(stderr).toContain('x-evil');
    expect(stderr).not.toMatch(RAW);
  });
});

test('typed text comes back escaped', async () => {
  for (const args of [
    ['purchase', 'get', NASTY.replaceAll('\0', '')],
    ['purchase', 'create', '--amount', '\u001b[31m'],
    ['purchase', 'create', '--input', '\u001b[31mfile'],
    ['api', 'GET', '/\u001b[31m'],
    ['\u001b[31m'],
    ['purchase', '\u001b[31m'],
    ['purchase', 'get', 'x', '--\u001b[31m'],
    ['purchase', 'get', 'x', '-o', '\u001b[31m'],
    ['purchase', 'get', 'x', '--profile', '\u001b[31m'],
    ['purchase', 'get', 'x', '--timeout', '\u001b[31m'],
    ['purchase', 'get', 'x', '--fields', '\u001b[31m'],
    ['plan', 'list', '--limit', '\u001b[31m'],
    ['purchase', 'create', '--card-token', 't', '--amount', '1', '--currency', '\u001b[31m'],
    ['purchase', 'create', '--test-card', '\u001b[31m', '--amount', '1'],
  ]) {
    const { stdout, stderr, code } = await gw(args);
    expect({ args, raw: RAW.exec(stdout + stderr)?.[0] }).toEqual({ args, raw: undefined });
    expect(code).not.toBe(1);
  }
});
