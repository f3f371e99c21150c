/** The flags of commands that take many lines. */
import { inGroup, option } from './flag.ts';
import {
  confirmFlag,
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from './global-flags.ts';

const batch = inGroup('BATCH');
const file = inGroup('FILE');

const integer = (description: string) => batch.option({ description, helpValue: '<integer>' });

export const batchArgs = {
  file: {
    description: 'CSV file with column names in its first row, or JSON; - or nothing for stdin.',
  },
};

/** How the columns of a file are read. */
export const columnFlags = {
  map: file.option({
    description: 'Use this column of the file for a field. May be repeated.',
    helpValue: '<field=column>',
    multiple: true,
  }),
  'ignore-columns': file.option({
    description: 'Columns to ignore, separated by commas.',
    helpValue: '<a,b>',
  }),
};

export const batchFlags = {
  concurrency: integer('Most requests in flight at once. Default: 16.'),
  rate: batch.option({ description: 'Most requests to start per second.', helpValue: '<number>' }),
  'max-count': integer('Send nothing when there are more lines than this.'),
  'max-total': integer('Send nothing when the amounts come to more than this, in minor units.'),
  'stop-after-failures': integer(
    'Stop once this many lines did not succeed. Default: when the first 20 all fail alike.',
  ),
  batch: batch.option({
    description:
      'Name of the batch, within which gw recognises lines without a reference. Default: a digest of its content.',
    helpValue: '<name>',
  }),
  'retry-unknown': batch.toggle({
    description: 'Send lines whose outcome is unknown again, although they may have gone through.',
  }),
  'allow-duplicate': batch.toggle({
    description:
      'Send lines that repeat another line of the file; with --batch NAME, also lines that other batches have done.',
  }),
  failed: batch.option({
    description:
      'Write the rows that did not succeed to this file, with the reasons, ready to be corrected and sent.',
    helpValue: '<file>',
  }),
  ...columnFlags,
  'dry-run': batch.toggle({
    description: 'Run every check, say what would be sent and what would not, and send nothing.',
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
