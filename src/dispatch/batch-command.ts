/** The shape of a batch command: it names its operation and its help, and nothing else. */
import { Args, Flags } from '@oclif/core';
import type { BatchFlags } from '../batch/run-batch.ts';
import type { Operation } from '../contract/operations.ts';
import { usage } from '../failure.ts';
import { confirmFlag, interactionFlags, profileFlag, requestFlags } from '../flags/global-flags.ts';
import { GwCommand } from './command.ts';

const integer = (description: string) =>
  Flags.string({ description, helpValue: '<integer>', helpGroup: 'BATCH' });

const batchArgs = {
  file: Args.string({
    description: 'CSV with a header, or JSON lines; - or nothing for stdin.',
    ignoreStdin: true,
  }),
};

export const batchFlags = {
  concurrency: integer('Requests in flight, at the most. Default: 16.'),
  rate: Flags.string({
    description: 'Requests started in a second, at the most.',
    helpValue: '<number>',
    helpGroup: 'BATCH',
  }),
  'max-count': integer('Send nothing when there are more lines than this.'),
  'max-total': integer('Send nothing when the amounts come to more than this, in minor units.'),
  'stop-after-failures': integer('Start no more lines when this many did not succeed.'),
  batch: Flags.string({
    description: 'Name of the batch, by which its lines are known again. Default: its content.',
    helpValue: '<name>',
    helpGroup: 'BATCH',
  }),
  'retry-unknown': Flags.boolean({
    description: 'Send lines again whose outcome is unknown. They may have happened.',
    helpGroup: 'BATCH',
  }),
  'allow-duplicate': Flags.boolean({
    description: 'Send lines that repeat one of the file, or a request sent before.',
    helpGroup: 'BATCH',
  }),
  'ignore-columns': Flags.string({
    description: 'Columns of a CSV that are not sent, separated by commas.',
    helpValue: '<a,b>',
    helpGroup: 'BATCH',
  }),
  'dry-run': Flags.boolean({
    description: 'Check everything, say what would be sent, and send nothing.',
    helpGroup: 'BATCH',
  }),
  ...confirmFlag,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};

export abstract class BatchCommand extends GwCommand {
  static override args = batchArgs;
  static override flags = batchFlags;
  abstract readonly operation: Operation;

  async run(): Promise<void> {
    const { args: known, flags: own } = this.ctor;
    const { args, flags } = await this.parse({ args: known, flags: own });
    const file: unknown = args.file;
    if (file === undefined && this.host.stdin.isTerminal) {
      throw usage('There is no file.', 'Name one, or pipe lines in.');
    }
    const { runBatchCommand } = await import('../batch/run-batch.ts');
    await runBatchCommand(this.context, {
      operation: this.operation,
      source: typeof file === 'string' ? file : '-',
      flags: flags as BatchFlags,
    });
  }
}
