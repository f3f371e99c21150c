/** The rules of the house, and the tests of the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { commandFiles } from '../helpers/cli.ts';
import { GROUND, LIMITS, PERMISSIONS } from '../helpers/permissions.ts';
import {
  arrowsOf,
  type Ban,
  banFaults,
  circlesOf,
  importFaults,
  importsOf,
  type Permission,
  type Source,
  withoutComments,
} from '../helpers/tidy.ts';

const HOST = 'src/host';
const BANS: readonly Ban[] = [
  // argv is handed in by bin/gw.cjs.
  {
    what: /\bprocess\.(?!argv\b)|\bprocess\[/,
    instead: 'take what `Host` has of it',
    except: [HOST],
  },
  { what: /\bprocess\.argv\b/, instead: 'take the argv that `run` is given', except: [HOST] },
  { what: /\bconsole\b/, instead: 'write to `host.stdout` or `host.stderr`', except: [] },
  {
    what: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/,
    instead: 'take a time, or ask `clock.now()`',
    except: [HOST],
  },
  // What a socket does when nothing has come for a while is its own.
  {
    what: /(?<!Socket\)\.)\bset(?:Timeout|Interval|Immediate)\b|node:timers/,
    instead: 'wait with `clock.sleep`',
    except: [HOST],
  },
  // A time limit of its own needs no clock that a test moves, and must not keep the program alive.
  {
    what: /\bAbortSignal\.timeout\b/,
    instead: 'use `startLimit` of src/host/http/limit.ts',
    except: [HOST, 'src/host/http/limit.ts'],
  },
  // Loses time limits to the garbage collector (nodejs/node#57736).
  {
    what: /\bAbortSignal\.any\b/,
    instead: 'join signals as `startLimit` of src/host/http/limit.ts does',
    except: [],
  },
  // Handed to whoever spreads repeats.
  {
    what: /\bMath\.random\b/,
    instead: 'take a function that gives a random number',
    except: [HOST, 'src/client/connection/wire.ts', 'src/events/listen/run-listen.ts'],
  },
  // start reads what the manifest says of flags; the others open databases.
  {
    what: /'node:fs(?:\/promises)?'/,
    instead: 'use `host.files`',
    except: [
      HOST,
      'src/start.ts',
      'src/store',
      'src/emulator/state.ts',
      'src/emulator/sample-event.ts',
    ],
  },
  { what: /'node:child_process'/, instead: 'use `host.shell`', except: [HOST] },
  {
    what: /\bfetch\(|\bglobalThis\b|\bglobal\./,
    instead: 'send with a sender of src/client/senders',
    except: ['src/emulator'],
  },
  {
    what: /\b(?:SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(?:TABLE|INDEX)|PRAGMA)\b/,
    instead: 'ask the interface of the folder that stores it',
    except: ['src/journal', 'src/events', 'src/index', 'src/emulator', 'src/store'],
  },
  {
    what: /@photostructure\/sqlite|\bDatabaseSync/,
    instead: 'open files with src/store/sqlite',
    except: ['src/journal', 'src/events', 'src/index', 'src/emulator', 'src/store'],
  },
  // Loaded where they are used, since each costs a start a tenth of a second or more.
  {
    what: /^import (?!type\b).*'(?:undici|inquirer|keytar|pg)'/,
    instead: 'use `await import()` where it is needed',
    except: [],
  },
  {
    what: /@ts-ignore|@ts-nocheck|\bas any\b|: any\b/,
    instead: 'give it its type, or `unknown`',
    except: [],
  },
  // What follows was once written several times, and differed.
  {
    what: /\b127\(\?:|\b127\\\.|'localhost'|'127\.0\.0\.1'\)/,
    instead: 'ask `isLoopback` of base/loopback.ts',
    except: ['src/base/loopback.ts'],
  },
  // The other one compares what was received.
  {
    what: /`Basic \$\{/,
    instead: 'use `basicAuthorization` of host/http/basic-auth.ts',
    except: ['src/host/http/basic-auth.ts', 'src/host/http/check-basic-auth.ts'],
  },
  // Redaction looks for card numbers within a text.
  {
    what: /\\d\{12,19\}/,
    instead: 'ask `isCardNumber` of contract/cards/card-number.ts',
    except: ['src/contract/cards/card-number.ts', 'src/host/redaction/redact.ts'],
  },
  // The embedded gateway repeats deliveries at times that are known beforehand.
  {
    what: /\* 2 \*\*/,
    instead: 'use `backoffMs` of base/backoff.ts',
    except: ['src/base/backoff.ts'],
  },
  // The other one reads a boolean of D-Bus.
  {
    what: /=== 1 \? '[\w ]+' : '/,
    instead: 'use `plural` of base',
    except: ['src/base/plural.ts', 'src/host/keychain/secret-service.ts'],
  },
  // The embedded gateway has a handler for each, two files know what a user types, and a step of the ledger
  // is of a time before rows said it.
  {
    what: new RegExp(
      `(['"\`])(?:\\w+ = ')?(?:${OPERATIONS.map(({ name }) => name).join('|')})['"\`]`,
    ),
    instead: 'add what it is asked for to its row, and ask `operationNamed`',
    except: [
      'src/contract',
      'src/commands',
      'src/emulator/resources',
      'src/cli/dispatch/synonyms.ts',
      'src/cli/dispatch/unknown-words.ts',
      'src/cli/help/map.ts',
      'src/store/ledger/sqlite-schema.ts',
    ],
  },
  // The words that a user types for it.
  {
    what: /\b(?:operation(?:\??\.name)?|label)\??\.(?:split|startsWith|endsWith|includes|match|slice)\(/,
    instead: 'add what it is asked for to its row, and ask `operationNamed`',
    except: ['src/requests/submit/submit.ts'],
  },
  {
    what: /\bfunction (?:valueAt|setAt|isObject)\b/,
    instead: 'use the one of base/json.ts',
    except: ['src/base/json.ts'],
  },
  {
    what: /\bfunction positionOf\b|'jsonc-parser'|\[\[\\\]\{\}\]/,
    instead: 'let `readJson` of base/json-text.ts walk the text',
    except: ['src/base/json-text.ts'],
  },
];

