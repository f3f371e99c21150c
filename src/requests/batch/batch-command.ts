/** The commands that send one body for each line of a file. The code that runs a batch is loaded when it runs. */
import { type CommandDefinition, command } from '../../cli/dispatch/command.ts';
import { batchArgs, batchFlags, namedRecordFlags } from '../../cli/flags/batch-flags.ts';
import { allowSecondFlag, overRefundFlag } from '../../cli/flags/global-flags.ts';
import type { Operation } from '../../contract/operation.ts';
import { usage } from '../../failure.ts';
import { BATCH_LINE_VIEW } from './batch-line.ts';

type BatchHelp = Pick<CommandDefinition, 'summary' | 'description' | 'examples'>;

/** Sends one body for each line of a file. */
export function batchCommand(operation: Operation, help: BatchHelp) {
  const flags: typeof batchFlags &
    Partial<typeof namedRecordFlags & typeof overRefundFlag & typeof allowSecondFlag> = {
    ...batchFlags,
    ...(operation.money?.givesBack || operation.recurring ? namedRecordFlags : {}),
    ...(operation.money?.givesBack ? overRefundFlag : {}),
    ...(operation.recurring ? allowSecondFlag : {}),
  };
  return command({
    ...help,
    prints: BATCH_LINE_VIEW,
    args: batchArgs,
    flags,
    async run(context, { args: { file }, flags }) {
      if (file === undefined && context.host.stdin.isTerminal) {
        throw usage('input-missing', 'No file given.', 'Name a file, or pipe the lines in.');
      }
      const { runBatchCommand } = await import('./run-batch.ts');
      const { batchOptions } = await import('./batch-options.ts');
      await runBatchCommand(context, {
        operation,
        source: file ?? '-',
        options: batchOptions(context.host, flags),
      });
    },
  });
}
