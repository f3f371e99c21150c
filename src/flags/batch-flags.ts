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
    description: 'A table (CSV) with names in its first row, or JSON; - or nothing for stdin.',
  },
};

/** How the columns of a file are read. */
export const columnFlags = {
  map: option({
    description: 'Take a column of the file for a field, whatever it is called; may be repeated.',
    helpValue: '<field=column>',
    helpGroup: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'ignore-columns': option({
    description: 'Columns to leave out, separated by commas.',
    helpValue: '<a,b>',
    helpGroup: 'FILE',
  }),
};

export const batchFlags = {
  concurrency: integer('Requests in flight, at the most. Default: 16.'),
  rate: option({
    description: 'Requests started in a second, at the most.',
    helpValue: '<number>',
    helpGroup: 'BATCH',
  }),
  'max-count': integer('Send nothing when there are more lines than this.'),
  'max-total': integer('Send nothing when the amounts come to more than this, in minor units.'),
  'stop-after-failures': integer(
    'Start no more lines when this many did not succeed. Default: when the first 20 all fail alike.',
  ),
  batch: option({
    description:
      'Name of the batch: lines without a reference are known again within it. Default: its content.',
    helpValue: '<name>',
    helpGroup: 'BATCH',
  }),
  'retry-unknown': toggle({
    description: 'Send lines again whose outcome is unknown. They may have happened.',
    helpGroup: 'BATCH',
  }),
  'allow-duplicate': toggle({
    description:
      'Send lines that repeat another of the file; with --batch NAME also what others have done.',
    helpGroup: 'BATCH',
  }),
  failed: option({
    description:
      'Write the rows that did not succeed here, with the reason, ready to be corrected and sent.',
    helpValue: '<file>',
    helpGroup: 'BATCH',
  }),
  ...columnFlags,
  'dry-run': toggle({
    description: 'Ask every guard, say what would be sent and what would not, and send nothing.',
    helpGroup: 'BATCH',
  }),
  ...printFlags,
  output: option({
    ...printFlags.output,
    description:
      'Output format. Default: what did not succeed on a terminal, JSON lines in a pipe.',
  }),
  ...confirmFlag,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};
