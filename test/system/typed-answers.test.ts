/**
 * Every question that gw asks, in a real terminal, answered in each way in which keys arrive: the answer that
 * is drawn is the one that was typed, and the one that is used. What was typed ahead answers nothing.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import { writeLiveProfile } from '../helpers/live-profile.ts';
import { PROGRAM } from '../helpers/program.ts';
import { recorded, sandboxPurchase } from '../helpers/recorded.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal, type Terminal } from '../helpers/terminal.ts';

/** One question, by the call that asks it: its file, and how its first argument begins. */
interface Step {
  at: string;
  asked: string;
  typed: string;
  /** The text after the check mark; if left out, what was typed. */
  taken?: string;
}

const step = (at: string, asked: string, typed: string, taken?: string): Step =>
  taken === undefined ? { at, asked, typed } : { at, asked, typed, taken };
const SEND = step('asking.ts confirm Send it?', 'Send it?', 'y', 'Yes');
const field = (asked: string, typed: string, taken?: string) =>
  step('pick-or-type.ts text label', asked, typed, taken);
const word = (asked: string, typed: string, taken?: string) =>
  step('ask-fields.ts select label', asked, typed, taken);

interface Conversation {
  command: string;
  steps: readonly Step[];
  code: number;
  /** The text after the answers; for the command without questions, its part about them. */
  said: string;
}

