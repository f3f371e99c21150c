/** The whole of gw, through oclif: every command, help, completion, and what is wrong with argv. */
import { Config, run } from '@oclif/core';
import type { Context } from './cli/context.ts';
import { unknownCommand } from './cli/unknown-command.ts';

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
  const unknown = unknownCommand(config, words);
  if (unknown) throw unknown;
  await run(words, config);
}
