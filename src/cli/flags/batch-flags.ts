/** The flags of the commands that take many lines. */
import { option, toggle } from './flag.ts';
import {
  confirmFlag,
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from './global-flags.ts';

const integer = (description: string) =>
  option({ description, helpValue: '<integer>', helpGroup: 'BATCH' });

export const batchArgs = {
  file: {
    description: 'CSV file with column names in its first row, or JSON; - or nothing for stdin.',
  },
};

/** How the columns of a file are read. */
export const columnFlags = {
  map: option({
    description: 'Use this column of the file for a field. May be repeated.',
    helpValue: '<field=column>',
    helpGroup: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'ignore-columns': option({
    description: 'Columns to ignore, separated by commas.',
    helpValue: '<a,b>',
    helpGroup: 'FILE',
  }),
};

export const batchFlags = {
  concurrency: integer('Most requests in flight at once. Default: 16.'),
  rate: option({
    description: 'Most requests to start per second.',
    helpValue: '<number>',
    helpGroup: 'BATCH',
  }),
  'max-count': integer('Send nothing when there are more lines than this.'),
  'max-total': integer('Send nothing when the amounts come to more than this, in minor units.'),
  'stop-after-failures': integer(
    'Stop once this many lines did not succeed. Default: when the first 20 all fail alike.',
  ),
  batch: option({
    description:
      'Name of the batch, within which gw recognises lines without a reference. Default: a digest of its content.',
    helpValue: '<name>',
    helpGroup: 'BATCH',
  }),
  'retry-unknown': toggle({
    description: 'Send lines whose outcome is unknown again, although they may have gone through.',
    helpGroup: 'BATCH',
  }),
  'allow-duplicate': toggle({
    description:
      'Send lines that repeat another line of the file; with --batch NAME, also lines that other batches have done.',
    helpGroup: 'BATCH',
  }),
  failed: option({
    description:
      'Write the rows that did not succeed to this file, with the reasons, ready to be corrected and sent.',
    helpValue: '<file>',
    helpGroup: 'BATCH',
  }),
  ...columnFlags,
  'dry-run': toggle({
    description: 'Run every check, say what would be sent and what would not, and send nothing.',
    helpGroup: 'BATCH',
  }),
  ...printFlags,
  output: option({
    ...printFlags.output,
    description:
      'Output format. Default: on a terminal, only lines that did not succeed; in a pipe, JSON lines.',
  }),
  ...confirmFlag,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};
