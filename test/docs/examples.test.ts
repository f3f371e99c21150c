/** Every example of every command, run by the built program, each in a home of its own (see shop.ts). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Command, commands, examplesOf, typed } from './manifest.ts';
import { hasKeychain, openShop, type Shop } from './shop.ts';

const EXAMPLE_TIMEOUT_MS = 120_000;

const SANDBOX = 'gw profile set sandbox --base-url https://sandbox.gateway.example';
const LIVE = 'gw profile set live --base-url https://gateway.example';
const SHOP_2 =
  'gw profile set shop-2 --environment sandbox --base-url https://sandbox.gateway.example';

/** Commands that a reader has run before the examples of a command, or before one example. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'gw journal batches': ['gw refund batch refunds.csv --profile local --batch returns-march'],
  'gw emulator hooks list': ['gw emulator hooks add http://127.0.0.1:3000/hooks'],
  'gw emulator hooks log': [
    // Nobody takes hooks there, so they are given up in the end.
    'gw emulator hooks add SERVER/hooks',
    'gw emulator advance 1m',
  ],
  'gw emulator hooks remove': [
    'gw emulator hooks add http://127.0.0.1:3000/hooks',
    'gw emulator hooks add http://127.0.0.1:3000/a --db ./shop.db',
    'gw emulator hooks add http://127.0.0.1:3000/b --db ./shop.db',
  ],
  'gw explain INV-1002 --profile local': [
    'gw purchase create --test-card declined --amount 2500 --reference INV-1002 --profile local || test $? -eq 5',
  ],
  'gw listen': [SANDBOX],
  'gw refund create --last-of ada@example.com --full --reference RET-1004 --profile local --dry-run':
    [
      'gw purchase create --card-token "$(gw customer get ada@example.com --profile local --jq .card_token)" --amount 500 --reference LAST-1 --profile local',
    ],
  'gw login': ['gw profile set live --base-url SERVER'],
  'gw logout': [SANDBOX, LIVE],
  'gw profile remove': [LIVE, SHOP_2],
  'gw profile use': [SANDBOX, SHOP_2],
  'gw profile set live --read-only --allowed-commands "purchase get,refund get"': [LIVE],
  'gw profile set sandbox -o json': [SANDBOX],
  'gw plan update 071-PL-QP50G18W --profile local --decimal-amount 17.50 --currency AUD': [
    'gw plan create --profile local --name Silver --reference SILVER --description "Twice a week" --amount 1500',
  ],
  'gw subscription move': [
    'gw plan create --profile local --name Silver --reference SILVER --description "Twice a week" --amount 1500',
  ],
};

/** Commands, or examples of them, that go on until something ends them, and how they end then. */
const UNTIL: Readonly<Record<string, { by?: string; exit: number }>> = {
  'gw desk': { exit: 0 },
  'gw emulator start': { exit: 0 },
  'gw listen': { exit: 0 },
  'gw listen --until charge:successful --timeout 60 -o jsonl': {
    by: 'gw trigger charge:successful --to OWN',
    exit: 0,
  },
};

const NOBODY_LISTENS = {
  exit: 7,
  stderr: '127.0.0.1:4242 did not answer',
  why: 'its address is the one of a `gw listen` without a port, which tests cannot share',
};

const NO_SERVER = {
  exit: 10,
  stderr: 'Could not reach the ledger at ledger.example/gw',
  why: 'its address is nobody’s',
};

const NOBODY_TYPES = {
  exit: 10,
  stderr: 'gw approve asks a person at a terminal.',
  why: 'there is no terminal here',
};

const NO_PROPOSAL = {
  exit: 4,
  stderr: 'No open proposal has that code.',
  why: 'the code of a proposal is made from its id, which is never the same',
};

