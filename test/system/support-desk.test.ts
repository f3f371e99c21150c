/**
 * A support desk after three months: questions as they come by phone, each with at most two commands;
 * and the recipes of the cookbook, one after the other in one home, as a reader would paste them. Those about bookkeeping
 * end with the balances of `gw report month`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import { currencyExponent } from '../../src/contract/currency.ts';
import { type Answer, openAssistant } from '../helpers/assistant.ts';
import { everyTool, QUESTIONS as FOR_ASSISTANTS } from '../helpers/assistant-questions.ts';
import { havePrograms } from '../helpers/skip.ts';
import { openSupportDesk, type SupportDesk } from '../helpers/support-desk.ts';

const THREE_MONTHS_TIMEOUT_MS = 300_000;

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects
type Json = any;

let desk: SupportDesk;
beforeAll(async () => {
  desk = await openSupportDesk();
}, THREE_MONTHS_TIMEOUT_MS);
afterAll(() => desk?.close());

interface Question {
  question: string;
  /** Two at the most. */
  commands: string[];
  /** The records on stdout. */
  answer: string;
  /** The messages on stderr. */
  said?: string;
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'A lady called, her card ends in 2346. Was she charged twice on Tuesday?',
    commands: [
      'gw find 2346 --kind purchase --since 7d --amount 45.00 -o jsonl --fields who,reference,at',
    ],
    answer: `{"who":"Siobhán Ó Briain","reference":"WEB-3052","at":"2026-03-31T00:00:00+00:00"}
{"who":"Siobhán Ó Briain","reference":"WEB-3051","at":"2026-03-31T00:00:00+00:00"}
`,
  },
  {
    question: 'Which of our two Maria Silvas has changed her email?',
    commands: ['gw find maria silva --kind customer -o jsonl --fields reference,email'],
    answer: `{"reference":"C-1014","email":"mariasilva88@example.org"}
{"reference":"C-1013","email":"maria.silva@example.com"}
`,
  },
  {
    question: 'Mr Wang is on the phone, and knows the day only. What was that?',
    commands: [
      'gw find 王伟 --since 2026-01-27 --until 2026-01-27 -o jsonl --fields kind,reference,amount,currency',
    ],
    answer: '{"kind":"purchase","reference":"WEB-3012","amount":6400,"currency":"AUD"}\n',
  },
  {
    question: 'Why was order WEB-3003 declined?',
    commands: ['gw find web-3003 -o jsonl --fields outcome,message,amount,currency'],
    answer:
      '{"outcome":"declined","message":"Insufficient Funds","amount":1251,"currency":"AUD"}\n',
  },
  {
    question: 'Has my refund RET-502 been sent?',
    commands: ['gw find ret-502 --kind refund -o jsonl --fields outcome,amount,currency,at'],
    answer:
      '{"outcome":"approved","amount":-3000,"currency":"AUD","at":"2026-02-24T00:00:00+00:00"}\n',
  },
  {
    question: 'Can you send me a receipt for WEB-3021, with what came back?',
    commands: ['gw receipt WEB-3021 | grep -E "^(Amount|Card|Refunded|Left)"'],
    answer: `Amount     120.00 AUD
Card       Visa ending in 0001
Refunded   50.00 AUD
Left       70.00 AUD
`,
  },
  {
    question: 'Zoë Ångström spells no accents. What has she bought, besides subscriptions?',
    commands: ['gw find zoe angstrom web- --kind purchase -o jsonl --fields reference,amount'],
    answer: `{"reference":"WEB-3054","amount":1800}
{"reference":"WEB-3004","amount":2500}
`,
  },
  {
    question: 'And how much has she paid in all?',
    commands: ['gw history C-1001 -o jsonl --fields at,amount | tail -n 1'],
    answer: '{"at":"2026-03-31T00:00:00+00:00","amount":1800}\n',
    said: 'AUD: paid 87.70 AUD (5), refunded 0.00 AUD (0), net 87.70 AUD',
  },
  {
    question: 'What is left of order WEB-3021, after two refunds?',
    commands: ['gw history web-3021 -o jsonl --fields reference,amount'],
    answer: `{"reference":"WEB-3021","amount":12000}
{"reference":"RET-502","amount":-3000}
{"reference":"RET-504","amount":-2000}
`,
    said: 'paid 120.00 AUD (1), refunded 50.00 AUD (2), net 70.00 AUD',
  },
  {
    question: 'Her email is sakura.tanaka@example.com. Why does the Review not come any more?',
    commands: [
      `gw history sakura.tanaka@example.com --jq 'map(.text | select(contains("SUB-2007 declined"))) | last'`,
    ],
    answer: 'Third retry of SUB-2007 declined: Invalid Card Number\n',
  },
  {
    question: 'When is SUB-2001 charged next, and how often?',
    commands: ['gw get sub-2001 -o jsonl --fields next_billing_date,frequency'],
    answer: '{"next_billing_date":"2026-04-17","frequency":"Monthly"}\n',
  },
  {
    question: 'Whom do we write to first, before their money is lost?',
    commands: ['gw report at-risk -o jsonl --fields who,email,amount | head -n 1'],
    answer: '{"who":"Matilda Robinson","email":"matilda.robinson@example.com","amount":4905}\n',
  },
  {
    question: 'What did we take in the last week, in all?',
    commands: [
      `gw report week 7d -o jsonl --fields what,count,amount --jq 'select(.what == "net")'`,
    ],
    answer: '{"what":"net","count":null,"amount":66394}\n',
  },
];