const CONVERSATIONS: readonly Conversation[] = [
  {
    command: 'gw purchase create',
    steps: [
      step('asking.ts select Profile:', 'Profile:', 'local'),
      step('ask-card.ts select Card:', 'Card:', 'type', 'type a card'),
      step(
        'ask-card.ts hidden Card number',
        'Card number (not shown):',
        '5123456789012346',
        '****************',
      ),
      step('ask-card.ts text Name', 'Name on the card:', 'Ada'),
      step('ask-card.ts text Expiry', 'Expiry (MM/YY):', '0531', '05/2031'),
      step(
        'ask-card.ts hidden isOptional ? CVV',
        'CVV (not shown; empty when there is none):',
        '739',
        '***',
      ),
      step('ask-amount.ts text Amount', 'Amount in AUD (like 25.00):', '25', '25.00 AUD'),
      step('ask-fields.ts text question', 'Reference (your own; empty for none):', 'INV-9'),
      SEND,
    ],
    code: 0,
    said: 'gw purchase create -p local --card-file - --currency AUD --amount 2500 --reference INV-9',
  },
  {
    command: 'gw purchase create -p local --amount 100 --reference INV-8 --dry-run',
    steps: [
      step('ask-card.ts select Card:', 'Card:', 'type a t', 'type a token'),
      step('ask-card.ts text Token:', 'Token:', 'tok'),
    ],
    code: 0,
    said: '--card-token tok',
  },
  {
    command: `GW_USERNAME=shop GW_API_TOKEN=TEST GW_ENVIRONMENT=sandbox GW_BASE_URL=https://127.0.0.1:1 gw plan create --dry-run`,
    steps: [
      field('Name:', 'Tin'),
      field('Reference:', 'TIN'),
      field('Description:', 'Never'),
      step(
        'ask-amount.ts text question',
        'Currency (like AUD; empty to type minor units):',
        'aud',
        'AUD',
      ),
      step('ask-amount.ts text Amount', 'Amount in AUD (like 25.00):', '5', '5.00 AUD'),
    ],
    code: 0,
    said: '--name Tin --reference TIN --description Never --currency AUD --amount 500',
  },
  {
    command: 'gw subscription create -p local',
    steps: [
      field('Customer:', 'C-1', '071-C-ESA9Y222'),
      field('Plan:', 'tin', 'TIN'),
      word('Frequency:', 'week', 'Weekly'),
      field('Reference:', 'SUB-2'),
      step(
        'ask-fields.ts text question',
        'Start date (YYYY-MM-DD):',
        '\x152031-01-01',
        '2031-01-01',
      ),
      SEND,
    ],
    code: 0,
    said: '--plan TIN --frequency Weekly --reference SUB-2 --start-date 2031-01-01',
  },
  {
    command: 'gw subscription update -p local',
    steps: [field('Subscription:', 'sub-1', '071-S-B4FVRK71'), word('Is active:', 'no'), SEND],
    code: 0,
    said: '--no-is-active',
  },
  {
    command: "gw subscription stop 'ada byron' -p local",
    steps: [SEND],
    code: 0,
    said: 'gw subscription stop SUB-1 -p local',
  },
  {
    command: 'gw subscription move -p local',
    steps: [field('Subscription:', 'SUB-1'), field('New plan:', 'TIN'), SEND],
    code: 0,
    said: '--plan TIN',
  },
  {
    command: 'gw subscription move SUB-1 --start-date 2030-01-05 -p local',
    steps: [step('move-subscription.ts select Plan:', 'Plan:', 'tin', 'TIN'), SEND],
    code: 0,
    said: '--plan TIN',
  },
  {
    command: 'gw customer update -p local',
    steps: [
      field('Customer:', 'ada@example.com', '071-C-ESA9Y222'),
      step('ask-fields.ts select isFirst', 'Change what?', 'city', 'City'),
      field('City:', 'Perth'),
      step('ask-fields.ts select isFirst', 'Change what else?', 'nothing', 'Nothing else'),
      SEND,
    ],
    code: 0,
    said: '--city Perth',
  },
  {
    command: 'gw refund create -p local',
    steps: [
      field('Purchase:', 'INV-1', '071-P-IE49OSAF'),
      step(
        'ask-amount.ts text Amount',
        'Amount in AUD (like 25.00; 3.00 is left):',
        '2',
        '2.00 AUD',
      ),
      step('run-refund.ts text Reference:', 'Reference:', 'RET-1'),
      SEND,
    ],
    code: 0,
    said: '--transaction-id 071-P-IE49OSAF --amount 200 --reference RET-1',
  },
  {
    command: 'HOME=$HOME/empty gw refund create -p local',
    steps: [field('Purchase (its id):', '071-P-NONE')],
    code: 4,
    said: '071-P-NONE',
  },
  {
    command: 'HOME=$HOME/empty gw customer delete -p local',
    steps: [field('Customer (its id):', '071-C-NONE'), SEND],
    code: 4,
    said: '071-C-NONE',
  },
  {
    command: 'HOME=$HOME/empty gw subscription create -p local --start-date 2031-01-01 --dry-run',
    steps: [
      field('Customer (none known yet; type its id):', '071-C-9'),
      field('Plan (none known yet; type its id):', 'GOLD'),
      word('Frequency:', 'monthly', 'Monthly'),
      field('Reference:', 'SUB-9'),
    ],
    code: 0,
    said: '--customer 071-C-9 --plan GOLD --frequency Monthly --reference SUB-9',
  },
  {
    command: 'HOME=$HOME/empty gw subscription move SUB-1 -p local',
    // Nobody chooses a plan in vain.
    steps: [],
    code: 4,
    said: 'SUB-1',
  },
  {
    command: 'gw purchase get -p local',
    steps: [field('Purchase:', '071-P-IE49OSAF')],
    code: 0,
    said: 'INV-1',
  },
  {
    command: 'gw customer update C-1 -p local',
    steps: [
      step('ask-fields.ts select isFirst', 'Change what?', 'new card', 'New card'),
      step('ask-card.ts select Card:', 'Card:', 'approved-visa'),
      step('ask-fields.ts select isFirst', 'Change what else?', 'nothing', 'Nothing else'),
      SEND,
    ],
    code: 0,
    said: '--test-card approved-visa',
  },
  {
    command: 'gw profile set live',
    steps: [
      step('ask-settings.ts select question', 'Change what of live?', 'merchant', 'merchant name'),
      step(
        'ask-settings.ts text question',
        "The merchant's name, for the head of receipts and of the owner's page; or none (--merchant-name):",
        'Corner Shop',
      ),
      step('ask-settings.ts select question', 'Change what else?', 'nothing', 'Nothing else'),
    ],
    code: 0,
    said: "gw profile set live --merchant-name 'Corner Shop'",
  },
  {
    command: 'gw report month -p live --html page.html',
    steps: [
      step(
        'merchant-name.ts text question',
        "The merchant's name, for the head of receipts and reports (empty for none now):",
        'Corner Shop',
      ),
    ],
    code: 0,
    said: 'Wrote page.html',
  },
  {
    command: 'gw profile set shop',
    steps: [
      step('ask-target.ts select What is', 'What is the gateway of shop?', 'sandbox'),
      step(
        'ask-target.ts text Base address',
        'Base address of the sandbox gateway (https://…):',
        'https://gateway.example/',
      ),
    ],
    code: 0,
    said: '--environment sandbox --base-url https://gateway.example/',
  },
  {
    command: 'gw trigger --to http://127.0.0.1:1/ --basic-auth hooks',
    steps: [
      step('asked-argument.ts select question', 'Event:', 'charge:failed'),
      step('delivery-flags.ts hidden Password', 'Password for hooks (not shown):', 'pass', '****'),
    ],
    code: 7,
    said: 'charge:failed',
  },
  {
    command: 'gw forget ada@example.com -p local',
    steps: [step('run-forget.ts confirm Erase', 'Erase this for good?', 'yes', 'Yes')],
    code: 0,
    said: 'Erased the personal data',
  },
  {
    command: 'gw journal resolve $(cat sending) --as not-done -o jsonl',
    steps: [step('resolve-lost.ts confirm question', 'Has it ended?', 'yes', 'Yes')],
    code: 0,
    said: '"state":"not-done"',
  },
  {
    command: 'gw purchase create -p live --card-token tok --amount 2500 --currency AUD',
    steps: [
      step(
        'confirm-live.ts text Type the profile',
        'Type the profile name (live) to confirm:',
        'live',
      ),
    ],
    code: 7,
    said: 'Could not reach 127.0.0.1:1',
  },
];

