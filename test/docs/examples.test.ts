/**
 * Every example of every command, run by the built program. The examples of a command are run one
 * after another, as a reader would paste them, in a home where a shop was set up (SHOP).
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, run, start } from '../helpers/run.ts';
import { PROGRAM } from '../helpers/script.ts';
import { havePrograms } from '../helpers/skip.ts';
import { type Command, commands, examplesOf, typed } from './manifest.ts';

/** The first records of a new gateway. Each line prints an id, which stands for the word before it. */
const SHOP = {
  PURCHASE:
    'gw purchase create --card-file card.json --amount 2500 --currency AUD --reference INV-1000 -o id',
  TOKEN: 'gw purchase get PURCHASE -o json | jq -r .card_token',
  REFUND: 'gw refund create --transaction-id PURCHASE --amount 100 --reference RET-1000 -o id',
  PLAN: 'gw plan create --name Gold --reference GOLD --description "Every day" --amount 900 -o id',
  CUSTOMER:
    'gw customer create --first-name Grace --last-name Hopper --reference CUST-1 --email grace@example.com --card-file card.json -o id',
  SUBSCRIPTION:
    'gw subscription create --customer CUSTOMER --plan GOLD --frequency Weekly --start-date 2026-02-01 --reference SUB-1 -o id',
  ENTRY: 'gw journal list --limit 1 -o id',
};

/** The time of the gateway stands still; its ids are the ones of any new gateway. */
const FROZEN = '{"start": "2026-01-15T10:00:00Z"}';
const CARD = {
  card_number: '5123456789012346',
  card_holder: 'Ada Byron',
  card_expiry: '05/2099',
  cvv: '739',
};
const SEED = {
  merchants: [{ username: 'shop', api_token: 'secret', prefix: '102', currency: 'EUR' }],
};

const SANDBOX = 'gw profile set sandbox --base-url https://sandbox.gateway.example';
const LIVE = 'gw profile set live --base-url https://gateway.example';
const SHOP_2 =
  'gw profile set shop-2 --environment sandbox --base-url https://sandbox.gateway.example';

/** What the reader of a command's examples has done before. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'gw emulator hooks list': ['gw emulator hooks add https://shop.example/hooks'],
  // Nobody is there, so what is due on 1 February is given up two days later.
  'gw emulator hooks log': [
    'gw emulator hooks add http://127.0.0.1:9/',
    'gw emulator advance --to 2026-02-15',
  ],
  'gw emulator hooks remove': [
    'gw emulator hooks add https://shop.example/hooks',
    'gw emulator hooks add https://shop.example/hooks --db ./shop.db',
    'gw emulator hooks add https://shop.example/cards --db ./shop.db',
  ],
  'gw login': ['gw profile set live --base-url SERVER'],
  'gw logout': [SANDBOX, LIVE],
  'gw profile remove': [SANDBOX, SHOP_2],
  'gw profile use': [SANDBOX, SHOP_2],
  'gw subscription move': [
    'gw plan create --profile local --name Silver --reference SILVER --description "Twice a week" --amount 1500',
  ],
};

/** Examples that cannot do here what they say. */
const EXCEPTIONS: readonly { example: string; exit: number; stderr: string; why: string }[] = [
  {
    example: 'gw login sandbox --base-url https://sandbox.gateway.example',
    exit: 2,
    stderr: 'Missing: --username.',
    why: 'asks for the username and the token, and there is no terminal here',
  },
  {
    example: 'pass show gateway/token | gw login live --username shop --with-token',
    exit: 3,
    stderr: 'live is to be a live profile, and the gateway answered in test mode.',
    why: 'a live gateway is needed; the embedded one, which stands in for it, is known for what it is',
  },
];

/** Examples that rightly print nothing here: nothing is unresolved. */
const SILENT = ['gw journal list --unresolved -o jsonl'];

const EXAMPLE_TIMEOUT_MS = 120_000;
const root = mkdtempSync(path.join(tmpdir(), 'gw-examples-'));
const shop = path.join(root, 'shop');
const bin = path.join(root, 'bin');
const ids = new Map<string, string>();
let server: { url: string; close(): Promise<void> };

beforeAll(async () => {
  mkdirSync(bin);
  // The trap keeps the shell until the program, which gets the signal too, has ended.
  program(
    'gw',
    `trap : TERM
    "${process.execPath}" "${PROGRAM}" "$@"
    code=$?; echo $code >> "$HOME/exit-codes"; exit $code`,
  );
  program('pass', 'echo secret');

  mkdirSync(shop);
  for (const [name, content] of Object.entries({ card: CARD, shop: SEED })) {
    writeFileSync(path.join(shop, `${name}.json`), JSON.stringify(content));
  }
  writeFileSync(path.join(shop, 'frozen.json'), FROZEN);
  await succeed(shop, 'gw emulator reset --seed frozen.json');
  for (const [name, line] of Object.entries(SHOP)) {
    ids.set(name, (await succeed(shop, `GW_PROFILE=local ${real(line)}`)).trim());
  }
  writeFileSync(path.join(shop, 'ids.txt'), `${ids.get('PURCHASE')}\n`);
  server = await serve();
});

