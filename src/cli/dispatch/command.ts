/**
 * What a command is: one plain definition in a file of its own, whose path in src/commands is what
 * a user types after `gw`. It knows nothing of oclif, and neither parses nor prints by itself.
 */

import type { Operation } from '../../contract/operation.ts';
import type { Context } from '../../host/context.ts';
import type { ArgMap, ArgValuesOf, FlagMap, FlagValuesOf } from '../flags/flag.ts';

/** What was typed after the command's name. */
export interface CommandInput<Args extends ArgMap = ArgMap, Flags extends FlagMap = FlagMap> {
  args: ArgValuesOf<Args>;
  /** All that is no flag, in order. */
  argv: readonly string[];
  flags: FlagValuesOf<Flags>;
}

export interface CommandDefinition<Args extends ArgMap = ArgMap, Flags extends FlagMap = FlagMap> {
  /** One line, without a full stop. */
  summary: string;
  /** Sentences. Line breaks, and the indentation after them, are no part of it. */
  description: string;
  /** true for the recurring area (section 9); the description says so. */
  isDeprecated?: boolean;
  /** Two or three, as they are typed. */
  examples: readonly string[];
  args?: Args;
  /** true when the last argument may come several times. */
  takesMany?: true;
  /** Flags of its own, before those that the operation brings. */
  flags?: Flags;
  /**
   * The operation whose flags it takes as well. They are derived from the schema of its body, which
   * is loaded for help and for the manifest, and not when the command runs.
   */
  operation?: Operation;
  /** @throws Failure when it does not succeed */
  run(context: Context, input: CommandInput<Args, Flags>): Promise<void>;
}

/** Says of a definition what it is, so that `run` knows the types of its flags. */
export function command<const Args extends ArgMap, const Flags extends FlagMap>(
  definition: CommandDefinition<Args, Flags>,
): CommandDefinition<Args, Flags> {
  return definition;
}

/** Runs a command, after what is said of its output was found to make sense. */
export async function runCommand(
  { run }: CommandDefinition,
  context: Context,
  input: CommandInput,
): Promise<void> {
  const { jq } = input.flags;
  if (typeof jq === 'string') {
    const { checkJq } = await import('../../view/formats/jq.ts');
    await checkJq(context.host, jq);
  }
  await run(context, input);
}
