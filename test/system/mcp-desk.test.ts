/**
 * An assistant at the support desk after three months: it answers questions of the cookbook, and proposes a refund, which a
 * person approves at a terminal.
 */
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { type Answer, type Assistant, openAssistant } from '../helpers/assistant.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run, start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { openSupportDesk, type SupportDesk } from '../helpers/support-desk.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

const THREE_MONTHS_TIMEOUT_MS = 300_000;

interface Question {
  question: string;
  /** The calls, as an assistant would make them. */
  calls: readonly (readonly [tool: string, given: JsonObject])[];
  /** A part of the last answer. */
  answer: object;
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'A lady called, her card ends in 2346. Was she charged twice on Tuesday?',
    calls: [['find', { text: '2346 45.00', kind: ['purchase'], since: '7d' }]],
    answer: {
      records: [
        { amount: 4500, untrusted: { reference: 'WEB-3052', who: 'Siobhán Ó Briain' } },
        { amount: 4500, untrusted: { reference: 'WEB-3051', who: 'Siobhán Ó Briain' } },
      ],
    },
  },
  {
    question: 'Which of our two Maria Silvas has changed her email?',
    calls: [['find', { text: 'maria silva', kind: ['customer'] }]],
    answer: {
      records: [
        { untrusted: { reference: 'C-1014', email: 'mariasilva88@example.org' } },
        { untrusted: { reference: 'C-1013', email: 'maria.silva@example.com' } },
      ],
    },
  },
  {
    question: 'Why was the last payment of SUB-2158 declined, and what do I tell him?',
    calls: [
      ['find', { text: 'SUB-2158', outcome: ['declined', 'abandoned'] }],
      ['explain', { what: 'SUB-2158' }],
    ],
    answer: { records: [{ response_code: '05', try_again: 'after-customer', may_tell: true }] },
  },
  {
    question: 'How much has that customer paid, and what is unpaid?',
    calls: [['history', { name: '071-C-QSQE1P80' }]],
    answer: { notes: expect.arrayContaining([expect.stringContaining('unpaid 91.00 AUD')]) },
  },
  {
    question: 'What is left to refund of WEB-3052?',
    calls: [['get', { id: 'WEB-3052', follow: true }]],
    answer: { records: [{ known: { refunded: 0, left: 4500 } }] },
  },
  {
    question: 'Which subscriptions are at risk?',
    calls: [['report', { report: 'at-risk' }]],
    answer: { total: 46, next_cursor: '20', records: expect.any(Array) },
  },
  {
    question: 'What came in in March?',
    calls: [['report', { report: 'month', period: 'march' }]],
    answer: {
      records: expect.arrayContaining([
        expect.objectContaining({ what: 'net', amount: 413_336, currency: 'AUD' }),
      ]),
    },
  },
  {
    question: 'Did anybody pay twice?',
    calls: [['report', { report: 'doubles' }]],
    answer: { total: 2, records: [{ id: '071-P-EM6HP6C8' }, {}] },
  },
  {
    question: 'What will come in in the next month?',
    calls: [['report', { report: 'forecast' }]],
    answer: {
      records: expect.arrayContaining([expect.objectContaining({ what: 'charge due' })]),
    },
  },
  {
    question: 'Whose cards expire in April?',
    calls: [['find', { kind: ['customer'], expires: 'april' }]],
    answer: { records: expect.arrayContaining([expect.objectContaining({ kind: 'customer' })]) },
  },
];

describe('after three months', () => {
  let desk: SupportDesk;
  beforeAll(async () => {
    desk = await openSupportDesk();
  }, THREE_MONTHS_TIMEOUT_MS);
  afterAll(() => desk?.close());

  test('ten questions are answered, without a token, ten digits or a path', async () => {
    const home = desk.home('assistant');
    const env = { PATH: String(process.env.PATH), HOME: home, TZ: 'UTC' };
    const assistant = await openAssistant(['--profile', 'local'], env);
    for (const { question, calls, answer } of QUESTIONS) {
      let last: Answer | undefined;
      for (const [tool, given] of calls) last = await assistant.call(tool, given);
      expect(last?.error, question).toBeUndefined();
      expect(last, question).toMatchObject(answer);
    }
    await everyTool(assistant);
    const heard = assistant.heard();
    expect(heard.length).toBeGreaterThan(10_000);
    for (const token of tokensOf(home)) expect(heard).not.toContain(token);
    expect(heard).not.toMatch(/\d{6}[X*]+\d{4}/);
    expect(heard).not.toContain(home);
    expect(heard).not.toMatch(/\/(?:home|root|tmp|work|usr)\//);
  });
});

/** Each tool once more, with whatever it shows most of. */
async function everyTool({ call }: Assistant): Promise<void> {
  const calls: Question['calls'] = [
    ['find', { kind: ['card'] }],
    ['find', { kind: ['request', 'event'] }],
    ['get', { id: 'C-1030', follow: true }],
    ['get', { id: 'weekend', follow: true }],
    ['history', { name: 'C-1030' }],
    ['doctor', {}],
    ...[
      'charges',
      'declines',
      'refunds',
      'unpaid',
      'customers',
      'subscriptions',
      'day',
      'year',
    ].map((report): [string, JsonObject] => ['report', { report }]),
  ];
  for (const [tool, given] of calls) await call(tool, given);
}

function tokensOf(home: string): string[] {
  const database = new DatabaseSync(path.join(home, '.local/state/gw/emulator.db'));
  try {
    const rows = database.prepare('SELECT token FROM cards').all() as { token: string }[];
    expect(rows.length).toBeGreaterThan(100);
    return rows.map(({ token }) => token);
  } finally {
    database.close();
  }
}

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
