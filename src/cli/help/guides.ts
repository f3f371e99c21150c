/**
 * Guides: topics that concern many commands, each on its own page: `gw help money`.
 *
 * Tests: test/unit/cli/help/show-help.test.ts, test/docs/recipes.test.ts
 */
import { EXIT_DEFECT } from '../../failure.ts';
import { EXIT_CODES, type FailureKind } from '../../failure-codes.ts';
import type { FlagMap } from '../flags/flag.ts';
import {
  everywhereFlags,
  interactionFlags,
  outputFlags,
  profileFlag,
  requestFlags,
} from '../flags/global-flags.ts';
import { flagMeaning, flagTerm } from './flag-groups.ts';
import type { HelpFlag } from './help-data.ts';
import { type Entry, type Part, paragraph, partLines, type Style } from './layout.ts';

interface Guide {
  summary: string;
  parts: readonly Part[];
}

/** The meaning of each exit code, in a sentence without a full stop. */
export const EXIT_MEANINGS: Readonly<Record<FailureKind, string>> = {
  usage: 'Bad usage or input; nothing was sent',
  auth: 'No credentials, wrong credentials, or no permission (401, 403)',
  notFound: 'Not found (404)',
  declined: 'The card was declined (HTTP 200, but not authorised)',
  rejected:
    'The gateway rejected the request (any other well-formed failure, also for an unknown card token)',
  notReached: 'The gateway was not reached; nothing was processed',
  unknown: 'Outcome unknown: a money request was sent and no trustworthy answer came back',
  incomplete:
    'Some lines of a batch failed, the books and the gateway differ (`gw reconcile`), or the output could not be written',
  guard: 'Refused by a guard (live profile not confirmed, limit of the profile, duplicate)',
  interrupted: 'Interrupted',
  unread: 'The reader closed the pipe (`| head`)',
};

/** The advice for exit code 8. */
export const AFTER_UNKNOWN =
  'Never repeat a request that ended with 8: the money may have moved. `gw journal resolve` finds out.';

/** Every exit code with its meaning. */
export const EXIT_ENTRIES: readonly Entry[] = [
  ['0', 'Done.'],
  [String(EXIT_DEFECT), 'A defect in gw.'],
  ...Object.entries(EXIT_MEANINGS).map(
    ([kind, meaning]): Entry => [String(EXIT_CODES[kind as FailureKind]), `${meaning}.`],
  ),
];

/** @returns the entries of flags in a list of help */
function entriesOf(flags: FlagMap): Entry[] {
  return Object.entries(flags).map(([name, flag]) => {
    const named = { ...flag, name } as HelpFlag;
    return [flagTerm(named), flagMeaning(named)];
  });
}