interface Recipe {
  heading: string;
  /** The exit code of its last command. */
  exit: number;
  /** true where its commands rightly print nothing. */
  isSilent: boolean;
  commands: string[];
}

describe('a support person answers', () => {
  let home: string;
  beforeAll(() => {
    home = desk.home('questions');
  });

  test.each(QUESTIONS)('on the phone: $question', async ({ commands, answer, said = '' }) => {
    expect(commands.length).toBeLessThanOrEqual(2);
    const { code, stdout, stderr } = await desk.shell(home, commands.join('\n'));
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: answer });
    expect(stderr).toContain(said);
  });
});

/** The records of the test gateway itself. */
function booksOf(home: string): DatabaseSyncInstance {
  const file = readdirSync(home, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('emulator.db'),
  );
  return new DatabaseSync(path.join(home, file ?? 'emulator.db'));
}

interface Sums {
  count: number;
  amount: number;
}

test('an assistant answers ten questions, without a token, ten digits or a path', async () => {
  const home = desk.home('assistant');
  const env = { PATH: String(process.env.PATH), HOME: home, TZ: 'UTC' };
  const assistant = await openAssistant(['--profile', 'local'], env);
  for (const { question, calls, answer } of FOR_ASSISTANTS) {
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
  expect(heard).not.toMatch(/\/(?:home|root|tmp|usr)\//);
});

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

describe('reports say what the gateway itself keeps', () => {
  const MONTHS = ['2026-01', '2026-02', '2026-03'];
  let home: string;
  let books: DatabaseSyncInstance;
  beforeAll(() => {
    home = desk.home('reports');
    books = booksOf(home);
  });
  afterAll(() => books?.close());

  const json = async (command: string) => {
    const { code, stdout, stderr } = await desk.shell(home, `gw report ${command} -o json`);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const gateway = (table: string, where: string, month: string) =>
    books
      .prepare(
        `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM ${table}
          WHERE substr(transaction_date, 1, 7) = ? AND ${where}`,
      )
      .get(month) as Sums;
  const summed = (rows: Json[]): Sums => ({
    count: rows.length,
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
  });

  test.each(MONTHS)('of every charge and refund of %s, to the cent', async (month) => {
    const charges = await json(`charges ${month}`);
    const of = (what: string) => summed(charges.filter((row: Json) => row.what === what));
    const wanted = {
      purchase: gateway('purchases', 'successful = 1 AND source IS NULL', month),
      charge: gateway('purchases', "successful = 1 AND source = 'Recurring'", month),
      refund: gateway('refunds', 'true', month),
    };
    const { count, amount } = wanted.refund;
    const got = { purchase: of('purchase'), charge: of('charge'), refund: of('refund') };
    expect(got).toEqual({ ...wanted, refund: { count, amount: -amount } });

    const net = wanted.purchase.amount + wanted.charge.amount - amount;
    const [{ amount: left }] = (await json(`month ${month}`)).filter(
      (row: Json) => row.what === 'net',
    );
    const customers = await json(`customers ${month} --limit 1000`);
    expect([summed(charges).amount, left, summed(customers).amount]).toEqual([net, net, net]);
  });

  test('lists who has a subscription, by plan', async () => {
    const active = books
      .prepare(
        `SELECT plans.reference AS plan, sum(is_active AND (end_date IS NULL OR end_date > '2026-03-30')) AS active,
                sum(start_date LIKE '2026-03-%' AND (is_active OR last_status <> 'Scheduled')) AS begun
           FROM subscriptions JOIN plans ON plans.id = plan
          WHERE start_date < '2026-04-01' GROUP BY 1 ORDER BY 1`,
      )
      .all();
    const rows = await json('subscriptions 2026-03');
    const plans = rows.filter((row: Json) => row.plan !== null);
    expect(
      plans.map((row: Json) => ({ plan: row.plan, active: row.active, begun: row.new })),
    ).toEqual(active);
    // Active before, plus new, minus stopped, is active now.
    for (const { active_before, new: begun, stopped, active: now } of rows)
      expect(active_before + begun - stopped).toBe(now);
  });

  test('finds what was charged twice', async () => {
    const doubles = await json('doubles 2026-03');
    expect(doubles.map((row: Json) => row.reference)).toEqual(['WEB-3051', 'WEB-3052']);
  });
});

describe('each month that `gw find` exports', () => {
  let home: string;
  beforeAll(() => {
    home = desk.home('exports');
  });

  test.each(['2026-01', '2026-02', '2026-03'])('%s is what the gateway charged', async (month) => {
    const { code, stdout, stderr } = await desk.shell(
      home,
      `gw find --kind purchase,refund --outcome approved --since ${month} --until ${month} --limit 10000 -o csv --fields kind,id,amount`,
    );
    expect(code, stderr).toBe(0);
    const [, ...rows] = stdout.trimEnd().split('\n');
    expect(rows.toSorted()).toEqual(movedIn(home, month).toSorted());
    expect(rows.length).toBeGreaterThan(400);
  });
});

/** @returns the purchases that the test gateway approved in a month, and its refunds, as rows of that export */
function movedIn(home: string, month: string): string[] {
  const database = booksOf(home);
  try {
    const rows = database
      .prepare(
        `SELECT 'purchase' AS kind, id, amount FROM purchases WHERE successful = 1 AND transaction_date LIKE :month
          UNION ALL
         SELECT 'refund', id, -abs(amount) FROM refunds WHERE transaction_date LIKE :month`,
      )
      .all({ month: `${month}-%` });
    return rows.map((row) => Object.values(row as object).join(','));
  } finally {
    database.close();
  }
}

describe('the cookbook', () => {
  const recipes = recipesOf(readFileSync('docs/cookbook.md', 'utf8'));
  let home: string;
  beforeAll(() => {
    home = desk.home('cookbook');
  });

  test('has recipes', () => {
    expect(recipes.length).toBeGreaterThan(10);
  });

  test.each(recipes)('says how to do this: $heading', async (recipe) => {
    const { commands, exit, isSilent } = recipe;
    for (const [n, command] of commands.entries()) {
      const ended = await desk.shell(home, command);
      const expected = n === commands.length - 1 ? exit : 0;
      expect({
        command,
        code: ended.code,
        stderr: ended.code === expected || ended.stderr,
      }).toEqual({
        command,
        code: expected,
        stderr: true,
      });
      expect(Math.max(0, ...ended.codes), command).toBe(expected);
      expect(outputOf(home, command, ended.stdout) === '', command).toBe(isSilent);
    }
  });
});

/** Names and references that one program or another has a meaning for, in currencies of 0, 2 and 3 decimals. */
const ODD_SALES = [
  ['JPY', 1_000, 'A | B; "C"', 'A;B | "c" (d)'],
  ['BHD', 1_234, "O'Neill, \\n", '2026-03-01'],
  ['BHD', 123_400, 'x', 'x, y'],
  ['USD', 123_456_700, 'x  ; y', 'refund  ; 5.00 AUD'],
  ['EUR', 100, '(z)', 'a\\"b'],
  ['EUR', 101, '! z', '=1+1'],
  ['EUR', 102, '00777', ': (1+1)'],
] as const;

describe('the page about bookkeeping', () => {
  const page = readFileSync('docs/bookkeeping.md', 'utf8');
  const recipesFor = (program: string) =>
    recipesOf(page)
      .filter(({ heading }) => heading.toLowerCase() === program)
      .flatMap(({ commands }) => commands)
      .join('\n');

  test.skipIf(!havePrograms('hledger')).for(['hledger'])('brings a month into %s', booked);
  test.skipIf(!havePrograms('ledger')).for(['ledger'])('brings a month into %s', booked);
  test.skipIf(!havePrograms('bean-check', 'bean-query')).for(['beancount'])(
    'brings a month into %s',
    booked,
  );

  async function booked(program: string): Promise<void> {
    const home = await homeWithOddSales(`books-${program}`);
    const march = await desk.shell(home, recipesFor(program));
    expect(march.code, march.stderr).toBe(0);
    const payout = { 'assets:bank AUD': 4083.76, 'expenses:fees AUD': 49.6 };
    const { 'assets:gateway AUD': net = 0, ...income } = await sumsOf(home, '2026-03');
    expect(net).toBe(4133.36);
    expect(balancesIn(march.stdout)).toEqual({ ...income, ...payout });
    const april = await desk.shell(home, recipesFor(program).replaceAll('2026-03', '2026-04'));
    expect(april.code, april.stderr).toBe(0);
    const sums = await sumsOf(home, '2026-04');
    expect(Object.keys(sums)).toHaveLength(8);
    const paid = { ...payout, 'assets:gateway AUD': -net };
    expect(balancesIn(april.stdout)).toEqual({ ...sums, ...paid });
  }

  test('makes a file for GnuCash', async () => {
    const home = await homeWithOddSales('books-gnucash');
    for (const month of ['2026-03', '2026-04']) {
      const script = recipesFor('gnucash').replaceAll('2026-03', month);
      expect((await desk.shell(home, script)).code).toBe(0);
      const { data, meta } = Papa.parse<Record<string, string>>(
        readFileSync(path.join(home, 'gnucash.csv'), 'utf8').trimEnd(),
        { header: true },
      );
      expect(page.replaceAll('\n', ' ')).toContain(meta.fields?.join(', '));
      const sums: Record<string, number> = {};
      for (const row of data) {
        const currency = row['Transaction Commodity']?.replace('CURRENCY::', '');
        const amount = Number(row.Amount);
        const sides = [
          [row.Account, amount],
          [row['Transfer Account'], -amount],
        ] as const;
        for (const [account, moved] of sides) {
          const key = `${account?.toLowerCase()} ${currency}`;
          sums[key] = Number(((sums[key] ?? 0) + moved).toFixed(3));
        }
      }
      expect(sums).toEqual(await sumsOf(home, month));
      if (month === '2026-04')
        expect(data.map((row) => row.Notes)).toEqual(ODD_SALES.map(([, , , one]) => one));
    }
  });
});

async function homeWithOddSales(name: string): Promise<string> {
  const home = desk.home(name);
  const { card_number } = TEST_CARDS.approved;
  const lines = ODD_SALES.map(([currency, amount, card_holder, reference]) =>
    JSON.stringify({
      ...{ card_number, card_expiry: '05/2031', card_holder, cvv: '123' },
      ...{ amount, currency, reference },
    }),
  );
  writeFileSync(path.join(home, 'sales.jsonl'), lines.join('\n'));
  const sold = 'gw purchase batch sales.jsonl --concurrency 1 --as-written; rm sales.jsonl';
  const { code, stderr } = await desk.shell(home, sold);
  expect(code, stderr).toBe(0);
  return home;
}

/** @returns what each account has after the month, as `gw report month` counts it, by account and currency */
async function sumsOf(home: string, month: string): Promise<Record<string, number>> {
  const command = `gw report month ${month} --time-zone UTC -o json`;
  const rows: Json[] = JSON.parse((await desk.shell(home, command)).stdout);
  const sums: Record<string, number> = {};
  const add = (account: string, currency: string, amount: number) => {
    const key = `${account} ${currency}`;
    sums[key] = Number(((sums[key] ?? 0) + amount).toFixed(3));
  };
  for (const { what, currency, amount } of rows) {
    const sum = amount / 10 ** (currencyExponent(currency) ?? 0);
    if (what === 'purchases' || what === 'charges') add('income:sales', currency, -sum);
    if (what === 'refunds') add('income:refunds', currency, sum);
    if (what === 'net') add('assets:gateway', currency, sum);
  }
  return sums;
}

/** @returns the balance of each account and currency in the last table that is printed; an empty one is left out */
function balancesIn(printed: string): Record<string, number> {
  const table =
    printed
      .replace(/\n-+\n *0 *\n$/, '')
      .split(/^-+$/m)
      .at(-1) ?? '';
  const balances: Record<string, number> = {};
  let amounts: [string, number][] = [];
  for (const line of table.split('\n')) {
    for (const [, amount, currency = ''] of line.matchAll(/(-?[\d.]+)\s+([A-Z]{3})\b/g))
      amounts.push([currency, Number(amount)]);
    const [account] = /\b(?:assets|income|expenses):\w+/i.exec(line) ?? [];
    if (account === undefined) continue;
    for (const [currency, amount] of amounts)
      balances[`${account.toLowerCase()} ${currency}`] = amount;
    amounts = [];
  }
  return balances;
}

/** A fenced block of the language `sh`; with `exits 9` its last command does, with `silent` it prints nothing. */
function recipesOf(page: string): Recipe[] {
  let heading = '';
  return [
    ...page.matchAll(/^#+ ([^\n]*)$|^```sh(?: exits (\d+))?( silent)?\n(.*?)^```$/gms),
  ].flatMap(([, title, exit = '0', silent, block]) => {
    heading = title ?? heading;
    if (block === undefined) return [];
    const isSilent = silent !== undefined;
    return [{ heading, exit: Number(exit), isSilent, commands: commandsOf(block) }];
  });
}

/** A command goes on in the next line after a backslash or a pipe, and within single quotes. */
function commandsOf(block: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    open += open === '' ? line : `\n${line}`;
    const quotes = open.replace(/"[^"\n]*"/g, '').match(/'/g) ?? [];
    if (quotes.length % 2 === 1 || /(?:\\|\|)$/.test(line)) continue;
    if (open !== '') commands.push(open);
    open = '';
  }
  if (open !== '' || commands.length === 0) throw new Error(`no commands: ${block}`);
  return commands;
}

/** The output of a command, or of the file that it names. */
function outputOf(home: string, command: string, stdout: string): string {
  const [, file] = /> (\S+)$/.exec(command) ?? [];
  return file === undefined ? stdout : readFileSync(path.join(home, file), 'utf8');
}
