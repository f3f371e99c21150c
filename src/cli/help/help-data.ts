/**
 * What the pages of help are made of, as the build writes it to dist/help: the definitions of the
 * commands without what they run.
 */
import type { Arg, BooleanFlag, Flag, OptionFlag } from '../flags/flag.ts';

/** All commands and topics by oclif's ids, for example `purchase:get`. */
export interface HelpIndex {
  /** Summaries of commands, in the order of their names. */
  commands: Readonly<Record<string, string>>;
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
  /** false when the last argument may come several times. */
  strict: boolean;
}

/** Reads what the build wrote. */
export interface HelpSource {
  index: HelpIndex;
  /** @returns the help of the command of that id, which is in the index */
  command(id: string): CommandHelp;
}

/** @returns how an id is typed: `purchase get` for `purchase:get` */
export const typed = (id: string) => id.replaceAll(':', ' ');
