/** The rules of the house, and the tests of the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { PROGRAMS } from '../../src/dispatch/programs.ts';
import { commandFiles, loadCommand } from '../helpers/cli.ts';
import {
  type Ban,
  banFaults,
  circleOf,
  importFaults,
  importsOf,
  type Permission,
  type Source,
  withoutComments,
} from '../helpers/tidy.ts';

/** What everybody may import. */
const GROUND = ['base', 'failure'];

/** Who may import whom, beside the ground. `types` vanish when the program is built; everything else is loaded. */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  failure: {},
  base: { packages: ['node:net'] },
  contract: { packages: ['zod/mini'] },
  host: {
    parts: ['package.json'],
    packages: [
      ...['node:child_process', 'node:crypto', 'node:events', 'node:fs', 'node:module', 'node:net'],
      ...['node:os', 'node:path', 'inquirer'],
    ],
  },
  redaction: { parts: ['contract'], types: ['host'] },
  view: {
    parts: ['contract', 'redaction'],
    types: ['host', 'journal', 'profiles'],
    packages: ['cli-table3', 'cli-table3/src/utils.js', 'csv-stringify/sync'],
  },
  profiles: {
    parts: ['contract'],
    types: ['host'],
    packages: ['zod/mini', 'node:path', 'node:util'],
  },
  storage: { packages: ['@photostructure/sqlite', 'node:fs', 'node:path'] },
  emulator: {
    parts: ['contract', 'storage'],
    packages: [
      ...['zod/mini', 'hono', '@hono/node-server', '@hono/node-server/utils/response'],
      ...['node:crypto', 'node:events', 'node:fs', 'node:net'],
      ...['p-map', 'undici'],
    ],
  },
  senders: {
    parts: ['emulator'],
    types: ['host'],
    packages: ['node:http', 'node:https', 'undici'],
  },
  client: {
    parts: ['contract', 'redaction', 'senders'],
    types: ['host'],
    packages: ['zod/mini'],
  },
  journal: {
    parts: ['contract', 'redaction', 'storage'],
    types: ['client', 'host'],
    packages: ['node:crypto'],
  },
  events: {
    parts: ['storage'],
    packages: ['node:events', 'node:worker_threads'],
  },
  webhooks: {
    parts: ['base', 'contract', 'redaction', 'senders', 'view'],
    types: ['events', 'host'],
    packages: ['node:crypto', 'node:events', 'node:http', 'node:net', 'undici'],
  },
  flags: {
    parts: ['contract'],
    types: ['host', 'profiles', 'redaction', 'webhooks'],
    packages: ['@oclif/core'],
  },
  body: { parts: ['contract', 'flags'], types: ['host', 'profiles'] },
  session: {
    parts: [
      ...['client', 'contract', 'flags', 'journal', 'profiles', 'redaction'],
      ...['senders', 'view'],
    ],
    types: ['host'],
    packages: ['node:path'],
  },
  operations: {
    parts: [
      ...['body', 'contract', 'emulator', 'flags', 'profiles', 'redaction', 'session'],
      ...['view', 'webhooks'],
    ],
    types: ['client', 'events', 'host'],
    packages: ['p-map'],
  },
  batch: {
    parts: [...['body', 'client', 'contract', 'journal', 'operations', 'redaction', 'session']],
    types: ['host', 'profiles'],
    packages: ['csv-parse/sync', 'node:crypto'],
  },
  dispatch: {
    parts: [...['batch', 'body', 'contract', 'emulator', 'flags', 'operations', 'session']],
    types: ['host'],
    packages: ['@oclif/core', 'fastest-levenshtein', 'node:util'],
  },
  commands: {
    parts: [
      ...['body', 'client', 'contract', 'dispatch', 'emulator', 'events', 'flags'],
      ...['journal', 'operations', 'profiles', 'redaction', 'session', 'view', 'webhooks'],
    ],
    packages: ['@oclif/core', 'node:crypto', 'node:path'],
  },
  start: {
    parts: ['dispatch', 'host', 'redaction', 'view'],
    types: ['session'],
    packages: ['node:fs', 'node:path'],
  },
  main: { parts: ['host', 'start'] },
};

