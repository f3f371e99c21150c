/**
 * The commands of ordinary operations: look up, send, many from a file. Each command has only its own help. The code
 * that runs it is loaded when it runs.
 */

import { type CommandDefinition, command } from '../cli/dispatch/command.ts';
import { batchArgs, batchFlags } from '../cli/flags/batch-flags.ts';
import { commandOptions } from '../cli/flags/command-options.ts';
import { askedIdArg, askedIdsArg } from '../cli/flags/flag.ts';
import { allowSecondFlag, lookUpFlags, overRefundFlag } from '../cli/flags/global-flags.ts';
import type { Operation } from '../contract/operation.ts';
import { isRecurring } from '../contract/record.ts';
import { usage } from '../failure.ts';

type OwnHelp = Pick<CommandDefinition, 'description' | 'examples'>;

/** Looks up the records given as arguments, or on stdin with `-`. @param id a sentence: what an argument is */
export function lookUpCommand(operation: Operation, { id, ...help }: OwnHelp & { id?: string }) {
  return command({
    summary: operation.summary,
    prints: operation.kind,
    isDeprecated: isRecurring(operation.kind),
    ...help,
    args: askedIdsArg(id ?? `Id or reference of a ${operation.kind}.`),
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
          args: askedIdArg(
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

/** Sends one body for each line of a file. */
export function batchCommand(operation: Operation, help: OwnHelp & { summary: string }) {
  const flags: typeof batchFlags & Partial<typeof overRefundFlag & typeof allowSecondFlag> = {
    ...batchFlags,
    ...(operation.money?.givesBack ? overRefundFlag : {}),
    ...(operation.recurring ? allowSecondFlag : {}),
  };
  return command({
    ...help,
    prints: 'batch-line',
    args: batchArgs,
    flags,
    async run(context, { args: { file }, flags }) {
      if (file === undefined && context.host.stdin.isTerminal) {
        throw usage('input-missing', 'No file given.', 'Name a file, or pipe the lines in.');
      }
      const { runBatchCommand } = await import('./batch/run-batch.ts');
      const { batchOptions } = await import('./batch/batch-options.ts');
      await runBatchCommand(context, {
        operation,
        source: file ?? '-',
        options: batchOptions(context.host, flags),
      });
    },
  });
}
