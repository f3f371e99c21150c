/** A newer gw is mentioned at most once a day, on a terminal only; asked for over HTTP, in a process of its own. */
import { statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createFiles } from '../../../../src/host/files/files.ts';
import { askVersion } from '../../../../src/host/programs/ask-version.ts';
import {
  addressOf,
  mentionNewVersion,
  readKept,
  versionFile,
} from '../../../../src/host/programs/new-version.ts';
import { Capture } from '../../../helpers/capture.ts';
import { standingClock } from '../../../helpers/client.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const URL = 'https://gw.example.com/newest.json';
const servers: http.Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => void server.close()));

const homeFiles = () => createFiles({ HOME: temporaryDirectory() });

/** Runs a command at a time. @returns what was said, and what was asked */
async function at(
  files: ReturnType<typeof homeFiles>,
  now: string,
  {
    env = {},
    argv = ['whoami'],
    isTerminal = true,
  }: { env?: Record<string, string>; argv?: string[]; isTerminal?: boolean } = {},
) {
  const stderr = new Capture({ isTerminal });
  const asked: string[] = [];
  await mentionNewVersion(
    {
      env: { GW_UPDATES: URL, ...env },
      files,
      clock: standingClock(now),
      stderr,
      stdout: new Capture({ isTerminal }),
      version: '1.2.3',
      ask: (url) => void asked.push(url),
    },
    argv,
  );
  return { said: stderr.text, asked: asked.length };
}

async function answering(text: string, status = 200): Promise<string> {
  const server = http.createServer((_, response) => response.writeHead(status).end(text));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('it is asked for once a day, told once a day, and kept private', async () => {
  const files = homeFiles();
  expect(await at(files, '2026-03-24T10:00:00Z')).toEqual({ said: '', asked: 1 });
  await askVersion(await answering('{"version": "1.10.0"}'), versionFile(files));
  expect(statSync(versionFile(files)).mode & 0o777).toBe(0o600);
  expect(await at(files, '2026-03-24T10:05:00Z')).toEqual({
    said: 'gw 1.10.0 is available; this is 1.2.3.\n',
    asked: 0,
  });
  expect(await at(files, '2026-03-25T09:59:00Z')).toEqual({ said: '', asked: 0 });
  expect(await at(files, '2026-03-25T10:06:00Z')).toMatchObject({ asked: 1 });
  expect(await at(files, '2026-03-24T00:00:00Z')).toMatchObject({ asked: 1 });
});

test.each([
  ['GW_NO_UPDATE_CHECK', { env: { GW_NO_UPDATE_CHECK: '1' } }],
  ['CI', { env: { CI: 'true' } }],
  ['no address', { env: { GW_UPDATES: '' } }],
  ['http elsewhere', { env: { GW_UPDATES: 'http://gw.example.com/' } }],
  ['a pipe', { isTerminal: false }],
  ['--no-input', { argv: ['whoami', '--no-input'] }],
  ['JSON', { argv: ['whoami', '-o', 'json'] }],
])('nobody is asked or told with %s', async (_, options) => {
  const files = homeFiles();
  files.writePrivate(versionFile(files), '{"version": "9.0.0"}');
  expect(await at(files, '2026-03-24T10:00:00Z', options)).toEqual({ said: '', asked: 0 });
});

test.each([
  ['that is not JSON', 'not JSON', 200],
  ['with more than a version', '{"version": "1.10.0; rm -rf ~"}', 200],
  ['with a number', '{"version": 2}', 200],
  ['that is too long', `{"version": "1.10.0", "x": "${'x'.repeat(5_000)}"}`, 200],
  ['that leads elsewhere', '{"version": "1.10.0"}', 302],
  ['of a failure', '{"version": "1.10.0"}', 500],
])('an answer %s is none', async (_, text, status) => {
  const files = homeFiles();
  await askVersion(await answering(text, status), versionFile(files));
  expect(readKept(files, versionFile(files))).toEqual({});
});

test('a version that is as old, or older, is no news', async () => {
  for (const version of ['1.2.3', '1.2.2', '0.9.9', '1.1.99']) {
    const files = homeFiles();
    files.writePrivate(versionFile(files), JSON.stringify({ version }));
    expect((await at(files, '2026-03-24T10:00:00Z')).said).toBe('');
  }
});

test.each(['http://127.0.0.1:1/', 'https://gw.example.com/x'])('%s may be asked', (url) => {
  expect(addressOf(url)).toBe(url);
});
test.each(['', 'x', 'file:///etc/passwd', 'https://u:p@gw.example.com/'])(
  '%j is no address',
  (url) => {
    expect(addressOf(url)).toBeUndefined();
  },
);
