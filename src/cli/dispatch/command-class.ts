/** Turns a command's definition into a class for oclif's manifest. */
import { Args, Command, Flags, type Interfaces } from '@oclif/core';
import { namedFields } from '../../view/columns.ts';
import { toView } from '../../view/printer.ts';
import type { Arg, ArgMap, Flag, FlagMap } from '../flags/flag.ts';
import { everywhereFlags } from '../flags/global-flags.ts';
import { operationFlags } from '../flags/operation-flags.ts';
import type { CommandHelp } from '../help/help-data.ts';
import type { CommandDefinition } from './command.ts';

/** @returns the class, which describes the command and cannot be run */
export function commandClass(
  definition: CommandDefinition,
): Command.Class & Pick<CommandHelp, 'fields' | 'choices'> & { erases: boolean; charges: boolean } {
  const { summary, examples, args = {}, takesMany, operation, erases = false, prints } = definition;
  const flags = flagsOf(definition.flags, operation);
  return class extends Command {
    static override summary = summary;
    static override description = descriptionOf(definition);
    static override examples = [...examples];
    static override args = oclifArgs(args);
    static override flags = oclifFlags(flags);
    static override strict = takesMany !== true;
    /** oclif copies what it does not know into the manifest. */
    static erases = erases;
    /** Those flags are for what moves money, or may start charges. */
    static charges = 'allow-duplicate' in flags || 'allow-second' in flags;
    static choices = choicesOf({ ...args, ...flags });
    static fields = 'fields' in this.flags ? namedFields(toView(prints)) : [];

    override run(): never {
      throw new Error('Commands run by their definitions');
    }
  };
}

/** @returns the values that completion offers, by the names of arguments and flags */
function choicesOf(named: Readonly<Record<string, Arg | Flag>>): CommandHelp['choices'] {
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, one]) =>
      'choices' in one && one.choices ? [[name, one.choices]] : [],
    ),
  );
}

/** @returns the description of an argument or a flag, which says when it is needed if gw can ask for it */
function meaningOf({ description, asked }: Arg | Flag): string {
  if (asked === undefined) return description;
  return asked === true
    ? `${description} Required where gw cannot ask.`
    : `${description} If you leave it out, gw asks for it; where it cannot, ${asked}.`;
}

const DEPRECATED =
  'Plans, customers and subscriptions are deprecated in the gateway. They still work.';

function descriptionOf({ description, isDeprecated }: CommandDefinition): string {
  const paragraphs = description.trim().split(/\n\s*\n/);
  const all = [...paragraphs, ...(isDeprecated ? [DEPRECATED] : [])];
  return all.map((text) => text.replace(/\s+/g, ' ')).join('\n\n');
}

function flagsOf(
  own: FlagMap = {},
  operation: CommandDefinition['operation'],
): Readonly<Record<string, Flag>> {
  return { ...own, ...(operation ? operationFlags(operation) : {}), ...everywhereFlags };
}

function oclifArgs(args: ArgMap): Interfaces.ArgInput {
  // oclif would otherwise read a missing argument from stdin, which belongs to `-`.
  const entries = Object.entries(args).map(([name, arg]) => [
    name,
    Args.string({ ...arg, description: meaningOf(arg), ignoreStdin: true }),
  ]);
  return Object.fromEntries(entries);
}

function oclifFlags(flags: FlagMap): Interfaces.FlagInput {
  const entries = Object.entries(flags).map(([name, flag]) => [
    name,
    oclifFlag({ ...flag, description: meaningOf(flag) }),
  ]);
  return Object.fromEntries(entries);
}

/** The builders add what the parser needs. A flag's own data stays the same, but their types cannot express that. */
function oclifFlag(flag: Flag): Interfaces.FlagInput[string] {
  if (flag.type === 'boolean') return Flags.boolean({ ...flag } as Record<string, unknown>);
  // Without it, a flag that may be repeated would also take the words after it.
  const { multiple } = flag;
  const data: Record<string, unknown> = { ...flag, ...(multiple && { multipleNonGreedy: true }) };
  return Flags.string(data);
}
