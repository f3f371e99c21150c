/** Programs that are stopped, gateways that hang up in odd ways, and disks that are full: what the money did is told. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENVELOPE, REFUSAL } from '../helpers/calls.ts';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf, gw, startGw } from './support.ts';

const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '1', '--reference', 'INV-1'];

/** @returns the states that the journal of a home lists */
async function journal(home: string): Promise<string[]> {
  const { stdout } = await gw(['journal', 'list', '--all-profiles', '-o', 'json'], { home });
  return (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state);
}

test('SIGKILL during a payment leaves an unresolved entry', async () => {
  const home = temporaryDirectory();
  const server = await hostileServer({ onRequest: () => void child.kill('SIGKILL') });
  const { child, ended } = startGw(PAY, { url: server.url, home });
  expect((await ended).signal).toBe('SIGKILL');
  expect(await journal(home)).toEqual(['unknown']);
});

const says = (text: string): Behaviour => ({ onRequest: (socket) => socket.write(text) });
const ODD: [what: string, behaviour: Behaviour][] = [
  [
    'switches to another protocol',
    says('HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  ],
  ['hangs up without a word', { onRequest: (socket) => socket.end() }],
  ['resets the connection', { onRequest: (socket) => socket.resetAndDestroy() }],
  ['answers with nothing', says(answer(204))],
  ['redirects', says(answer(307, '', { location: 'http://127.0.0.1:1/' }))],
  ['answers half', { onRequest: (socket) => socket.end(answer(200, ENVELOPE).slice(0, -5)) }],
];

describe('a gateway that', () => {
  test.each(ODD)('a gateway that %s never looks like success', async (_, behaviour) => {
    const home = temporaryDirectory();
    const server = await hostileServer(behaviour);
    const { code, stdout, stderr } = await gw(PAY, { url: server.url, home });
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(stderr).toContain('Outcome unknown');
    expect(server.requests).toHaveLength(1);
    expect(await journal(home)).toEqual(['unknown']);
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  test('a full disk does not hide that the payment was made', async () => {
    const home = temporaryDirectory();
    const server = await hostileServer(says(answer(200, ENVELOPE)));
    const { stdout, stderr } = await run(
      'sh',
      ['-c', '"$0" "$@" > /dev/full; echo $?', process.execPath, PROGRAM, ...PAY],
      { env: environmentOf({ url: server.url, home }) },
    );
    expect(stdout).toBe('9\n');
    expect(stderr).toContain('no space is left on the device');
    expect(await journal(home)).toEqual(['done']);
  });

  // stderr carries commentary; a payment under way is not abandoned for it.
  test.each([
    ['a payment', [...PAY, '-o', 'id'], 200, '071-P-1\n0\n'],
    ['a payment with --debug', [...PAY, '-o', 'id', '--debug'], 200, '071-P-1\n0\n'],
    ['a failure', PAY, 404, '4\n'],
  ])('a full disk for messages does not affect %s', async (_, args, status, printed) => {
    const body = status === 200 ? ENVELOPE : REFUSAL;
    const odd = body.replace('"test":true', '"test":false');
    const server = await hostileServer(says(answer(status, odd)));
    const { stdout } = await run(
      'sh',
      ['-c', '"$0" "$@" 2> /dev/full; echo $?', process.execPath, PROGRAM, ...args],
      { env: environmentOf({ url: server.url }) },
    );
    expect(stdout).toBe(printed);
  });
});
