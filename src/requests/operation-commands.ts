/**
 * The commands of ordinary operations: look up, send. batch/batch-command.ts has those that send many from a file. Each command has only its own help. The code
 * that runs it is loaded when it runs.
 */

import { type CommandDefinition, command } from '../cli/dispatch/command.ts';
import { commandOptions } from '../cli/flags/command-options.ts';
import { optionalIdArg, optionalIdsArg } from '../cli/flags/flag.ts';
import { lookUpFlags } from '../cli/flags/global-flags.ts';
import type { Operation } from '../contract/operation.ts';
import { isRecurring } from '../contract/record.ts';

type OwnHelp = Pick<CommandDefinition, 'description' | 'examples'>;

/** Looks up the records given as arguments, or on stdin with `-`. @param id a sentence: what an argument is */
export function lookUpCommand(operation: Operation, { id, ...help }: OwnHelp & { id?: string }) {
  return command({
    summary: operation.summary,
    prints: operation.kind,
    isDeprecated: isRecurring(operation.kind),
    ...help,
    args: optionalIdsArg(id ?? `Id or reference of a ${operation.kind}.`),
    takesMany: true,
    flags: lookUpFlags,
    async run(context, { argv, flags }) {
      if (argv.length === 0) {
        const { getPicked } = await import('./look-up/get-picked.ts');
        return getPicked(context, operation, commandOptions(context.host, flags));
      }
      const { runGet } = await import('./look-up/get-many.ts');
      await runGet(context, { operation, ids: argv }, commandOptions(context.host, flags));
    },
  });
}

/** Sends a body; if the path names a record, to that record. */
export function submitCommand(operation: Operation, help: OwnHelp): CommandDefinition {
  return {
    summary: operation.summary,
    prints: operation.kind,
    isDeprecated: isRecurring(operation.kind),
    erases: operation.effect === 'destroy',
    ...help,
    ...(operation.path.includes('{')
      ? {
          args: optionalIdArg(
            `Id of the ${operation.kind}, or its reference${operation.kind === 'customer' ? ' or email' : ''}.`,
          ),
        }
      : {}),
    operation,
    async run(context, { argv: [id], flags }) {
      // This loads everything that builds a body, which a look-up does not need.
      const { runSubmit } = await import('./submit/submit.ts');
      await runSubmit(context, operation, id, commandOptions(context.host, flags));
    },
  };
}