const SOURCES: Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .map((file) => ({ path: file, text: readFileSync(file, 'utf8') }));

const folderOf = ({ path }: Source) => path.slice(0, path.lastIndexOf('/'));

/** Folders below `src`, those that hold only folders too. */
const FOLDERS = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/'));

test('everything is imported in the permitted direction', () => {
  expect(SOURCES.length).toBeGreaterThan(100);
  expect(importFaults(SOURCES, PERMISSIONS, GROUND)).toEqual([]);
});

test('every room is in the table, and the table has no other', () => {
  const told = Object.entries(PERMISSIONS).flatMap(([wing, { rooms = {} }]) =>
    Object.keys(rooms).map((room) => `src/${wing}/${room}`),
  );
  // A path in `commands` is what a user types.
  const rooms = FOLDERS.filter(
    (folder) => folder.split('/').length > 2 && !folder.startsWith('src/commands/'),
  );
  expect(told.sort()).toEqual(rooms.sort());
});

test('no wing imports one above it, types included', () => {
  const order = Object.keys(PERMISSIONS);
  const upwards = Object.entries(PERMISSIONS).flatMap(([wing, { parts = [], types = [] }]) =>
    [...parts, ...types]
      .filter((name) => order.indexOf(name) >= order.indexOf(wing))
      .map((name) => `${wing} → ${name}`),
  );
  expect(upwards).toEqual([]);
});

test('neither files nor rooms import one another in a circle, types included', () => {
  expect(circlesOf(SOURCES)).toEqual([]);
});

test(`at most ${LIMITS.wings} wings with ${LIMITS.arrows} arrows among them`, () => {
  const arrows = arrowsOf(SOURCES);
  const wings = FOLDERS.filter((folder) => folder.split('/').length === 2);
  process.stdout.write(
    `src: ${SOURCES.length} files, ${wings.length} wings, ${arrows.length} arrows\n`,
  );
  expect(wings.length).toBeLessThanOrEqual(LIMITS.wings);
  expect(arrows.length).toBeLessThanOrEqual(LIMITS.arrows);
});

