/** Guides: what concerns many commands, each on a page of its own: `gw help money`. */
import { EXIT_CODES, EXIT_DEFECT, type FailureKind } from '../failure.ts';
import { commandLines, type Entry, entries, paragraph, type Style, section } from './layout.ts';

/** A part of a guide: sentences, command lines, or terms with what they mean. */
interface Part {
  title: string;
  text?: string;
  commands?: readonly string[];
  list?: readonly Entry[];
}

interface Guide {
  summary: string;
  parts: readonly Part[];
}

/** What each exit code means, in a sentence without a full stop. */
export const EXIT_MEANINGS: Readonly<Record<FailureKind, string>> = {
  usage: 'Bad usage or input; nothing was sent',
  auth: 'No credentials, wrong credentials, or no permission (401, 403)',
  notFound: 'Not found (404)',
  declined: 'The card was declined (HTTP 200, and not authorised)',
  rejected: 'The gateway rejected the request (any other well-formed failure)',
  notReached: 'The gateway was not reached; nothing was processed',
  unknown: 'Outcome unknown: a money request was sent and no trustworthy answer came back',
  incomplete:
    'A batch finished, and some of its lines did not succeed; books and the gateway differ (`gw reconcile`); or the output could not be written',
  guard: 'Refused by a guard (live profile not confirmed, limit of the profile, duplicate)',
  interrupted: 'Interrupted',
  unread: 'The program reading the output stopped (`| head`)',
};

const CODES = Object.entries(EXIT_MEANINGS).map(
  ([kind, meaning]): Entry => [String(EXIT_CODES[kind as FailureKind]), `${meaning}.`],
);

export const GUIDES: Readonly<Record<string, Guide>> = {
  money: {
    summary: 'How amounts are given, and how gw keeps money from moving twice',
    parts: [
      {
        title: 'Amounts',
        text: 'The gateway counts in minor units, and so does --amount: 2500 is 25.00 AUD. --decimal-amount takes the decimal and reads it with the currency, which is --currency or that of the profile. A refund names its amount or says --full; leaving the amount out never means all.',
        commands: [
          'gw purchase create --profile local --test-card approved --amount 2500',
          'gw purchase create --profile local --test-card approved --decimal-amount 25.00 --currency AUD',
        ],
      },
      {
        title: 'Never twice',
        text: 'Every money request is in the journal before it is sent. gw never repeats one by itself, and refuses the same operation, target, amount and reference as one that succeeded, or may have (exit 10). When no trustworthy answer comes back the outcome is unknown (exit 8): look before you send it again.',
        commands: ['gw journal list --unresolved', 'gw purchase list INV-1001'],
      },
      {
        title: 'Live profiles',
        text: 'On a live profile, whatever moves money shows what it is about to do and asks for the name of the profile; a script gives --confirm NAME. A profile may have limits: --read-only, --max-amount, --allowed-commands. --dry-run asks every guard and sends nothing.',
        commands: ['gw profile set live --max-amount 50000'],
      },
    ],
  },
  formats: {
    summary: 'What gw prints, and for whom',
    parts: [
      {
        title: 'Choosing a format',
        text: 'Without -o, a table on a terminal and tab-separated text in a pipe. stdout has records and nothing else; all that is said about them goes to stderr. Amounts are minor units in every format for programs.',
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
          ['jsonl', 'One record per line, as soon as there is one.'],
          ['csv', 'With a header; --no-formulas for a spreadsheet.'],
          ['tsv', 'What a pipe gets without -o; --header for the names of the columns.'],
          ['yaml', 'As json, for people and programs.'],
          ['id', 'The ids alone, for another command.'],
        ],
      },
      {
        title: 'Errors',
        text: 'With json or jsonl an error is one JSON object on stderr, with a code that stays the same when its message gets better words.',
      },
    ],
  },
  'exit-codes': {
    summary: 'What gw ends with, and what it means',
    parts: [
      {
        title: 'Codes',
        list: [['0', 'Done.'], [String(EXIT_DEFECT), 'A defect in gw.'], ...CODES],
      },
      {
        title: 'In a script',
        text: 'Look 8 up rather than repeat it: the money may have moved.',
        commands: [
          'gw refund create --transaction-id "$ID" --amount 1000 --reference RET-1 || code=$?',
        ],
      },
    ],
  },
  environment: {
    summary: 'The environment variables that gw reads',
    parts: [
      {
        title: 'Which gateway',
        list: [
          ['GW_PROFILE', 'Profile to use where --profile is not given.'],
          ['GW_USERNAME, GW_API_TOKEN', 'Credentials, without a profile; both, with the next two.'],
          ['GW_BASE_URL', 'Base address of the gateway.'],
          ['GW_ENVIRONMENT', 'live or sandbox.'],
        ],
      },
      {
        title: 'What is kept',
        list: [
          ['GW_LEDGER_URL', 'Address of the ledger that a team shares.'],
          ['GW_OPERATOR', 'Who is sending, as the journal names you.'],
          [
            'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
            'Where settings, the ledger, and what can be made anew are.',
          ],
        ],
      },
      {
        title: 'What is shown',
        list: [
          ['NO_COLOR, FORCE_COLOR', 'No colour; colour even in a pipe.'],
          ['GW_PLAIN', 'No boxes, bars or redrawing, for a screen reader.'],
          ['GW_PAGER', 'The pager for long output; empty for none.'],
          [
            'GW_UPDATES',
            'Address that answers {"version": "1.2.3"}; a newer gw is then mentioned once a day.',
          ],
          ['GW_NO_UPDATE_CHECK', 'Set, nobody is asked for a newer gw.'],
        ],
      },
      {
        title: 'The network',
        list: [
          ['HTTPS_PROXY, NO_PROXY', 'A proxy, and what is reached without it.'],
          ['NODE_EXTRA_CA_CERTS', 'More certificates to trust, in a PEM file.'],
          ['GW_LISTEN_PASSWORD', 'The password that `gw listen` asks deliveries for.'],
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
    ...parts.flatMap(({ title, text = '', commands = [], list = [] }) =>
      section(
        title,
        [
          ...paragraph(text, style.width, 2),
          ...(text && commands.length > 0 ? [''] : []),
          ...commandLines(commands, style),
          ...entries(list, style),
        ],
        style,
      ),
    ),
  ];
}
