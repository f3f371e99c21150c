/** The data of the help pages, which the build writes to dist/help: the definitions of commands without their code. */
import type { CommandNames } from '../../host/code-cache.ts';
import type { Arg, BooleanFlag, Flag, OptionFlag } from '../flags/flag.ts';

/** All commands and topics by oclif's ids, for example `purchase:get`. */
export interface HelpIndex {
  /** Summaries of commands, in the order of their names. */
  commands: Readonly<Record<string, string>>;
  /** The commands that delete something for good. */
  erasing: readonly string[];
  /** The commands that move money, or may start charges. */
  charging: readonly string[];
  /** Descriptions of topics. */
  topics: Readonly<Record<string, string>>;
}

/** A flag of either type. */
export interface HelpFlag extends Omit<OptionFlag, 'type'>, Omit<BooleanFlag, 'type'> {
  name: string;
  type: Flag['type'];
}

/** dist/help/commands/ID.json */
export interface CommandHelp {
  id: string;
  summary: string;
  description: string;
  examples: readonly string[];
  args: Readonly<Record<string, Arg>>;
  flags: Readonly<Record<string, HelpFlag>>;
  /** false if the last argument may be repeated. */
  strict: boolean;
  /** The names of the fields that it prints; empty if it prints records of any kind, or none. */
  fields: readonly string[];
  /** Values that completion offers, by the names of arguments and flags. */
  choices: Readonly<Record<string, readonly string[]>>;
}

/** Lines for a shell from a page that is written by hand (scripts/recipes.mjs). */
export interface Recipe {
  title: string;
  /** The sentences around the lines. */
  text: string;
  commands: readonly string[];
}

/** Reads what the build wrote. */
export interface HelpSource {
  index: HelpIndex;
  recipes(): readonly Recipe[];
  /** @param id of a command in the index */
  command(id: string): CommandHelp;
}

export interface NamedHelp extends HelpSource {
  names: CommandNames;
}

/** @returns the words that a user types for an id: `purchase get` for `purchase:get` */
export const commandWords = (id: string) => id.replaceAll(':', ' ');

/** @returns the commands whose names begin with an id, or for one that creates a record, the one that creates many */
export function namesBelow(id: string, { commands }: Pick<HelpIndex, 'commands'>): string[] {
  const many = id.replace(/:create$/, ':batch');
  return Object.keys(commands).filter(
    (name) => name.startsWith(`${id}:`) || (many !== id && name === many),
  );
}
