/**
 * The form of a command: one plain definition in a file of its own. The file's path in src/commands is what a user
 * types after `gw`. A definition knows nothing of oclif, and neither parses nor prints.
 */

import type { Operation } from '../../contract/operation.ts';
import type { Context } from '../../host/context.ts';
import type { ArgMap, ArgValuesOf, FlagMap, FlagValuesOf } from '../flags/flag.ts';
import type { ViewName } from '../help/printed-fields.ts';

/** The words typed after the command's name. */
export interface CommandInput<Args extends ArgMap = ArgMap, Flags extends FlagMap = FlagMap> {
  args: ArgValuesOf<Args>;
  /** All words that are no flags, in order. */
  argv: readonly string[];
  flags: FlagValuesOf<Flags>;
}

export interface CommandDefinition<Args extends ArgMap = ArgMap, Flags extends FlagMap = FlagMap> {
  /** One line, without a full stop. */
  summary: string;
  /** Sentences. Empty lines separate paragraphs; other line breaks and indentation are not part of the text. */
  description: string;
  /** true for the recurring area (section 9); the description then says so. */
  isDeprecated?: boolean;
  /** true if it deletes something for good. gw never suggests it for a word that it does not know. */
  erases?: boolean;
  /** The view of the records that it prints, for its help and for `--json FIELDS`; none if they are of any kind. */
  prints?: ViewName;
  /** Two or three commands, as they are typed. */
  examples: readonly string[];
  args?: Args;
  /** true when the last argument may come several times. */
  takesMany?: true;
  /** The command's own flags, which come before those of the operation. */
  flags?: Flags;
  /**
   * The operation whose flags the command takes as well. They are derived from the schema of its body, which is loaded
   * for help and for the manifest, but not when the command runs.
   */
  operation?: Operation;
  /** @throws Failure if the command does not succeed */
  run(context: Context, input: CommandInput<Args, Flags>): Promise<void>;
}

/** Types a definition, so that `run` knows the types of its flags. */
export function command<const Args extends ArgMap, const Flags extends FlagMap>(
  definition: CommandDefinition<Args, Flags>,
): CommandDefinition<Args, Flags> {
  return definition;
}