test(`at most ${LIMITS.filesInAFolder} files directly in a folder`, () => {
  const filesIn = (folder: string) => SOURCES.filter((file) => folderOf(file) === folder).length;
  const over = FOLDERS.filter((folder) => filesIn(folder) > LIMITS.filesInAFolder);
  expect(over.map((folder) => `${folder} has ${filesIn(folder)}`)).toEqual([]);
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
});

describe('the rule about circles', () => {
  const circles = (imports: Readonly<Record<string, string>>) =>
    circlesOf(Object.entries(imports).map(([path, text]) => ({ path, text })));

  test('finds files of one folder', () => {
    const found = circles({
      'src/a/x.ts': "import { y } from './y.ts';",
      'src/a/y.ts': "import { z } from './z.ts';",
      'src/a/z.ts': "import type { Y } from './y.ts';",
    });
    expect(found).toEqual(['src/a: y.ts → z.ts → y.ts']);
  });

  test('finds rooms, also where their files make no circle', () => {
    const found = circles({
      'src/a/b/x.ts': "import type { Y } from '../c/y.ts';",
      'src/a/c/z.ts': "const w = await import('../b/w.ts');",
    });
    expect(found).toEqual(['src/a: b → c → b']);
  });

  test('finds a room and a file beside it', () => {
    const found = circles({
      'src/a/x.ts': "import { y } from './b/y.ts';",
      'src/a/b/y.ts': "import type { X } from '../x.ts';",
    });
    expect(found).toEqual(['src/a: x.ts → b → x.ts']);
  });

  test('passes what goes one way', () => {
    const found = circles({
      'src/a/x.ts': "import { y } from '../b/y.ts';\nimport { z } from './z.ts';",
      'src/b/y.ts': "import { w } from './w.ts';\nimport fs from 'node:fs';",
    });
    expect(found).toEqual([]);
  });
});

test('an arrow is counted once, for a type too', () => {
  const text = "import { a } from '../b/a.ts';\nimport type { B } from '../b/c.ts';";
  expect(arrowsOf([{ path: 'src/a/x.ts', text }])).toEqual(['a → b']);
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
    '/^(?:localhost|127(?:\\.\\d+){3})$/.test(host)',
    "host === 'localhost'",
    "hosts.includes('127.0.0.1')",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source
    '`Basic ${encoded}`',
    '/^\\d{12,19}$/.test(text)',
    'const pause = FIRST_MS * 2 ** attempt;',
    "n === 1 ? 'entry' : 'entries'",
    "if (operation === 'refund create') return 1;",
    'if (name === "purchase create") return 1;',
    'if (name === `tokenize`) return 1;',
    "const MADE_BY = { 'customer create': 'customer' };",
    "new Map([['subscription create', 1]])",
    "switch (name) { case 'plan update': }",
    "operation.startsWith('purchase')",
    "operation.name.split(' ')[0]",
    "entry.operation?.includes('refund')",
    "label.split(' ')",
    'function valueAt(value, path) {',
    'function isObject(value) {',
    '/"[^"]*"|[[\\]{}]/g',
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
    "label === 'Recurring'",
    "'Run `gw purchase create` to make one.'",
    'const [first] = operations;',
    "{ operation: 'purchases' }",
  ])('passes %s', (text) => {
    expect(uses(text)).toBe(0);
  });

  test('passes what is used in its place', () => {
    expect(uses('process.exit(1)', 'src/host/ending.ts')).toBe(0);
    expect(uses("'PRAGMA user_version'", 'src/journal/sqlite/sqlite-ledger.ts')).toBe(0);
    expect(uses('process.exit(1)', 'src/hostile/x.ts')).toBe(1);
  });

  test('names the place, and what to do instead', () => {
    expect(banFaults([{ path: 'src/view/x.ts', text: '\n\nconsole.log(1)' }], BANS)).toEqual([
      'src/view/x.ts:3 uses console: write to `host.stdout` or `host.stderr`',
    ]);
  });
});

test('comments are no code, and texts are no comments', () => {
  expect(withoutComments("a // b\n'// c' /* d\n e */ f")).toBe("a     \n'// c'     \n      f");
  expect(withoutComments('`// "/*"` // x')).toBe('`// "/*"`     ');
  expect(withoutComments("'it\\'s // here' // not")).toBe("'it\\'s // here'       ");
});
