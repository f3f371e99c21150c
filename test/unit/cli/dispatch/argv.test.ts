/** One table of command lines for everything that reads argv: running, help, completion, failures and the code cache. */
import { describe, expect, test } from 'vitest';
import { completionLines } from '../../../../src/cli/completion/complete.ts';
import { findCommand } from '../../../../src/cli/dispatch/argv.ts';
import type { CommandInput } from '../../../../src/cli/dispatch/command.ts';
import { fastPath } from '../../../../src/cli/dispatch/fast-path.ts';
import { type KnownCommand, parseArgv } from '../../../../src/cli/dispatch/slow-path.ts';
import { helpTopic, wantsJson } from '../../../../src/cli/dispatch/without-command.ts';
import type { Host } from '../../../../src/host/host.ts';
import { helpSource } from '../../../helpers/help.ts';

const source = await helpSource();

interface Reading {
  /** The command that runs, whose code is cached by its name. */
  id: string;
  /** Its arguments; undefined if oclif refuses the line. */
  args?: readonly string[];
  /** Flags among those that it is given. */
  flags?: Readonly<Record<string, unknown>>;
  isJson?: true;
  /** Whether oclif decides. */
  isUnclear?: true;
}

const CASES: readonly (readonly [line: string, Reading])[] = [
  ['purchase list', { id: 'purchase:list', args: [] }],
  ['purchase list --json', { id: 'purchase:list', args: [], flags: { json: true }, isJson: true }],
  ['--json purchase list', { id: 'purchase:list', args: [], flags: { json: true }, isJson: true }],
  [
    '-p local --json purchase get X',
    { id: 'purchase:get', args: ['X'], flags: { profile: 'local', json: true }, isJson: true },
  ],
  ['--profile=local plan list', { id: 'plan:list', args: [], flags: { profile: 'local' } }],
  [
    '-p local purchase get -- X',
    { id: 'purchase:get', args: ['X'], flags: { profile: 'local' }, isUnclear: true },
  ],
  [
    'purchase get X -p=local',
    { id: 'purchase:get', args: ['X'], flags: { profile: 'local' }, isUnclear: true },
  ],
  ['purchase get X -plocal', { id: 'purchase:get', args: ['X'], flags: { profile: 'local' } }],
  [
    'purchase get X -o json',
    { id: 'purchase:get', args: ['X'], flags: { output: 'json' }, isJson: true },
  ],
  [
    'purchase get X -ojsonl',
    { id: 'purchase:get', args: ['X'], flags: { output: 'jsonl' }, isJson: true },
  ],
  [
    'purchase get X -o=json',
    { id: 'purchase:get', args: ['X'], flags: { output: 'json' }, isJson: true, isUnclear: true },
  ],
  ['purchase get X --output=csv', { id: 'purchase:get', args: ['X'], flags: { output: 'csv' } }],
  [
    'forget X -yojson',
    { id: 'forget', args: ['X'], flags: { yes: true, output: 'json' }, isJson: true },
  ],
  [
    'purchase list --json id,amount',
    { id: 'purchase:list', args: [], flags: { json: true }, isJson: true },
  ],
  [
    'purchase get X --json=id',
    { id: 'purchase:get', args: ['X'], flags: { json: true, fields: 'id' }, isJson: true },
  ],
  [
    'purchase create --reference refund --note help',
    { id: 'purchase:create', args: [], flags: { reference: 'refund', note: 'help' } },
  ],
  [
    'purchase create --reference -5',
    { id: 'purchase:create', args: [], flags: { reference: '-5' }, isUnclear: true },
  ],
  ['purchase create --reference --json', { id: 'purchase:create', isJson: true, isUnclear: true }],
  ['purchase get X -p --json', { id: 'purchase:get', isJson: true, isUnclear: true }],
  ['purchase get -- --json', { id: 'purchase:get', args: ['--json'], isUnclear: true }],
  [
    'subscription update X --no-is-active',
    { id: 'subscription:update', args: ['X'], flags: { 'is-active': false } },
  ],
  ['purchase get X --nonsense --json', { id: 'purchase:get', isJson: true, isUnclear: true }],
  ['purchase get X -profile', { id: 'purchase:get', isUnclear: true }],
  ['emulator hooks list', { id: 'emulator:hooks:list', args: [] }],
  ['report customers', { id: 'report:customers', args: [] }],
  ['find purchase list', { id: 'find', args: ['purchase', 'list'] }],
];

describe.each(CASES)('gw %s', (line, reading) => {
  const argv = line.split(' ');
  const { id = '', words } = findCommand(argv, source.names);
  const command = source.command(id);

  test('runs a command', async () => {
    expect(id).toBe(reading.id);
    const byOclif = await parseArgv(command as KnownCommand, words, source).catch(() => undefined);
    const fast = fastPath(words, command);
    for (const input of reading.isUnclear ? [byOclif] : [byOclif, fast]) {
      expect(input?.argv).toEqual(reading.args);
      expect(input?.flags ?? {}).toMatchObject(reading.flags ?? {});
    }
    expect(fast === undefined).toBe(reading.isUnclear ?? false);
  });

  test('asks for the help on the command with --help', async () => {
    const found = findCommand(['--help', ...argv], source.names);
    expect(await helpTopic(argv, found, source)).toEqual(reading.id.split(':'));
  });

  test('is completed with the flags that are left', async () => {
    const input: CommandInput | undefined = await parseArgv(
      command as KnownCommand,
      words,
      source,
    ).catch(() => undefined);
    if (!input || argv.includes('--')) return;
    const typed = argv.map((word) => word.replace(/^--json=/, '--json --fields='));
    const files = { configDirectory: '', read: () => '' } as unknown as Host['files'];
    const offered = await completionLines(
      { env: {}, files },
      ['--', ...typed.join(' ').split(' ')],
      source,
    );
    const given = Object.keys(reading.flags ?? {}).filter((flag) => !command.flags[flag]?.multiple);
    const names = [...offered.matchAll(/^--(?:no-)?([\w-]+)\t/gm)].map(([, name]) => name);
    expect(names).toContain('help');
    expect(names.filter((name) => given.includes(name ?? ''))).toEqual([]);
  });

  test('says in which form a failure is', () => {
    expect(wantsJson(argv)).toBe(reading.isJson ?? false);
  });
});

test.each([
  ['purchse list --json', true],
  ['-o json purchse', true],
  ['help nonsense -o json', true],
  ['help nonsense -p json', false],
  ['nothing -- --json', false],
])('the failure of gw %s is JSON: %s', (line, isJson) => {
  expect(findCommand(line.split(' '), source.names).id).toBeUndefined();
  expect(wantsJson(line.split(' '))).toBe(isJson);
});
