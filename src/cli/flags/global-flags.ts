/**
 * Flags that mean the same on every command that speaks to a gateway.
 *
 * Tests: test/unit/cli/dispatch/fast-path.test.ts, test/unit/cli/help/show-help.test.ts
 */
import { FAULTS } from '../../contract/faults.ts';
import { inGroup, option } from './flag.ts';

const GLOBAL = inGroup('GLOBAL');
const output = inGroup('OUTPUT');
/** Flags that few people need. */
const rare = inGroup('RARE');

const FORMATS = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml', 'id'] as const;

const profileOption = (description: string) => ({
  profile: GLOBAL.option({ char: 'p', description, helpValue: '<name>' }),
});

export const profileFlag = profileOption('Profile to use; `local` is the built-in test gateway.');

/** For commands that need no gateway, but the ledger of a profile. */
export const ledgerOfFlag = profileOption('Profile whose ledger to use.');

/** For every command. */
export const everywhereFlags = {
  plain: GLOBAL.toggle({
    description: 'Print plain lines for a screen reader. GW_PLAIN=1 does so always.',
  }),
  'no-input': GLOBAL.toggle({
    description: 'Never ask: a missing value is an error. GW_PROMPT=off does so always.',
  }),
};

export const interactionFlags = {
  'no-input': everywhereFlags['no-input'],
  debug: rare.toggle({
    description: 'Show each request and answer on stderr, without secrets.',
  }),
};

/** For commands that print gw's own records. */
export const printFlags = {
  output: output.option({
    char: 'o',
    options: FORMATS,
    description: 'Output format. Default: a table on a terminal, TSV in a pipe.',
  }),
  json: output.toggle({ description: 'Short for -o json.', exclusive: ['output'] }),
  fields: output.option({
    description: 'Fields to print, in this order: a,b.c.',
    helpValue: '<a,b.c>',
  }),
  jq: output.option({
    char: 'q',
    description: 'Filter the JSON with a jq expression: one result a line, texts without quotes.',
    helpValue: '<expression>',
  }),
  header: output.toggle({
    description: 'Print a first line with the names of the columns (tsv, csv), or leave it out.',
    allowNo: true,
  }),
  'no-formulas': rare.toggle({
    description: 'Put an apostrophe before cells of CSV that a spreadsheet would run as a formula.',
  }),
  'no-pager': output.toggle({ description: 'Print long output at once, without a pager.' }),
};

/** For commands that print records of the gateway. */
export const outputFlags = {
  ...printFlags,
  raw: rare.toggle({
    description: 'Print the answer of the gateway as it came.',
    exclusive: ['output', 'json', 'fields', 'header'],
  }),
};

export const requestFlags = {
  timeout: rare.option({
    description: 'Time limit of a request. Default: 60 if it moves money, otherwise 30.',
    helpValue: '<seconds>',
  }),
  'test-fault': rare.option({
    description: `Trouble that the built-in test gateway makes: ${Object.keys(FAULTS).join(', ')}. For --profile local alone.`,
    helpValue: '<fault>',
    choices: Object.keys(FAULTS),
  }),
};

export const dryRunFlag = {
  'dry-run': GLOBAL.toggle({
    description: 'Run every check, show what gw would send, and send nothing.',
  }),
};

export const confirmFlag = {
  confirm: GLOBAL.option({
    description: 'Confirm a live profile by its name if gw cannot ask.',
    helpValue: '<profile>',
  }),
};

/** For commands that list what will be gone, and ask how many there are. */
export const confirmCountFlag = {
  confirm: option({
    description: 'Confirm by the number that gw asks for, if it cannot ask.',
    helpValue: '<number>',
  }),
};

/** For commands that move money: how the journal treats duplicates, and whether it is used. */
export const journalFlags = {
  'allow-duplicate': rare.toggle({
    description: 'Send it even if the same request succeeded before, or may have.',
  }),
  'no-journal': rare.toggle({
    description:
      'Send it without a record. gw will then notice neither a lost answer nor a duplicate.',
  }),
};

export const overRefundFlag = {
  'allow-over-refund': rare.toggle({
    description: 'Send it even if it is more than gw knows to be left of the purchase.',
  }),
};

/** For commands that may start charges by a plan. */
export const allowSecondFlag = {
  'allow-second': GLOBAL.toggle({
    description: 'Send it even if the customer is billed for the same plan already.',
  }),
};

/** For commands that look up records of the gateway. */
export const lookUpFlags = {
  ...outputFlags,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};

export const noteFlag = {
  note: GLOBAL.option({
    description:
      'Why you do this: kept in the history here, and in a shared ledger. It is never sent.',
    helpValue: '<text>',
  }),
};

/** For commands that change a record of the gateway. */
export const writeFlags = { ...dryRunFlag, ...noteFlag, ...lookUpFlags };

/** For commands that read the test gateway's file. */
export const dbFlag = {
  db: option({
    description: 'File with the state. Default: the one of --profile local.',
    helpValue: '<file>',
  }),
};

/** Flags that users type anywhere, and that have one meaning in all commands: an unknown command has these. */
export const USUAL_FLAGS = { ...profileFlag, ...printFlags };
