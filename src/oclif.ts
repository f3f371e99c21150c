/** The whole of gw, through oclif: every command, help, completion, and what is wrong with argv. */
import { Config, run } from '@oclif/core';
import type { Context } from './cli/context.ts';
import { findCommand } from './cli/unknown-command.ts';

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
  // Not `run`, which would find the command once more, in its own way.
  if (found && !wantsHelp(found.argv)) await config.runCommand(found.id, found.argv);
  else await run(words, config);
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (word) => word === '--help' || word === '-h',
  );
}
