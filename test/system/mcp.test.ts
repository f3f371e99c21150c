/** `gw mcp`, as the programs of assistants use it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import {
  INITIALIZE,
  legacy,
  MODES,
  modern,
  openAssistant,
  openLine,
  toolCall,
} from '../helpers/assistant.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const LOCAL = ['--profile', 'local'];
const TOOLS = ['find', 'get', 'history', 'report', 'explain', 'doctor'];
const MOST = ['customer', 'create', '--test-card', 'approved', '--first-name', 'Ada'];

function open() {
  const home = temporaryDirectory();
  const env = { PATH: String(process.env.PATH), HOME: home, TZ: 'UTC' };
  const gw = async (...args: string[]) => {
    const ended = await run(process.execPath, [PROGRAM, ...args], { env });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  return { home, env, gw };
}

/** A home with a customer and a purchase. */
async function withPurchase() {
  const { gw, ...desk } = open();
  const who = ['--last-name', 'Byron', '--email', 'ada@example.com', '--reference', 'C-1'];
  await gw(...MOST, ...who, ...LOCAL);
  await gw(
    'purchase',
    'create',
    '--customer',
    'C-1',
    '--amount',
    '2500',
    '--reference',
    'INV-1',
    ...LOCAL,
  );
  return { gw, ...desk };
}

describe.each(MODES)('a client of the mode %s', (mode) => {
  test('finds, looks up, explains and reports', async () => {
    const { env } = await withPurchase();
    const { client, call } = await openAssistant(LOCAL, env, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    const found = await call('find', { text: 'byron', kind: ['purchase'] });
    expect(found).toMatchObject({
      records: [
        { kind: 'purchase', outcome: 'approved', amount: 2500, untrusted: { reference: 'INV-1' } },
      ],
      notes: [],
    });
    const { records } = await call('get', { id: 'INV-1', follow: true });
    expect(records).toMatchObject([{ kind: 'purchase', known: { left: 2500 } }]);
    expect(await call('report', { report: 'day' })).toMatchObject({
      records: expect.arrayContaining([expect.objectContaining({ what: 'net', amount: 2500 })]),
    });
    expect((await call('explain', { what: '51' })).records).toHaveLength(1);
    const { notes } = await call('find', { text: '5123456789012346' });
    expect(notes[0]).toMatch(/^Nothing found for "•••• 2346"/);
    expect(await call('get', { id: 'NOPE' })).toMatchObject({
      records: [],
      error: { code: 'name-unknown', exit_code: 4, next: expect.stringContaining('gw find') },
    });
    const names = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(names).toEqual(['gw://guide', 'gw://profile']);
    const [profile] = (await client.readResource({ uri: 'gw://profile' })).contents;
    expect(JSON.parse(String((profile as { text: string }).text)).records).toMatchObject([
      { profile: 'local', two_persons_above: null },
    ]);
    const prompt = await client.getPrompt({
      name: 'why-declined',
      arguments: { payment: 'INV-1' },
    });
    expect(JSON.stringify(prompt.messages)).toContain('INV-1');
    await expect(client.callTool({ name: 'approve', arguments: {} })).rejects.toThrow(/no tool/);
  });
});

test('nothing is read or written before the first call, and a call is written down', async () => {
  const { home, env, gw } = open();
  const { client, call } = await openAssistant(LOCAL, env);
  await client.listTools();
  await client.listPrompts();
  await client.listResources();
  expect(readdirSync(home)).toEqual([]);
  await call('find', { text: 'card 5123456789012346' });
  const log = JSON.parse(await gw('mcp', 'log', '-o', 'json'));
  expect(log).toMatchObject([
    {
      ...{ client: 'desk-assistant 1.0', tool: 'find', profile: 'local', outcome: 'done', rows: 0 },
      arguments: '{"text":"card 512345XXXXXX2346"}',
    },
  ]);
});

describe('the protocol', () => {
  const about = (answer: JsonObject) => answer.result as JsonObject;

  test('of 2026-07-28 needs no first message', async () => {
    const { env } = open();
    const { send, answer, end } = openLine(LOCAL, env);
    send(modern(1, 'server/discover'));
    expect(about(await answer(1))).toMatchObject({
      ...{ resultType: 'complete', supportedVersions: ['2026-07-28'] },
      instructions: expect.stringContaining('minor units'),
    });
    send(modern(2, 'tools/list'));
    expect(about(await answer(2))).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' });
    send(modern(3, 'tools/call', toolCall('find', { text: 'a' })));
    expect(about(await answer(3))).toMatchObject({ structuredContent: { records: [] } });
    const { code, stdout } = await end();
    expect(code).toBe(0);
    for (const line of stdout.trimEnd().split('\n')) JSON.parse(line);
  });

  test('of 2025-11-25 may begin after a question in the newer one', async () => {
    const { env } = open();
    const { send, answer, end } = openLine(LOCAL, env);
    send(modern(7, 'server/discover'));
    await answer(7);
    send(INITIALIZE);
    expect(about(await answer(1))).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'gw' },
    });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send(legacy(2, 'tools/call', toolCall('find', { foo: 1 })));
    expect(about(await answer(2))).toMatchObject({
      isError: true,
      structuredContent: { records: [], error: { code: 'flag-unknown', sent: false } },
    });
    expect((await end()).code).toBe(0);
  });

  test('tells how far a long list is, in pages of twenty', async () => {
    const { home, env, gw } = open();
    const token = (await gw('tokenize', '--test-card', 'approved', '-o', 'id', ...LOCAL)).trim();
    const lines = Array.from({ length: 45 }, (_, n) => `${2500 + n},AUD,INV-${n},${token}`);
    const file = path.join(home, 'sales.csv');
    writeFileSync(file, `amount,currency,reference,card_token\n${lines.join('\n')}\n`);
    await gw('purchase', 'batch', file, ...LOCAL);
    const { call } = await openAssistant(LOCAL, env);
    const pages = ['find', 'report'].map(async (tool) => {
      const given =
        tool === 'find' ? { kind: ['purchase'] } : { report: 'charges', period: 'today' };
      const seen: unknown[] = [];
      let cursor: string | undefined;
      const sizes: number[] = [];
      do {
        const page = await call(tool, { ...given, ...(cursor && { cursor }) });
        seen.push(...page.records.map(({ amount }) => amount));
        sizes.push(page.records.length);
        cursor = page.next_cursor;
      } while (cursor);
      expect(sizes).toEqual([20, 20, 5]);
      expect(new Set(seen).size).toBe(45);
    });
    await Promise.all(pages);
    const latest = await call('history', { name: token });
    expect(latest.records).toHaveLength(20);
    const before = await call('history', { name: token, cursor: latest.next_cursor ?? '' });
    expect(before.records).toHaveLength(20);
    const [newest, older] = [latest, before].map(({ records }) =>
      records.map(({ at }) => String(at)),
    );
    expect(older?.at(-1)?.localeCompare(newest?.[0] ?? '')).toBeLessThanOrEqual(0);
    expect(await call('find', { cursor: 'nonsense' })).toMatchObject({
      error: { code: 'flag-invalid' },
    });
  });
});