export const GUIDES: Readonly<Record<string, Guide>> = {
  flags: {
    summary: 'The flags that mean the same in every command that has them',
    parts: [
      {
        title: 'Which gateway',
        list: entriesOf({ ...profileFlag, ...requestFlags }),
      },
      { title: 'Output', list: entriesOf(outputFlags) },
      { title: 'Asking and showing', list: entriesOf({ ...interactionFlags, ...everywhereFlags }) },
      {
        title: 'Short forms',
        text: '-p is --profile, -o is --output, -q is --jq, -L is --limit, and -y is --yes. --json FIELDS is --json --fields FIELDS.',
        commands: [
          'gw purchase list -L 5 --json id,amount',
          "gw plan list -p local -o json -q '.[].id'",
        ],
      },
    ],
  },
  money: {
    summary: 'How amounts are given, and how gw keeps money from moving twice',
    parts: [
      {
        title: 'Amounts',
        text: '--amount is in minor units: 2500 is 25.00 AUD. --decimal-amount takes 25.00. A purchase is in the currency of --currency or of the profile, which gw sends, a refund in that of its purchase, and a plan in that of the account. A refund needs an amount or --full: leaving the amount out never means all of it.',
        commands: [
          'gw purchase create --profile local --test-card approved --amount 2500',
          'gw purchase create --profile local --test-card approved --decimal-amount 25.00 --currency AUD',
        ],
      },
      {
        title: 'Never twice',
        text: 'gw records every money request before it sends it, and never repeats one by itself. It refuses a request with the same operation, target, amount and reference as one that succeeded, or may have (exit code 10). Without a reference, gw cannot tell a repeated request from a new sale, so it refuses an identical one for an hour. If no trustworthy answer comes, the outcome is unknown (exit code 8): find out what happened before you send it again.',
        commands: ['gw journal list --unresolved', 'gw purchase list INV-1001'],
      },
      {
        title: 'Live profiles',
        text: 'On a live profile, a command that moves money shows what it will do. You confirm it with the name of the profile. A script gives --confirm NAME. A profile can have limits: --read-only, --max-amount, --allowed-commands. --dry-run runs every check and sends nothing.',
        commands: ['gw profile set live --max-amount 50000'],
      },
    ],
  },
  formats: {
    summary: 'What gw prints, and for whom',
    parts: [
      {
        title: 'Choosing a format',
        text: 'Without -o, gw prints a table on a terminal and tab-separated text in a pipe. Only records go to stdout; messages go to stderr. Formats for programs have amounts in minor units.',
        commands: [
          'gw purchase list -o json',
          'gw purchase list -o csv --fields id,amount,reference > purchases.csv',
          'gw purchase list -o id | gw purchase get - -o jsonl',
        ],
      },
      {
        title: 'Formats',
        list: [
          ['table', 'For people; its columns may change.'],
          ['json', 'One record as an object, several as an array; --json is short for it.'],
          ['jsonl', 'One record per line, printed as it arrives.'],
          ['csv', 'With column names; --no-formulas makes it safe for a spreadsheet.'],
          ['tsv', 'The default in a pipe; --header adds the column names.'],
          ['yaml', 'The same as json, but easier to read.'],
          ['id', 'Only the ids, for another command.'],
        ],
      },
      {
        title: 'Errors',
        text: 'With json or jsonl, an error is one JSON object, the last line of stderr: notes may precede it. Its code stays the same even if the wording of its message changes.',
      },
    ],
  },
  'exit-codes': {
    summary: 'The exit codes of gw, and what they mean',
    parts: [
      {
        title: 'Codes',
        list: EXIT_ENTRIES,
      },
      {
        title: 'In a script',
        text: AFTER_UNKNOWN,
        commands: [
          'gw refund create --transaction-id "$ID" --amount 1000 --reference RET-1 || code=$?',
        ],
      },
    ],
  },
  errors: {
    summary: 'What an error says, and what its code means',
    parts: [
      {
        title: 'On stderr',
        text: 'What happened, and what to do next. With json or jsonl, an error is one JSON object, the last line of stderr: its code stays the same even if the wording changes, and sent is false if nothing left. If a request was refused because it was sent before, entry is the earlier request in the journal, id its record, and state whether that one is done, unknown, still sending, or only proposed.',
      },
      {
        title: 'Codes',
        text: 'docs/errors.md has the meaning of each code. Several share an exit code (`gw help exit-codes`).',
        commands: ['gw explain batch-incomplete'],
      },
    ],
  },
  environment: {
    summary: 'The environment variables that gw reads',
    parts: [
      {
        title: 'Which gateway',
        list: [
          ['GW_PROFILE', 'Profile to use if --profile is not given.'],
          [
            'GW_USERNAME, GW_API_TOKEN',
            'Credentials to use without a profile; set both, and the next two.',
          ],
          ['GW_BASE_URL', 'Base address of the gateway.'],
          ['GW_ENVIRONMENT', 'live or sandbox.'],
        ],
      },
      {
        title: 'What is kept',
        list: [
          ['GW_LEDGER_URL', 'Address of the ledger that a team shares.'],
          ['GW_OPERATOR', 'Your name in the journal.'],
          [
            'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
            'Where gw keeps its settings, its ledger, and files that it can make again.',
          ],
        ],
      },
      {
        title: 'What is shown',
        list: [
          ['NO_COLOR, FORCE_COLOR', 'No colour; or colour even in a pipe.'],
          ['GW_PLAIN', 'No boxes, bars or redrawing, for a screen reader.'],
          ['GW_PAGER', 'Pager for long output; empty for none.'],
          ['GW_PROMPT', 'off: gw never asks, as with --no-input.'],
        ],
      },
      {
        title: 'The network',
        list: [
          ['HTTPS_PROXY, NO_PROXY', 'A proxy, and the hosts to reach without it.'],
          ['NODE_EXTRA_CA_CERTS', 'PEM file with more certificates to trust.'],
          ['GW_LISTEN_PASSWORD', 'Password that deliveries to `gw listen` must have.'],
          ['GW_FORWARD_PASSWORD', 'Password for the application of --forward-to.'],
        ],
      },
    ],
  },
};

/** @returns the lines of a guide. @param name one of GUIDES */
export function guidePage(name: string, style: Style): string[] {
  const { summary, parts } = GUIDES[name] ?? { summary: name, parts: [] };
  return [
    ...paragraph(`${summary}.`, style.width),
    ...parts.flatMap((part) => partLines(part, style)),
  ];
}