const HOST = 'src/host';
const BANS: readonly Ban[] = [
  // argv is handed in by bin/gw.cjs.
  { what: /\bprocess\.(?!argv\b)|\bprocess\[/, except: [HOST] },
  { what: /\bprocess\.argv\b/, except: [HOST] },
  { what: /\bconsole\b/, except: [] },
  { what: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/, except: [HOST] },
  { what: /\bset(?:Timeout|Interval|Immediate)\b|node:timers/, except: [HOST] },
  // A time limit of its own needs no clock that a test moves, and must not keep the program alive.
  { what: /\bAbortSignal\.timeout\b/, except: [HOST, 'src/client/limit.ts'] },
  // Loses time limits to the garbage collector (nodejs/node#57736); prompts have none.
  { what: /\bAbortSignal\.any\b/, except: ['src/host/prompts.ts'] },
  // Handed to whoever spreads repeats.
  {
    what: /\bMath\.random\b/,
    except: [HOST, 'src/session/gateway-connection.ts', 'src/commands/listen.ts'],
  },
  // start reads what the manifest says of flags; the others open databases.
  {
    what: /'node:fs(?:\/promises)?'/,
    except: [
      ...[
        HOST,
        'src/start.ts',
        'src/storage',
        'src/emulator/state.ts',
        'src/emulator/newest-subscription.ts',
      ],
    ],
  },
  { what: /'node:child_process'/, except: [HOST] },
  { what: /\bfetch\(|\bglobalThis\b|\bglobal\./, except: ['src/emulator'] },
  {
    what: /\b(?:SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(?:TABLE|INDEX)|PRAGMA)\b/,
    except: ['src/journal', 'src/events', 'src/emulator', 'src/storage'],
  },
  {
    what: /@photostructure\/sqlite|\bDatabaseSync/,
    except: ['src/journal', 'src/events', 'src/emulator', 'src/storage'],
  },
  // Loaded where they are used, since each costs a start a tenth of a second or more.
  { what: /^import (?!type\b).*'(?:undici|inquirer|keytar)'/, except: [] },
  { what: /@ts-ignore|@ts-nocheck|\bas any\b|: any\b/, except: [] },
];

const SOURCES: Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .map((file) => ({ path: file, text: readFileSync(file, 'utf8') }));

test('everything is imported in the permitted direction', () => {
  expect(SOURCES.length).toBeGreaterThan(100);
  expect(importFaults(SOURCES, PERMISSIONS, GROUND)).toEqual([]);
});

test('the permitted directions have no circle', () => {
  expect(circleOf(PERMISSIONS)).toBeUndefined();
});

test('no permission is left over', () => {
  const used = new Map<string, Set<string>>();
  for (const source of SOURCES) {
    const part = source.path.split('/')[1]!.replace(/\.ts$/, '');
    const found = used.get(part) ?? new Set();
    for (const { to } of importsOf(source)) {
      found.add(to.startsWith('src/') ? to.split('/')[1]!.replace(/\.ts$/, '') : to);
    }
    used.set(part, found);
  }
  const unused = Object.entries(PERMISSIONS).flatMap(([part, { parts, types, packages }]) =>
    [parts, types, packages]
      .flatMap((list) => list ?? [])
      .filter((name) => !used.get(part)?.has(name))
      .map((name) => `${part} does not import ${name}`),
  );
  expect(unused).toEqual([]);
});

test('the clock, the process, the disk and SQL are each used in their place only', () => {
  expect(banFaults(SOURCES, BANS)).toEqual([]);
});

describe('every operation of the interface', () => {
  test.each(OPERATIONS.map(({ name }) => name))('has a command: gw %s', (name) => {
    expect([...commandFiles().keys()]).toContain(name);
  });
});

describe('every command', () => {
  const commands = [...commandFiles()];

  test.each(commands)(
    'gw %s has a summary, a description and two or three examples',
    async (name, file) => {
      const { summary = '', description = '', examples = [] } = await loadCommand(file);
      expect(summary).toMatch(/^[A-Z][^\n.]{5,70}$/);
      expect(description.length).toBeGreaterThan(40);
      expect(description).toMatch(/\.$/);
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(examples.length).toBeLessThanOrEqual(3);
      for (const example of examples) expect(example).toContain(`<%= config.bin %> ${name}`);
    },
  );

  test.each(commands)('gw %s describes each of its flags and arguments', async (_, file) => {
    const { flags, args } = await loadCommand(file);
    for (const [name, { description }] of Object.entries({ ...flags, ...args })) {
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\.$/) });
    }
  });

  test('of the fast path is one of oclif, too', () => {
    for (const name of Object.keys(PROGRAMS)) expect(commandFiles().has(name)).toBe(true);
  });
});

