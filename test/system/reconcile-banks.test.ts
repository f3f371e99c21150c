/**
 * The files of banks, processors and shops, each with twins in which one thing is wrong: the built program finds that,
 * names it, and reports nothing else.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../../src/emulator/gateway.ts';
import { readSeed } from '../../src/emulator/seed.ts';
import { openState } from '../../src/emulator/state.ts';
import { gw, type Place, placeFor } from '../helpers/batch.ts';
import { runCommand } from '../helpers/cli.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { BANK_FILES, type BankFile, type BankRow } from '../unit/commands/reconcile/bank-files.ts';

/** A file, and the account that has its payments. */
interface Case extends BankFile {
  name: string;
  account: string;
  place: Place;
}

/** How many programs run at once. */
const PROGRAMS = 3;
const LIMIT_MS = 600_000;
/** Only the period tells that the first or the last row of a file is missing. */
const PERIOD = ['--since', '2026-03-29', '--until', '2026-03-31'];

/** The gateway of all accounts, whose clock says what `time` has. */
async function openGateway(accounts: readonly string[], time: { now: Date }): Promise<string> {
  const merchants = accounts.map((username, n) => ({
    ...{ username, api_token: username, prefix: String(100 + n) },
  }));
  const seed = readSeed(JSON.stringify({ merchants }), 'seed');
  const store = openState({ path: ':memory:', clock: { now: () => time.now }, seed });
  const gateway = createGateway({ store });
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { method = '', url: target = '', headers } = request;
    const { authorization } = headers;
    const answer = await gateway.answer({ method, target, authorization, body });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    store.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @returns minor units, below zero for a refund: in these files, all of banks, a debit is money out */
function amountOf([, amount]: BankRow): number {
  return Number(amount.replace('credit ', '').replace('debit ', '-'));
}

/** Makes the payments of a file, in this process. */
async function pay({ rows, currency: usual, place }: Case, time: { now: Date }): Promise<void> {
  let sale = '';
  for (const row of rows.toSorted((one, other) => amountOf(other) - amountOf(one))) {
    const [day, , reference, currency = usual] = row;
    const amount = amountOf(row);
    time.now = new Date(`${day}T03:00:00Z`);
    const what =
      amount < 0
        ? ['refund', 'create', '--transaction-id', sale]
        : ['purchase', 'create', '--test-card', 'approved', '--currency', currency];
    const named = reference === '' ? [] : ['--reference', reference];
    const words = [...what, '--amount', String(Math.abs(amount)), ...named, '-o', 'id'];
    const now = time.now.toISOString();
    const { stdout, stderr, failure } = await runCommand('fast path', words, { ...place, now });
    expect(failure, stderr).toBeUndefined();
    sale ||= stdout.trim();
  }
}

/** @returns the lines of a file; those of a quoted cell are one */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const isInside = ((lines.at(-1) ?? '').match(/"/g) ?? []).length % 2 === 1;
    if (isInside) lines.push(`${lines.pop()}\n${line}`);
    else lines.push(line);
  }
  return lines;
}

/** @returns patterns of the amount in a file, with any marks between its digits; without decimals if they are zero */
function patternsOf(row: BankRow): RegExp[] {
  const digits = String(Math.abs(amountOf(row)));
  const [whole, decimals] = [digits.slice(0, -2), digits.slice(-2)];
  const grouped = (text: string) => [...text].join("[.,' \\u00a0]?");
  const written = [`${grouped(whole)}[.,]${decimals}(?!\\d)`, `${grouped(digits)}(?![.,]?\\d)`];
  if (decimals === '00') written.push(`${grouped(whole)}(?![.,]?\\d)`);
  return written.map((text) => new RegExp(`(?<!\\d)${text}`, 'g'));
}

/** What is wrong in a twin, as the lines in place of one; and what gw calls it. */
const TWINS = {
  'as it is': { lines: (line: string) => [line], outcome: undefined },
  'with another amount': { lines: (_: string, other: string) => [other], outcome: 'differs' },
  'without a row': { lines: () => [], outcome: 'missing-in-file' },
  'with a row twice': { lines: (line: string) => [line, line], outcome: 'repeats' },
} as const;
type Twin = keyof typeof TWINS;

/** @returns the text of a twin. @param row the one that is wrong in it */
function textOf({ text, name }: Case, twin: Twin, row: BankRow): string {
  const lines = linesOf(text);
  const [found] = patternsOf(row).flatMap((amount) => {
    const at = lines.findLastIndex((line) => line.includes(row[2]) && line.match(amount));
    return at === -1 ? [] : { at, amount };
  });
  if (!found) throw new Error(`${name} has no row of ${row.join(' ')}`);
  const { at, amount } = found;
  const line = lines[at] ?? '';
  const other = line.replaceAll(amount, ([first = '', ...digits]) =>
    [(Number(first) % 9) + 1, ...digits].join(''),
  );
  return lines.toSpliced(at, 1, ...TWINS[twin].lines(line, other)).join('\n');
}

interface Result {
  outcome: string;
  reference: string | null;
  amount: number | null;
  differences: { field: string; gateway: number }[];
}

/** @returns the exit code, and the results that are no matches; all that gw said of a file that it did not read */
async function reported(file: Case, twin: Twin, row: BankRow): Promise<string> {
  const words = ['reconcile', '-', '-o', 'jsonl', ...PERIOD];
  const text = textOf(file, twin, row);
  const first = await gw(file.place, words, text);
  const { code, stdout, stderr } =
    first.code === 2 ? await gw(file.place, [...words, ...(file.flags ?? [])], text) : first;
  if (stdout === '') return stderr;
  const results = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);
  const others = results.filter(({ outcome }) => outcome !== 'matches');
  return [code, ...others.map(shown), `${results.length - others.length} match`].join('; ');
}

