/** A definition says which values gw asks for: help says so too, and the command refuses where it cannot ask. */
import { describe, expect, test } from 'vitest';
import { commandClass } from '../../../../src/cli/dispatch/command-class.ts';
import type { Arg, Flag } from '../../../../src/cli/flags/flag.ts';
import { operationFlags } from '../../../../src/cli/flags/operation-flags.ts';
import { filesOfCommands, loadCommand, runCommand } from '../../../helpers/cli.ts';

/** Words that a command needs before it comes to a missing flag. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  login: ['sandbox', '--base-url', 'https://gateway.example'],
  'subscription move': ['SUB-1'],
  'subscription update': ['SUB-1'],
};

const COMMANDS = await Promise.all(
  [...filesOfCommands()].map(async ([name, file]) => {
    const definition = await loadCommand(file);
    const { args = {}, flags = {}, operation } = definition;
    const all: Readonly<Record<string, Flag>> = {
      ...flags,
      ...(operation && operationFlags(operation)),
    };
    return { name, definition, args, flags: all };
  }),
);

/** @returns the names of values that are required where gw cannot ask */
const askedIn = (named: Readonly<Record<string, Arg | Flag>>) =>
  Object.entries(named).flatMap(([name, { asked }]) => (asked === true ? [name] : []));

/** @returns the words of a command that is complete but for what gw asks for */
function wordsOf({ name, flags }: (typeof COMMANDS)[number], before: readonly string[]): string[] {
  const card = 'test-card' in flags ? ['--test-card', 'approved'] : [];
  const profile = 'profile' in flags ? ['--profile', 'local'] : [];
  return [...name.split(' '), ...before, ...card, ...profile];
}

describe('where gw cannot ask', () => {
  test.each(COMMANDS.filter(({ args }) => askedIn(args).length > 0))(
    'gw $name names the argument',
    async (command) => {
      const { failure } = await runCommand('oclif', wordsOf(command, []));
      const [name = ''] = askedIn(command.args);
      expect(failure).toMatchObject({
        code: 'argument-missing',
        message: `Missing: ${name.toUpperCase()}.`,
      });
      const typed = `\`gw ${command.name} ${name.toUpperCase()}\``;
      expect(failure?.next).toContain(`Write ${typed}.`);
    },
  );

  test.each(COMMANDS.filter(({ flags }) => askedIn(flags).length > 0))(
    'gw $name names the flags',
    async (command) => {
      const { failure } = await runCommand('oclif', wordsOf(command, BEFORE[command.name] ?? []));
      expect(['field-missing', 'flag-missing']).toContain(failure?.code);
      // Other ways to give a value stand in parentheses.
      const missing = failure?.message.replace(/ \(.*?\)/g, '').match(/--[\w-]+/g);
      // `gw login` also names the token, which comes on stdin.
      const asked = askedIn(command.flags).map((flag) => `--${flag}`);
      expect(missing?.filter((flag) => flag !== '--with-token')).toEqual(asked);
    },
  );
});

test.each([
  [{ asked: true }, 'Its id. Required where gw cannot ask.'],
  [{ asked: 'sandbox' }, 'Its id. If you leave it out, gw asks for it; where it cannot, sandbox.'],
  [{}, 'Its id.'],
] as const)('help says of %j: %s', (asked, description) => {
  const { args, flags } = commandClass({
    ...{ summary: '', description: '', examples: [], run: async () => {} },
    args: { id: { description: 'Its id.', ...asked } },
    flags: { id: { type: 'option', description: 'Its id.', ...asked } },
  });
  expect([args.id?.description, flags.id?.description]).toEqual([description, description]);
});