describe('the rule about imports', () => {
  const check = (text: string, permission: Permission) =>
    importFaults([{ path: 'src/view/x.ts', text }], { view: permission });

  test.each([
    ["import { a } from '../client/client.ts';", 'src/view/x.ts imports src/client/client.ts'],
    ["import type { A } from '../client/c.ts';", 'src/view/x.ts imports a type of src/client/c.ts'],
    [
      "import { type A, type B } from '../client/c.ts';",
      'src/view/x.ts imports a type of src/client/c.ts',
    ],
    [
      "import {\n  type A,\n  b,\n} from '../client/c.ts';",
      'src/view/x.ts imports src/client/c.ts',
    ],
    ["export { a } from '../client/c.ts';", 'src/view/x.ts imports src/client/c.ts'],
    ["export * from '../client/c.ts';", 'src/view/x.ts imports src/client/c.ts'],
    ["import '../client/c.ts';", 'src/view/x.ts imports src/client/c.ts'],
    ["const c = await import('../client/c.ts');", 'src/view/x.ts imports src/client/c.ts'],
    ["import { a } from '../failure.ts';", 'src/view/x.ts imports src/failure.ts'],
    ["import { a } from '../../package.json';", 'src/view/x.ts imports package.json'],
    ["import fs from 'node:fs';", 'src/view/x.ts imports node:fs'],
    ["import type { Pool } from 'undici';", 'src/view/x.ts imports a type of undici'],
  ])('finds %j', (text, fault) => {
    expect(check(text, {})).toEqual([fault]);
  });

  test.each<[string, Permission]>([
    ["import { a } from './y.ts';", {}],
    ["import { a } from '../client/c.ts';", { parts: ['client'] }],
    ["import type { A } from '../client/c.ts';", { types: ['client'] }],
    ["import fs from 'node:fs';", { packages: ['node:fs'] }],
    ["// import { a } from '../client/c.ts';", {}],
    ["/*\nimport { a } from '../client/c.ts';\n*/", {}],
  ])('passes %j', (text, permission) => {
    expect(check(text, permission)).toEqual([]);
  });

  test('does not take the permission for types for one for values', () => {
    const text = "import { a } from '../client/c.ts';";
    expect(check(text, { types: ['client'] })).toHaveLength(1);
  });

  test('knows no part that nobody wrote down', () => {
    expect(importFaults([{ path: 'src/new/x.ts', text: '' }], {})).toEqual([
      'src/new/x.ts: nothing is known of new',
    ]);
  });

  test('finds circles', () => {
    expect(circleOf({ a: { parts: ['b'] }, b: { parts: ['c'] }, c: { parts: ['b'] } })).toEqual([
      ...['b', 'c', 'b'],
    ]);
    expect(circleOf({ a: { parts: ['b', 'c'] }, b: { parts: ['c'] }, c: {} })).toBeUndefined();
    expect(circleOf({ a: { types: ['b'] }, b: { types: ['a'] } })).toBeUndefined();
  });
});

describe('the rule about bans', () => {
  const uses = (text: string, path = 'src/cli/x.ts') => banFaults([{ path, text }], BANS).length;

  test.each([
    'process.exit(1)',
    'process.argv[2]',
    'process.env.HOME',
    'console.log(1)',
    'Date.now()',
    'new Date()',
    'performance.now()',
    'setTimeout(f, 1)',
    'setInterval(f, 1)',
    'setImmediate(f)',
    'AbortSignal.timeout(1)',
    'AbortSignal.any([a])',
    'Math.random()',
    "import fs from 'node:fs';",
    "import { spawn } from 'node:child_process';",
    "await import('node:child_process')",
    'fetch(url)',
    "'SELECT id FROM plans'",
    "'INSERT INTO plans VALUES (1)'",
    "'UPDATE plans SET id = 1'",
    "'DELETE FROM plans'",
    "'PRAGMA user_version'",
    "import { request } from 'undici';",
    'const a = b as any;',
    'let a: any;',
  ])('finds %s', (text) => {
    expect(uses(text)).toBeGreaterThan(0);
  });

  test.each([
    'new Date(clock.now())',
    '// process.exit(1)',
    '/** console.log */',
    "const text = 'Select a plan from the list';",
    "import type { Dispatcher } from 'undici';",
    "const { Pool } = await import('undici');",
    'updated.set(1)',
  ])('passes %s', (text) => {
    expect(uses(text)).toBe(0);
  });

  test('passes what is used in its place', () => {
    expect(uses('process.exit(1)', 'src/host/ending.ts')).toBe(0);
    expect(uses("'PRAGMA user_version'", 'src/journal/sqlite-ledger.ts')).toBe(0);
    expect(uses('process.exit(1)', 'src/hostile/x.ts')).toBe(1);
  });

  test('names the place', () => {
    expect(banFaults([{ path: 'src/view/x.ts', text: '\n\nconsole.log(1)' }], BANS)).toEqual([
      'src/view/x.ts:3 uses console',
    ]);
  });
});

test('comments are no code, and texts are no comments', () => {
  expect(withoutComments("a // b\n'// c' /* d\n e */ f")).toBe("a     \n'// c'     \n      f");
  expect(withoutComments('`// "/*"` // x')).toBe('`// "/*"`     ');
  expect(withoutComments("'it\\'s // here' // not")).toBe("'it\\'s // here'       ");
});
