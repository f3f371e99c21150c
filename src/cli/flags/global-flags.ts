/** Flags that mean the same on every command that speaks to a gateway. */
import { option, toggle } from './flag.ts';

const FORMATS = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml', 'id'] as const;

export const profileFlag = {
  profile: option({
    char: 'p',
    description: 'Profile to use; `local` is the embedded gateway.',
    helpValue: '<name>',
    helpGroup: 'GLOBAL',
  }),
};

/** Of what needs no gateway, but the ledger of whoever uses one. */
export const ledgerOfFlag = {
  profile: option({
    char: 'p',
    description: 'Profile whose ledger to use, if it shares one with others.',
    helpValue: '<name>',
    helpGroup: 'GLOBAL',
  }),
};

/** Of every command. */
export const everywhereFlags = {
  plain: toggle({
    description: 'Print plain lines of text for a screen reader; GW_PLAIN=1 does so always.',
    helpGroup: 'GLOBAL',
  }),
};

export const interactionFlags = {
  'no-input': toggle({
    description: 'Never ask questions; a missing value is an error.',
    helpGroup: 'GLOBAL',
  }),
  debug: toggle({
    description: 'Show each request and response on stderr, secrets redacted.',
    helpGroup: 'GLOBAL',
  }),
};

/** For records that are gw's own. */
export const printFlags = {
  output: option({
    char: 'o',
    options: FORMATS,
    description: 'Output format. Default: a table on a terminal, TSV in a pipe.',
    helpGroup: 'OUTPUT',
  }),
  json: toggle({
    description: 'Short for -o json.',
    helpGroup: 'OUTPUT',
    exclusive: ['output'],
  }),
  fields: option({
    description: 'Fields to print, in this order, separated by commas; nested ones with dots.',
    helpValue: '<a,b.c>',
    helpGroup: 'OUTPUT',
  }),
  jq: option({
    description:
      'Filter the JSON with a jq expression; prints one result per line, strings without quotes.',
    helpValue: '<expression>',
    helpGroup: 'OUTPUT',
  }),
  header: toggle({
    description:
      'With -o tsv or csv: name the columns in the first line; --no-header leaves that line out.',
    helpGroup: 'OUTPUT',
    allowNo: true,
  }),
  'no-formulas': toggle({
    description:
      'With -o csv: put an apostrophe before cells that a spreadsheet would run as a formula (CSV injection).',
    helpGroup: 'OUTPUT',
  }),
  'no-pager': toggle({
    description: 'Print long output at once, without a pager.',
    helpGroup: 'OUTPUT',
  }),
};

/** For records of the gateway. */
export const outputFlags = {
  ...printFlags,
  raw: toggle({
    description: "Print the gateway's answer as it came.",
    helpGroup: 'OUTPUT',
    exclusive: ['output', 'json', 'fields', 'header'],
  }),
};

export const requestFlags = {
  timeout: option({
    description: 'Time limit of a request in seconds. Default: 60 if it moves money, otherwise 30.',
    helpValue: '<seconds>',
    helpGroup: 'GLOBAL',
  }),
};

export const dryRunFlag = {
  'dry-run': toggle({
    description:
      'Print the request with secrets redacted, run every check on it, and send nothing.',
    helpGroup: 'GLOBAL',
  }),
};

export const confirmFlag = {
  confirm: option({
    description: 'Confirm a live profile by its name, when gw cannot ask.',
    helpValue: '<profile>',
    helpGroup: 'GLOBAL',
  }),
};

/** For what moves money: what the journal would refuse, and doing without it. */
export const journalFlags = {
  'allow-duplicate': toggle({
    description: 'Send it even if the same request succeeded before, or may have.',
    helpGroup: 'GLOBAL',
  }),
  'no-journal': toggle({
    description:
      'Send it without recording it: gw will not know about a lost answer, and will not notice duplicates.',
    helpGroup: 'GLOBAL',
  }),
};

export const overRefundFlag = {
  'allow-over-refund': toggle({
    description:
      'Send the refund even if it is more than is left of the purchase, as far as gw knows.',
    helpGroup: 'GLOBAL',
  }),
};

/** Of a command that looks up records of the gateway. */
export const lookUpFlags = {
  ...outputFlags,
  ...profileFlag,
  ...requestFlags,
  ...interactionFlags,
};

/** Of a command that changes a record of the gateway. */
export const writeFlags = { ...dryRunFlag, ...lookUpFlags };

/** For commands that forget what is old; read by `parseAge`. */
export const ageFlag = {
  'older-than': option({
    description: 'Age in days, weeks or years.',
    helpValue: '<90d|12w|2y>',
    required: true,
  }),
};

/** Of commands that look into the embedded gateway's file. */
export const dbFlag = {
  db: option({
    description: 'File with the state. Default: the one of --profile local.',
    helpValue: '<file>',
  }),
};
