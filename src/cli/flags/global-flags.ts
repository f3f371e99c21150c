/** Flags that mean the same on every command that speaks to a gateway. */
import { inGroup, option } from './flag.ts';

const GLOBAL = inGroup('GLOBAL');
const output = inGroup('OUTPUT');

const FORMATS = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml', 'id'] as const;

const profileOption = (description: string) => ({
  profile: GLOBAL.option({ char: 'p', description, helpValue: '<name>' }),
});

export const profileFlag = profileOption('Profile to use; `local` is the embedded gateway.');

/** For commands that need no gateway, but the ledger of a profile. */
export const ledgerOfFlag = profileOption(
  'Profile whose ledger to use, if it shares one with others.',
);

/** For every command. */
export const everywhereFlags = {
  plain: GLOBAL.toggle({
    description: 'Print plain lines of text for a screen reader; GW_PLAIN=1 does so always.',
  }),
};

export const interactionFlags = {
  'no-input': GLOBAL.toggle({
    description: 'Never ask questions; a missing value is an error. GW_PROMPT=off does so always.',
  }),
  debug: GLOBAL.toggle({
    description: 'Show each request and response on stderr, secrets redacted.',
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
    description: 'Fields to print, in this order, separated by commas; nested ones with dots.',
    helpValue: '<a,b.c>',
  }),
  jq: output.option({
    char: 'q',
    description:
      'Filter the JSON with a jq expression; prints one result per line, strings without quotes.',
    helpValue: '<expression>',
  }),
  header: output.toggle({
    description:
      'With -o tsv or csv: name the columns in the first line; --no-header leaves that line out.',
    allowNo: true,
  }),
  'no-formulas': output.toggle({
    description:
      'With -o csv: put an apostrophe before cells that a spreadsheet would run as a formula (CSV injection).',
  }),
  'no-pager': output.toggle({ description: 'Print long output at once, without a pager.' }),
};

/** For commands that print records of the gateway. */
export const outputFlags = {
  ...printFlags,
  raw: output.toggle({
    description: "Print the gateway's answer as it came.",
    exclusive: ['output', 'json', 'fields', 'header'],
  }),
};

export const requestFlags = {
  timeout: GLOBAL.option({
    description: 'Time limit of a request in seconds. Default: 60 if it moves money, otherwise 30.',
    helpValue: '<seconds>',
  }),
};

export const dryRunFlag = {
  'dry-run': GLOBAL.toggle({
    description:
      'Print the request with secrets redacted, run every check on it, and send nothing.',
  }),
};

export const confirmFlag = {
  confirm: GLOBAL.option({
    description: 'Confirm a live profile by its name, when gw cannot ask.',
    helpValue: '<profile>',
  }),
};

/** For commands that move money: how the journal treats duplicates, and whether it is used. */
export const journalFlags = {
  'allow-duplicate': GLOBAL.toggle({
    description: 'Send it even if the same request succeeded before, or may have.',
  }),
  'no-journal': GLOBAL.toggle({
    description:
      'Send it without recording it: gw will not know about a lost answer, and will not notice duplicates.',
  }),
};

export const overRefundFlag = {
  'allow-over-refund': GLOBAL.toggle({
    description:
      'Send the refund even if it is more than is left of the purchase, as far as gw knows.',
  }),
};

/** For commands that look up records of the gateway. */
export const lookUpFlags = {
  ...outputFlags,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};

/** For commands that change a record of the gateway. */
export const writeFlags = { ...dryRunFlag, ...lookUpFlags };

/** For commands that read the embedded gateway's file. */
export const dbFlag = {
  db: option({
    description: 'File with the state. Default: the one of --profile local.',
    helpValue: '<file>',
  }),
};
