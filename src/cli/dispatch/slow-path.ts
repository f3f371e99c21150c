/** What the fast path is not sure of: oclif's parser decides, and what it refuses is told in our words. */
import type { Interfaces } from '@oclif/core';
import * as Parser from '@oclif/core/parser';
import type { CommandHelp } from '../help/help-data.ts';
import type { Input } from './command.ts';
import { parseFailure, refuseSingleDash } from './parse-failure.ts';

/** What a command takes. */
export type KnownCommand = Pick<CommandHelp, 'id' | 'args' | 'flags' | 'strict'>;

/**
 * @param argv what follows the command's name
 * @throws Failure usage when it is not what the command takes
 */
export async function parseArgv(command: KnownCommand, argv: readonly string[]): Promise<Input> {
  refuseSingleDash(argv, command);
  // What the manifest does not say of them: stdin is none of oclif's business.
  const all = { parse: async (text: string) => text, ignoreStdin: true };
  const described = Object.entries(command.args).map(([name, arg]) => [
    name,
    { name, ...arg, ...all },
  ]);
  try {
    const {
      args,
      argv: words,
      flags,
    } = await Parser.parse([...argv], {
      args: Object.fromEntries(described) as Interfaces.ArgInput,
      flags: command.flags as unknown as Interfaces.FlagInput,
      strict: command.strict !== false,
    });
    return {
      args: args as Input['args'],
      argv: words as string[],
      flags: flags as Input['flags'],
    };
  } catch (error) {
    throw parseFailure(error, command) ?? error;
  }
}
