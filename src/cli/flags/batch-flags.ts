/**
 * The flags of commands that take many lines.
 *
 * Tests: test/scripts/commands/batch-as-written.script
 */
import { inGroup, option } from './flag.ts';
import {
  confirmFlag,
  interactionFlags,
  noteFlag,
  printFlags,
  profileFlag,
  requestFlags,
} from './global-flags.ts';

const batch = inGroup('BATCH');
const file = inGroup('FILE');

export const batchArgs = {
  file: {
    description:
      'CSV or a workbook (.xlsx) with column names in its first row, or JSON lines; - or nothing for stdin.',
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
  'as-written': file.toggle({
    description: 'Take every value as it is, because no spreadsheet changed the file.',
  }),
};

/** Batches whose lines name another record take these. */
export const namedRecordFlags = {
  'by-reference': file.toggle({
    description:
      'Take a reference in the place of an id, if it names one record here. The id is what is sent.',
  }),
  'reference-prefix': file.option({
    description:
      'Make a reference for each line that has none: this text, a hyphen, and the id or reference that the line names.',
    helpValue: '<text>',
  }),
};

export const batchFlags = {
  concurrency: batch.option({
    description: 'The most requests at the same time. Default: 16.',
    helpValue: '<integer>',
  }),
  rate: batch.option({
    description: 'The most requests to start in a second.',
    helpValue: '<number>',
  }),
  'max-count': batch.option({
    description: 'Send nothing if there are more lines than this.',
    helpValue: '<integer>',
  }),
  'max-total': batch.option({
    description: 'Send nothing if the total is more than this, in minor units.',
    helpValue: '<integer>',
  }),
  'stop-after-failures': batch.option({
    description: 'Stop after this many failed lines. Default: if the first 20 all fail alike.',
    helpValue: '<integer>',
  }),
  batch: batch.option({
    description:
      'Name of the batch. Lines without a reference are new in a batch with a new name. Default: a digest of its lines.',
    helpValue: '<name>',
  }),
  'retry-unknown': batch.toggle({
    description: 'Send lines with an unknown outcome again, although they may have gone through.',
  }),
  'retry-declined': batch.toggle({
    description: 'Send lines again that were declined because their card can never pay.',
  }),
  'allow-duplicate': batch.toggle({
    description:
      'Send repeated lines too. With --batch NAME, also send lines that another batch has sent.',
  }),
  propose: batch.toggle({
    description: 'Send nothing: write the batch down, for another person to approve it as a whole.',
    exclusive: ['dry-run', 'failed'],
  }),
  failed: batch.option({
    description: 'Write the failed rows to this file, with the reasons, to correct and send them.',
    helpValue: '<file>',
    exclusive: ['dry-run'],
  }),
  ...columnFlags,
  'dry-run': batch.toggle({
    description: 'Run every check, show what gw would send, and send nothing.',
  }),
  ...printFlags,
  output: option({
    ...printFlags.output,
    description: 'Output format. Default: on a terminal, only failed lines; in a pipe, JSON lines.',
  }),
  ...noteFlag,
  ...confirmFlag,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};