/** Asked only of who has a keychain, a server, a live profile, another machine or a day that a month lacks, and by the same ways of asking as those above. */
const ELSEWHERE = [
  'log-in.ts select Profile:',
  'log-in.ts text Username:',
  'log-in.ts hidden API token',
  'log-in-to-ledger.ts hidden Password',
  'confirm-live.ts text Type what to confirm:',
  'move-subscription.ts select First day billed:',
  'meant-record.ts select Which one of text?',
  'meant-record.ts confirm asked',
  'near-record.ts select Which one?',
  'run-reconcile.ts select question.what:',
  'ask-note.ts text Why? It is kept here',
  'asking.ts confirm Propose it?',
  'run-approve.ts confirm Approve it?',
  'run-approve.ts select Which proposal?',
];

const WAYS: Readonly<Record<string, (terminal: Terminal, step: Step) => Promise<void>>> = {
  async 'one by one'({ shows, type }, { asked, typed }) {
    await shows(questionOf(asked));
    for (const key of [...typed, '\r']) {
      type(key);
      await setImmediate();
    }
  },
  async 'in one piece'({ shows, type }, { asked, typed }) {
    await shows(questionOf(asked));
    type(`${typed}\r`);
  },
  async 'with the Enter alone'({ shows, type }, { asked, typed }) {
    await shows(questionOf(asked));
    type(typed);
    await setImmediate();
    type('\r');
  },
};

const TAKEN_BACK = '\x04';

const questionOf = (asked: string) => new RegExp(`^\\? ${escaped(asked)}`, 'm');
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

