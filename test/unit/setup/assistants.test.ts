import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import {
  ASSISTANTS,
  type Assistant,
  findEntries,
  snippet,
  withEntry,
} from '../../../src/setup/assistants.ts';
import { failureOf } from '../../helpers/failure.ts';

const ENTRY = {
  command: '/usr/bin/node',
  args: ['/opt/gw/bin/gw.cjs', 'mcp', '--profile', 'shop'],
};
const CURSOR = ASSISTANTS.cursor as Assistant;
const VSCODE = ASSISTANTS.vscode as Assistant;
const CODEX = ASSISTANTS.codex as Assistant;

const OURS = `"gw": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/gw/bin/gw.cjs",
        "mcp",
        "--profile",
        "shop"
      ]
    }`;

describe('withEntry', () => {
  const TAKEN: readonly (readonly [what: string, before: string | undefined, after: string])[] = [
    ['no file', undefined, `{\n  "mcpServers": {\n    ${OURS}\n  }\n}\n`],
    ['an empty file', '', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}\n`],
    ['an empty object', '{}', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}`],
    ['no servers', '{\n  "a": 1\n}\n', `{\n  "mcpServers": {\n    ${OURS}\n  },\n  "a": 1\n}\n`],
    [
      'comments and commas at the end',
      '// mine\n{\n  "mcpServers": {\n    "b": {"command": "x"}, // keep\n  },\n}\n',
      `// mine\n{\n  "mcpServers": {\n    ${OURS},\n    "b": {"command": "x"}, // keep\n  },\n}\n`,
    ],
    [
      'nothing but a comment among the servers',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}',
      `{\n  "mcpServers": {\n    ${OURS}\n    // none yet\n  }\n}`,
    ],
    [
      'an entry of gw from before',
      '{"z": 0, "mcpServers": {"gw": {"command": "old"}, "b": 1}}',
      `{"z": 0, "mcpServers": {${OURS}, "b": 1}}`,
    ],
  ];
  test.each(TAKEN)('adds to %s, and leaves the rest as it is', (_, before, after) => {
    expect(withEntry(CURSOR, ENTRY, before, 'f')).toBe(after);
    expect(withEntry(CURSOR, ENTRY, after, 'f')).toBe(after);
  });

  test('indents as the file does', () => {
    const after = withEntry(CURSOR, ENTRY, '{\n\t"a": 1\n}\n', 'f');
    expect(after).toContain('\n\t"mcpServers": {\n\t\t"gw": {\n\t\t\t"command"');
  });

  test.each([
    ['no JSON', '{"a": '],
    ['a list', '[]'],
    ['servers that are a list', '{"mcpServers": []}'],
  ])('refuses %s, and says what to do', async (_, before) => {
    const failure = await failureOf(() => withEntry(CURSOR, ENTRY, before, '/home/ada/mcp.json'));
    expect(failure.message).toContain('/home/ada/mcp.json');
    expect(failure.next).toContain('Without --write');
  });

  test('keeps every other member of any settings', () => {
    const names = fc.stringMatching(/^[a-z]{1,6}$/).filter((name) => name !== 'gw');
    // A parsed `__proto__` is compared as a prototype, and no longer as a member.
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"'));
    const settings = fc.dictionary(names, json);
    const servers = fc.dictionary(names, json);
    fc.assert(
      fc.property(settings, fc.option(servers), fc.constantFrom(0, 2, '\t'), (all, own, indent) => {
        const value = own === null ? all : { ...all, mcpServers: own };
        const after = parse(withEntry(CURSOR, ENTRY, JSON.stringify(value, null, indent), 'f'));
        const { gw, ...others } = after.mcpServers;
        expect(gw).toEqual(ENTRY);
        expect({ ...after, mcpServers: others }).toEqual(
          JSON.parse(JSON.stringify({ ...value, mcpServers: own ?? {} })),
        );
      }),
    );
  });

  test('says of a server of VS Code how it is spoken to', () => {
    expect(parse(snippet(VSCODE, ENTRY))).toEqual({ servers: { gw: { type: 'stdio', ...ENTRY } } });
  });

  test('adds a table to TOML, at its end', () => {
    const table = `[mcp_servers.gw]\ncommand = "/usr/bin/node"\nargs = ["/opt/gw/bin/gw.cjs","mcp","--profile","shop"]\n`;
    expect(withEntry(CODEX, ENTRY, undefined, 'f')).toBe(table);
    expect(withEntry(CODEX, ENTRY, 'model = "x"', 'f')).toBe(`model = "x"\n\n${table}`);
  });

  test.each(['[mcp_servers.gw]\n', '[ mcp_servers . "gw" ] # old\n', 'mcp_servers = {}\n'])(
    'does not add to %j, which has one',
    async (before) => {
      expect((await failureOf(() => withEntry(CODEX, ENTRY, before, 'f'))).code).toBe(
        'json-invalid',
      );
    },
  );
});

describe('findEntries', () => {
  const folders = { home: '/h', settings: '/h/.config' };
  const reading = (texts: Readonly<Record<string, string>>) => ({
    read(path: string) {
      if (texts[path] === 'unreadable') throw new Error('no');
      return texts[path];
    },
  });

  test('finds the entries of gw, whatever else there is', () => {
    const files = reading({
      '/h/.cursor/mcp.json':
        '{"mcpServers": {"gw": {"command": "c", "args": ["a"], "env": {"X": "1"}}}}',
      '/h/.claude.json': 'unreadable',
      '/h/.gemini/settings.json': '{"mcpServers": {"gw": 3}}',
      '/h/.config/Code/User/mcp.json': '{"servers": {"other": {}} // none',
    });
    expect(findEntries(files, folders)).toEqual([
      { title: 'Cursor', command: 'c', args: ['a'], variables: ['X'] },
    ]);
  });
});
