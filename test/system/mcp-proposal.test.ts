/** An assistant proposes a refund, and a person approves it at a terminal. */
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { openAssistant } from '../helpers/assistant.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run, start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

describe.skipIf(!havePrograms('script'))('a proposal', () => {
  test('is of the assistant, and sent by a person who approves it', async () => {
    const home = temporaryDirectory();
    const env = {
      ...{ PATH: String(process.env.PATH), HOME: home, TZ: 'UTC', GW_PROFILE: 'shop' },
      ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_OPERATOR: 'ada' },
    };
    const serve = ['emulator', 'start', '--port', '0', '--db', path.join(home, 'gateway.db')];
    const gateway = start(process.execPath, [PROGRAM, ...serve], {
      env: { PATH: env.PATH, HOME: home },
    });
    onTestFinished(async () => {
      gateway.child.kill();
      await gateway.ended;
    });
    await gateway.printed(ADDRESS);
    const [address = ''] = ADDRESS.exec(gateway.output()) ?? [];
    const gw = async (...args: string[]) => {
      const ended = await run(process.execPath, [PROGRAM, ...args], { env });
      expect(ended.code, ended.stderr).toBe(0);
      return ended.stdout.trim();
    };
    const settings = ['--environment', 'sandbox', '--base-url', address, '--currency', 'AUD'];
    await gw('profile', 'set', 'shop', ...settings);
    const bought = ['--test-card', 'approved', '--amount', '2500', '--reference', 'INV-1'];
    const purchase = await gw('purchase', 'create', ...bought, '-o', 'id');
    await gw('profile', 'set', 'shop', '--two-persons-above', '0.01');

    const { client, call } = await openAssistant(['--allow-proposals'], env, 'modern');
    const given = {
      ...{ kind: 'refund', purchase: 'INV-1', amount: 1000, currency: 'AUD' },
      ...{ reference: 'RET-1', note: 'parcel lost' },
    };
    const { records, notes } = await call('propose', given);
    expect(records).toMatchObject([
      { operation: 'refund create', amount: 1000, currency: 'AUD', proposed_by: 'ada' },
    ]);
    expect(notes.at(-1)).toContain('Nothing was sent.');
    const code = String(records[0]?.code);
    expect(await call('propose', given)).toMatchObject({ error: { code: 'duplicate-request' } });
    // An acceptance that nobody asked for is heard by nobody.
    const accepted = { approve: { action: 'accept', content: { confirm: true } } };
    const other = { ...given, reference: 'RET-2', amount: 1 };
    const unasked = await client.callTool({
      ...{ name: 'propose', arguments: other },
      inputResponses: accepted,
    } as Parameters<typeof client.callTool>[0]);
    expect(unasked.structuredContent).toMatchObject({ records: [{ amount: 1 }] });
    expect(await gw('refund', 'list', '--outcome', 'approved', '-o', 'id')).toBe('');

    const approve = async (operator: string, answer?: string) => {
      const terminal = openTerminal({
        ...{ columns: 110, rows: 50, cwd: home, env: { ...env, GW_OPERATOR: operator } },
      });
      onTestFinished(() => terminal.close());
      const running = terminal.begin(`'${process.execPath}' '${PROGRAM}' approve ${code}`);
      if (answer !== undefined) {
        await terminal.shows(/Approve it\?/);
        terminal.type(answer);
      }
      const { code: exit } = await running.ended;
      return { exit, screen: terminal.text().join('\n') };
    };
    const own = await approve('ada');
    expect(own.exit, own.screen).toBe(10);
    const { exit, screen } = await approve('grace', 'y\r');
    expect(exit, screen).toBe(0);
    expect(screen).toContain('parcel lost [by the assistant desk-assistant 1.0]');
    const journal = JSON.parse(await gw('journal', 'list', '-o', 'json')) as JsonObject[];
    expect(journal).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'refund create', state: 'done', operator: 'ada', approved_by: 'grace' },
        note: 'parcel lost [by the assistant desk-assistant 1.0]',
      }),
    );
    expect(await call('get', { id: purchase, follow: true })).toMatchObject({
      records: [{ known: { refunded: 1000, left: 1500 } }],
    });
    const calls = JSON.parse(await gw('mcp', 'log', '-o', 'json')) as JsonObject[];
    expect(calls.map(({ tool }) => tool)).toEqual(['get', 'propose', 'propose', 'propose']);
  });
});