let template: string;
beforeAll(async () => {
  template = mkdtempSync(path.join(tmpdir(), 'gw-typed-answers-'));
  mkdirSync(path.join(template, 'empty'));
  mkdirSync(path.join(template, 'bin'));
  writeFileSync(
    path.join(template, 'bin', 'gw'),
    `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    { mode: 0o755 },
  );
  writeLiveProfile(template);
  const line = (i: number) =>
    JSON.stringify({ card_token: 'none', amount: 100 + i, currency: 'AUD', reference: `B-${i}` });
  writeFileSync(
    path.join(template, 'lines.jsonl'),
    `${Array.from({ length: 22 }, (_, i) => line(i)).join('\n')}\n`,
  );
  const purchase = 'gw purchase create -p local --test-card approved';
  const made = await run(
    'sh',
    [
      '-c',
      [
        'gw customer create -p local --first-name Ada --last-name Byron --reference C-1 --email ada@example.com --test-card approved -o id',
        'gw plan create -p local --name Gold --reference GOLD --description "Every week" --amount 500 -o id',
        'gw plan create -p local --name Tin --reference TIN --description "Never" --amount 100 -o id',
        'gw subscription create -p local --customer C-1 --plan GOLD --frequency Weekly --reference SUB-1 -o id',
        `${purchase} --amount 300 --reference INV-1 -o id`,
        `${purchase} --amount 900 --reference INV-10 -o id`,
      ].join(' && '),
    ],
    { env: environmentOf(template), cwd: template, input: '' },
  );
  expect(made).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^C-1 is the reference of customer \S+\n$/),
  });
  const ledger = await openSqliteLedger(
    path.join(template, '.local/state/gw/ledger.db'),
    { now: () => new Date() },
    {
      processes: { self: 'desk-9 boot 812 77 1', isGone: () => undefined },
      author: { operator: 'ada', machine: 'desk-9' },
    },
  );
  writeFileSync(path.join(template, 'sending'), await recorded(ledger, sandboxPurchase('INV-1')));
  await ledger.close();
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

function environmentOf(home: string) {
  return {
    PATH: `${path.join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    GW_OPERATOR: 'ada@desk',
  };
}

function desk() {
  const home = temporaryDirectory();
  cpSync(template, home, { recursive: true });
  return openTerminal({ columns: 180, rows: 40, env: environmentOf(home), cwd: home });
}

function check({ steps, said }: Conversation, text: string): void {
  const answered = steps.map(({ asked, typed, taken = typed }) => `✔ ${asked} ${taken}`.trimEnd());
  expect(text.split('\n').filter((line) => line.startsWith('✔'))).toEqual(answered);
  expect(text).toContain(said);
}

describe.skipIf(!havePrograms('script', 'stty'))('answers', () => {
  describe.each(Object.keys(WAYS))('%s', (name) => {
    test.each(CONVERSATIONS)('are used for each question of $command', async (conversation) => {
      const terminal = desk();
      const { ended } = terminal.begin(conversation.command);
      for (const one of conversation.steps) await WAYS[name]?.(terminal, one);
      const { code } = await ended;
      check(conversation, terminal.text().join('\n'));
      expect(code).toBe(conversation.code);
    });
  });

  test.each(CONVERSATIONS)('are not typed ahead: $command', async (conversation) => {
    const terminal = desk();
    const { ended } = terminal.begin(conversation.command);
    const { steps } = conversation;
    // Ctrl-D would take back the question that it came to.
    terminal.type(`live\ry\r${TAKEN_BACK}`);
    for (const [i, { asked, typed }] of steps.entries()) {
      const ahead = steps.slice(i + 1).map((later) => `${later.typed}\r`);
      await terminal.shows(questionOf(asked));
      terminal.type(`${typed}\r${TAKEN_BACK}${ahead.join('')}y\r`);
    }
    const { code } = await ended;
    check(conversation, terminal.text().join('\n'));
    expect(code).toBe(conversation.code);
  });

  test('cover every question in the source', () => {
    const call = /(?<!#)\b(?:questions|prompts)\.(select|text|hidden|confirm)\(\s*([^,)]+)/g;
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') ? path.join('src', name) : [],
    );
    const calls = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(call)].map(
        ([, asked, message = '']) =>
          `${path.basename(file)} ${asked} ${message.replace(/[`'${}]/g, '')}`,
      ),
    );
    const covered = [
      ...CONVERSATIONS.flatMap(({ steps }) => steps.map(({ at }) => at)),
      ...ELSEWHERE,
    ];
    expect(calls.filter((one) => !covered.some((at) => one.startsWith(at)))).toEqual([]);
    expect(covered.filter((at) => !calls.some((one) => one.startsWith(at)))).toEqual([]);
  });
});
