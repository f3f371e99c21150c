import { expect, test } from 'vitest';
import { listenOptionsOf } from '../../../../src/commands/listen/listen-options.ts';
import { failureOf } from '../../../helpers/failure.ts';

type ListenFlags = Parameters<typeof listenOptionsOf>[0];

const DEFAULTS: ListenFlags = {
  host: '127.0.0.1',
  port: '4242',
  'allow-remote': false,
  path: '/',
  respond: '200',
  delay: '0',
};
const optionsOf = (flags: Partial<ListenFlags>) => listenOptionsOf({ ...DEFAULTS, ...flags });

test('without flags gw listens on this machine, shows all events and has no end', () => {
  expect(optionsOf({})).toEqual({
    host: '127.0.0.1',
    port: 4242,
    path: '/',
    respond: 200,
    delayMs: 0,
    events: [],
    forwardTo: undefined,
    goal: undefined,
    timeoutMs: undefined,
    output: 'line',
    isVerbose: false,
  });
});

test.each<[Partial<ListenFlags>, object]>([
  [
    { host: '::1', port: '0' },
    { host: '::1', port: 0 },
  ],
  [{ host: '0.0.0.0', 'allow-remote': true }, { host: '0.0.0.0' }],
  [{ host: 'hooks.example', 'allow-remote': true }, { host: 'hooks.example' }],
  [{ path: '/hooks/5f0c2e' }, { path: '/hooks/5f0c2e' }],
  [
    { respond: '503', delay: '0.25' },
    { respond: 503, delayMs: 250 },
  ],
  [{ events: ['charge:*', 'card:expired'] }, { events: ['charge:*', 'card:expired'] }],
  [
    { 'forward-to': 'http://localhost:3000/a#b' },
    { forwardTo: new URL('http://localhost:3000/a') },
  ],
  [{ until: 'charge:failed' }, { goal: { until: 'charge:failed', count: 1 } }],
  [{ count: '3' }, { goal: { until: undefined, count: 3 } }],
  [{ until: 'c*', count: '2' }, { goal: { until: 'c*', count: 2 } }],
  [{ timeout: '3600' }, { timeoutMs: 3_600_000 }],
])('%j asks for %j', (flags, options) => {
  expect(optionsOf(flags)).toMatchObject(options);
});

test.each<[Partial<ListenFlags>, string]>([
  [{ host: '0.0.0.0' }, 'remote-not-allowed'],
  [{ host: 'example.com' }, 'remote-not-allowed'],
  [{ host: '127.0.0.1:80' }, 'host-invalid'],
  [{ host: '127.0.0.1/x' }, 'host-invalid'],
  [{ host: '' }, 'host-invalid'],
  [{ port: '70000' }, 'port-invalid'],
  [{ port: '-1' }, 'port-invalid'],
  [{ port: '' }, 'port-invalid'],
  [{ path: 'secret' }, 'path-invalid'],
  [{ path: '//a' }, 'path-invalid'],
  [{ path: '/a/../b' }, 'path-invalid'],
  [{ path: '/a b' }, 'path-invalid'],
  [{ path: `/${'a'.repeat(1_000)}` }, 'path-invalid'],
  [{ respond: '99' }, 'status-invalid'],
  [{ respond: '600' }, 'status-invalid'],
])('%j is refused: %s', async (flags, code) => {
  expect(await failureOf(() => optionsOf(flags))).toMatchObject({ kind: 'usage', code });
});

test.each<Partial<ListenFlags>>([
  { delay: 'soon' },
  { delay: '301' },
  { count: '0' },
  { timeout: '604801' },
  { timeout: '0' },
  { 'forward-to': 'ftp://x' },
  { 'forward-to': 'http://u:p@127.0.0.1/' },
])('%j is refused', async (flags) => {
  expect(await failureOf(() => optionsOf(flags))).toMatchObject({ kind: 'usage' });
});
