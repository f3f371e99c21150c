/** The whole of gw, through oclif: every command, help, completion, and what is wrong with argv. */
import { type Command, Config, type Interfaces, Parser, run } from '@oclif/core';
import type { Context } from '../session/context.ts';
import { findCommand } from './unknown-command.ts';

/** @param root folder of package.json and the manifest */
export async function runOclif(
  context: Context,
  argv: readonly string[],
  root: string,
): Promise<void> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  // oclif keeps options it does not know; commands find the context there.
  const options = { root, context };
  const config = await Config.load(options);
  const found = findCommand(config, words);
  if (!found || wantsHelp(found.argv)) {
    await run(words, config);
    return;
  }
  const command = config.findCommand(found.id);
  if (command?.pluginName === config.name) await checkArgv(command, found.argv);
  // Not `run`, which would find the command once more, in its own way.
  await config.runCommand(found.id, found.argv);
}

/**
 * Parses argv by what the manifest says of a command, so that a mistake is found before the command,
 * and the contract that its flags are made of, is loaded.
 * @throws what oclif throws for bad usage
 */
async function checkArgv(command: Command.Loadable, argv: string[]): Promise<void> {
  const { args, flags, strict } = command;
  // What the manifest does not say of them: stdin is none of oclif's business.
  const all = { parse: async (text: string) => text, ignoreStdin: true };
  const own = Object.entries(args).map(([name, arg]) => [name, { ...arg, ...all }]);
  await Parser.parse(argv, {
    args: Object.fromEntries(own) as Interfaces.ArgInput,
    flags: flags as Interfaces.FlagInput,
    strict: strict !== false,
  });
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (word) => word === '--help' || word === '-h',
  );
}
