/** The whole of gw, through oclif: help, completion, and what is wrong with argv. */
import { type Command, Config, type Interfaces, Parser, run } from '@oclif/core';
import type { Context } from '../session/context.ts';
import type { CommandDefinition, Input } from './command.ts';
import { findCommand } from './unknown-command.ts';

/** @param load finds a command by oclif's id, for example `purchase:get` */
export async function runOclif(
  context: Context,
  argv: readonly string[],
  load: (id: string) => CommandDefinition,
): Promise<void> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  // What lies in a directory for plugins is never run: gw has none that users install.
  const config = await Config.load({ root: context.root, userPlugins: false });
  const found = findCommand(config, words);
  if (!found || wantsHelp(found.argv)) {
    await run(words, config);
    return;
  }
  const entry = config.findCommand(found.id);
  if (entry?.pluginName !== config.name) {
    // Not `run`, which would find the command once more, in its own way.
    await config.runCommand(found.id, found.argv);
    return;
  }
  // A mistake is found by the manifest, before the command and what it needs is loaded.
  const input = await parseArgv(entry, found.argv);
  await load(found.id).run(context, input);
}

/**
 * @param entry what oclif knows of a command: its entry in the manifest, or its class
 * @throws what oclif throws for bad usage
 */
export async function parseArgv(
  { args: known, flags: own, strict }: Pick<Command.Loadable, 'args' | 'flags' | 'strict'>,
  argv: string[],
): Promise<Input> {
  // What the manifest does not say of them: stdin is none of oclif's business.
  const all = { parse: async (text: string) => text, ignoreStdin: true };
  const described = Object.entries(known).map(([name, arg]) => [name, { ...arg, ...all }]);
  const parsed = await Parser.parse(argv, {
    args: Object.fromEntries(described) as Interfaces.ArgInput,
    flags: own as Interfaces.FlagInput,
    strict: strict !== false,
  });
  const { args, flags } = parsed;
  return {
    args: args as Input['args'],
    argv: parsed.argv as string[],
    flags: flags as Input['flags'],
  };
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (word) => word === '--help' || word === '-h',
  );
}