/** Examples that cannot do here what they say. */
const EXCEPTIONS: Readonly<Record<string, { exit: number; stderr: string; why: string }>> = {
  'gw login sandbox --base-url https://sandbox.gateway.example': {
    exit: 2,
    stderr: 'Missing: --username NAME, --with-token.',
    why: 'it asks for the username and the token, and there is no terminal here',
  },
  'pass show gateway/token | gw login live --username shop --with-token': {
    exit: 3,
    stderr: 'You are storing a live profile, but this gateway answered in test mode.',
    why: 'the test gateway stands in for a live one here, and is found out',
  },
  'pass show ledger/password | gw login live --ledger': {
    exit: 2,
    stderr: 'The ledger of live is a file on this machine and has no password.',
    why: 'there is no server of a ledger here',
  },
  'gw ledger init postgres://ledger.example/gw --operator ada --from file': NO_SERVER,
  'gw api POST /v1.0/purchases/071-P-IE49OSAF/receipts --field email=ada@example.com --profile local':
    {
      exit: 4,
      stderr: 'Record not found',
      why: 'the test gateway has no paths but those of the interface',
    },
  'gw ledger init file --accept-restore': {
    exit: 2,
    stderr: 'is no backup that waits to be accepted',
    why: 'the ledger of this home is its own',
  },
  'gw approve --profile local': NOBODY_TYPES,
  'gw approve 7K3M-Q9XB --profile local': NOBODY_TYPES,
  'gw reject 7K3M-Q9XB --profile local': NO_PROPOSAL,
  "gw reject 7K3M-Q9XB --note 'refunded in cash' --profile local": NO_PROPOSAL,
  'gw trigger charge:successful': NOBODY_LISTENS,
  'gw trigger charge:successful --set payload.0.response.response.amount=9900': NOBODY_LISTENS,
};

/** Examples that rightly print nothing here. */
const SILENT: Readonly<Record<string, string>> = {
  'gw api --openapi > openapi.json': 'it goes to a file',
  'gw ledger init --print-sql > schema.sql': 'it goes to a file',
  'gw events get 17 --raw > body.json': 'it goes to a file',
  'gw mcp --profile local </dev/null': 'no client speaks to it',
  "PS1='$(gw profile prompt --shell bash) \\w \\$ '": 'it is the prompt of a shell',
  "PROMPT='$(gw profile prompt --shell zsh) %~ %# '": 'it is the prompt of a shell',
};

/** Commands that do nothing without a keychain. */
const NEED_KEYCHAIN: readonly string[] = ['gw logout'];

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, EXAMPLE_TIMEOUT_MS);
afterAll(() => shop?.close());

describe('the examples of', () => {
  test.concurrent.for(commands.map((command) => [typed(command), command] as const))(
    'the examples of %s do what they say',
    { timeout: EXAMPLE_TIMEOUT_MS },
    async ([name, command], { skip }) => {
      skip(!hasKeychain && NEED_KEYCHAIN.includes(name), 'this machine has no keychain');
      for (const [n, example] of examplesOf(command).entries()) {
        const home = shop.home(`${command.id.replaceAll(':', '-')}-${n + 1}`);
        for (const line of BEFORE[example] ?? BEFORE[name] ?? []) await shop.succeed(home, line);
        await runExample(home, command, example);
      }
    },
  );
});

test('every expectation here belongs to an example', () => {
  const names = commands.map(typed);
  const known = new Set([...names, ...commands.flatMap(examplesOf)]);
  const tables = [BEFORE, UNTIL, EXCEPTIONS, SILENT].flatMap((table) => Object.keys(table));
  const said = [...tables, ...NEED_KEYCHAIN];
  expect(said.filter((text) => !known.has(text))).toEqual([]);
});

async function runExample(home: string, command: Command, example: string): Promise<void> {
  const until = UNTIL[example] ?? UNTIL[typed(command)];
  const exception = EXCEPTIONS[example];
  const { code, codes, stdout, stderr } = until
    ? await shop.until(home, example, until.by)
    : await shop.shell(home, example);
  const what = `${example}\n${stdout}${stderr}`;
  const exit = exception?.exit ?? until?.exit ?? 0;
  expect(code, what).toBe(exit);
  // A line that ended another one ended well.
  const others = until?.by === undefined ? exit : 0;
  expect(codes, what).toEqual([...codes.slice(1).map(() => others), exit]);
  if (exception) expect(stderr, what).toContain(exception.stderr);
  else if (!SILENT[example]) expect(stdout + stderr, what).not.toBe('');
  // --jq prints this for a field that is not there.
  expect(stdout, what).not.toBe('null\n');
}