describe('a start is refused', () => {
  const refused = async (args: readonly string[], profile: JsonObject) => {
    const { home, env } = open();
    const folder = path.join(home, '.config', 'gw');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(
      path.join(folder, 'profiles.json'),
      JSON.stringify({ default: 'shop', profiles: { shop: profile } }),
      { mode: 0o600 },
    );
    return run(process.execPath, [PROGRAM, 'mcp', ...args], { env });
  };
  const LIVE = { environment: 'live', baseUrl: 'https://gateway.example/v1' };
  const SANDBOX = { ...LIVE, environment: 'sandbox' };

  test('of a live profile without --live', async () => {
    expect(await refused([], LIVE)).toMatchObject({
      ...{ code: 10, stdout: '', stderr: expect.stringContaining('Add --live') },
    });
    expect(await refused(['--live'], LIVE)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('with proposals of a profile that wants nobody to approve them', async () => {
    expect(await refused(['--allow-proposals'], SANDBOX)).toMatchObject({
      ...{ code: 10, stdout: '', stderr: expect.stringContaining('--two-persons-above') },
    });
    expect(await refused([], SANDBOX)).toMatchObject({ code: 0 });
  });
});

test('what `gw mcp install --write` wrote starts gw, and `gw doctor` finds it', async () => {
  const { home, env, gw } = open();
  await gw('mcp', 'install', 'cursor', '--write', ...LOCAL);
  const file = path.join(home, '.cursor', 'mcp.json');
  const { command, args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.gw;
  const running = start(command, args, { env: { ...env, PATH: '' } });
  running.child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
  await running.printed(/"serverInfo"/);
  running.child.stdin?.end();
  expect((await running.ended).code).toBe(0);
  const checks = async () =>
    JSON.parse(await gw('doctor', '--offline', '-o', 'json', ...LOCAL)).filter(
      ({ check }: JsonObject) => check === 'assistants',
    );
  expect(await checks()).toMatchObject([{ state: 'ok', message: 'gw is set up in Cursor' }]);
  const entry = readFileSync(file, 'utf8');
  for (const [from, to, said] of [
    ['"local"', '"gone"', 'has no profile gone.'],
    ['"local"', '"local", "--allow-proposals"', 'Cursor cannot start gw. --allow-proposals needs'],
    ['gw.cjs', 'moved.cjs', 'moved.cjs, which is not there.'],
    ['"args"', '"env": {"GW_API_TOKEN": "x"}, "args"', 'Cursor has GW_API_TOKEN in its settings'],
  ] as const) {
    writeFileSync(file, entry.replace(from, to));
    expect(await checks()).toMatchObject([
      { state: 'warning', message: expect.stringContaining(said) },
    ]);
  }
});

test('a cancelled call is ended, and the others go on', async () => {
  const { env, gw } = open();
  const { send, answer, end } = openLine(LOCAL, env);
  send(INITIALIZE);
  await answer(1);
  for (let id = 2; id < 12; id++) send(legacy(id, 'tools/call', toolCall('find', { text: 'a' })));
  const cancelled = { requestId: 11, reason: 'not needed' };
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled });
  send(legacy(12, 'tools/call', toolCall('find', { text: 'b' })));
  expect(await answer(12)).toMatchObject({ result: { structuredContent: { records: [] } } });
  const { code, stdout } = await end();
  expect(code).toBe(0);
  expect(stdout).not.toContain('"id":11');
  const log = JSON.parse(await gw('mcp', 'log', '-o', 'json'));
  expect(log.map(({ outcome }: JsonObject) => outcome)).toContain('cancelled');
});

test('an interrupt ends it quietly', async () => {
  const { env } = open();
  const { running, send, answer } = openLine(LOCAL, env);
  send(INITIALIZE);
  await answer(1);
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
});