function shown({ outcome, reference, amount, differences }: Result): string {
  const fields = differences.map(({ field, gateway }) => `${field} is ${gateway}`);
  return [outcome, reference ?? '', amount, ...fields].join(' ');
}

function wanted({ rows }: Case, twin: Twin, row: BankRow): string {
  const { outcome } = TWINS[twin];
  if (outcome === undefined) return `0; ${rows.length} match`;
  const amount = amountOf(row);
  const differences = outcome === 'differs' ? [{ field: 'amount', gateway: amount }] : [];
  const result = { outcome, reference: row[2], amount, differences };
  const matches = rows.length - Number(outcome !== 'repeats');
  return `9; ${shown(result)}; ${matches} match`;
}

test('each file of a bank is read, and what is wrong in its twins is found and named', {
  timeout: LIMIT_MS,
}, async () => {
  const home = temporaryDirectory();
  const time = { now: new Date() };
  const accounts = Object.keys(BANK_FILES).map((_, n) => `SHOP${n}`);
  const url = await openGateway(accounts, time);
  const files = Object.entries(BANK_FILES).map(([name, file], n): Case => {
    const account = accounts[n] ?? '';
    const { env } = placeFor(home, url);
    const place = { home, env: { ...env, GW_USERNAME: account, GW_API_TOKEN: account } };
    return { ...file, name, account, place };
  });
  for (const file of files) await pay(file, time);
  const cases = files.flatMap((file, n) =>
    (Object.keys(TWINS) as Twin[]).map((twin) => ({
      ...{ file, twin, row: file.rows[n % file.rows.length] as BankRow },
    })),
  );
  const found: Record<string, string> = {};
  const left = [...cases];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift())
      found[`${next.file.name}, ${next.twin}`] = await reported(next.file, next.twin, next.row);
  };
  await Promise.all(Array.from({ length: PROGRAMS }, work));
  const all = cases.map(({ file, twin, row }) => [
    `${file.name}, ${twin}`,
    wanted(file, twin, row),
  ]);
  expect(found).toEqual(Object.fromEntries(all));
});