afterAll(async () => {
  await server?.close();
  rmSync(root, { recursive: true, force: true });
});

const hasKeychain =
  process.platform === 'linux' && havePrograms('dbus-run-session', 'gnome-keyring-daemon');

describe('the examples of', () => {
  test.concurrent.each(commands.map((command) => [typed(command), command] as const))(
    '%s',
    { timeout: EXAMPLE_TIMEOUT_MS },
    async (name, command) => {
      const home = path.join(root, command.id.replaceAll(':', '-'));
      cpSync(shop, home, { recursive: true });
      for (const line of BEFORE[name] ?? []) await succeed(home, real(line));
      for (const example of examplesOf(command)) await runExample(home, command, example);
    },
  );

  test('the exceptions are examples', () => {
    const examples = commands.flatMap(examplesOf);
    const excepted = [...SILENT, ...EXCEPTIONS.map(({ example }) => example)];
    expect(excepted.filter((line) => !examples.includes(line))).toEqual([]);
    expect(Object.keys(BEFORE).filter((name) => !commands.map(typed).includes(name))).toEqual([]);
  });
});

async function runExample(home: string, command: Command, example: string): Promise<void> {
  const exception = EXCEPTIONS.find((exception) => exception.example === example);
  const line = real(example);
  const isServer = typed(command) === 'gw emulator start';
  const { code, stdout, stderr } = await (isServer
    ? untilItListens(home, line)
    : shell(home, line));
  const what = `${line}\n${stdout}${stderr}`;
  const codes = takeExitCodes(home);
  expect([code, ...codes], what).toEqual(
    Array.from({ length: codes.length + 1 }, () => exception?.exit ?? 0),
  );
  expect(codes, what).not.toEqual([]);
  if (exception) expect(stderr, what).toContain(exception.stderr);
  else if (!SILENT.includes(example)) expect(stdout + stderr, what).not.toBe('');
  // What jq prints of a field that is not there.
  expect(stdout, what).not.toBe('null\n');
}

/** @returns the line with real ids */
function real(line: string): string {
  let text = line.replaceAll('SERVER', server?.url ?? '');
  for (const [name, id] of ids) text = text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), id);
  return text;
}

function program(name: string, lines: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

function environmentOf(home: string) {
  const runtime = path.join(home, 'run');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  return {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    LANG: 'C.UTF-8',
  };
}

/** Runs a line by `sh`, in a session with an empty keychain where this machine has one. */
function shell(home: string, line: string): Promise<Ended> {
  const options = { cwd: home, env: environmentOf(home) };
  if (!hasKeychain || !/\bgw (?:login|logout|profile remove)\b/.test(line)) {
    return run('sh', ['-c', line], options);
  }
  const unlock = 'echo | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  return run('dbus-run-session', ['--', 'sh', '-c', `${unlock}\n${line}`], options);
}

/** A port of its own each, since others may run at the same time. */
async function untilItListens(home: string, line: string): Promise<Ended> {
  const own = `exec ${line.replace(/ --port \d+/, '')} --port 0`;
  const running = start('sh', ['-c', own], { cwd: home, env: environmentOf(home), detached: true });
  await running.printed(/Ctrl-C ends it/);
  // The group: `gw` is a shell script here.
  process.kill(-(running.child.pid ?? 0), 'SIGTERM');
  return running.ended;
}

async function succeed(home: string, line: string): Promise<string> {
  const { code, stdout, stderr } = await shell(home, line);
  if (code !== 0) throw new Error(`exit ${code}: ${line}\n${stderr}`);
  takeExitCodes(home);
  return stdout;
}

/** How the runs of `gw` ended since the last call; a pipeline tells of its last program only. */
function takeExitCodes(home: string): number[] {
  const file = path.join(home, 'exit-codes');
  const codes = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  writeFileSync(file, '');
  return codes;
}

async function serve() {
  const home = path.join(root, 'server');
  mkdirSync(home);
  const args = [
    PROGRAM,
    'emulator',
    'start',
    '--port',
    '0',
    '--seed',
    path.join(shop, 'shop.json'),
  ];
  const running = start(process.execPath, args, { env: environmentOf(home) });
  await running.printed(/Ctrl-C ends it/);
  const url = /^http\S+/.exec(running.output())?.[0] ?? '';
  return {
    url,
    async close() {
      running.child.kill('SIGTERM');
      await running.ended;
    },
  };
}
