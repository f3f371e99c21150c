/**
 * What a command line may go on with.
 *
 * This folder completes command lines for shells: what the cursor is at (command-line.ts), what may
 * stand there (here), what is known of it on this machine (known-here.ts), and the shells' scripts.
 */
import { currencyExponents } from '../contract/currency.ts';
import { FREQUENCIES } from '../contract/subscription.ts';
import { TEST_CARDS } from '../contract/test-cards.ts';
import { EVENT_NAMES } from '../contract/webhook-events.ts';
import { flagGroups } from '../help/flag-groups.ts';
import { GUIDES } from '../help/guides.ts';
import type { CommandHelp, HelpFlag, HelpSource } from '../help/help-data.ts';
import { type Place, placeOf } from './command-line.ts';
import type { Candidate, Known, NameKind } from './known.ts';

/** What there is to choose from; or files, which the shell knows best. */
export type Completion = { kind: 'values'; candidates: Candidate[] } | { kind: 'files' };

/** A command that has the flags that nearly all have. */
const USUAL = 'get';
const MAX_CANDIDATES = 200;
const FILES: Completion = { kind: 'files' };

/**
 * @param words what was typed after `gw`, up to the word at the cursor
 * @param current the word at the cursor
 */
export async function complete(
  words: readonly string[],
  current: string,
  { source, known }: { source: HelpSource; known: Known },
): Promise<Completion> {
  const place = placeOf(words, current, source);
  const before = place.kind === 'value' ? place.before : '';
  const prefix = current.slice(before.length);
  const found = await candidatesAt(place, prefix, { source, known });
  if (found.kind === 'files') return found;
  const fitting = found.candidates
    .filter(({ value }) => value.startsWith(prefix))
    .map(({ value, meaning }) => ({ value: before + value, meaning }));
  return { kind: 'values', candidates: fitting.slice(0, MAX_CANDIDATES) };
}

async function candidatesAt(
  place: Place,
  prefix: string,
  { source, known }: { source: HelpSource; known: Known },
): Promise<Completion> {
  switch (place.kind) {
    case 'command':
      return values(prefix.startsWith('-') ? rootFlags(place.path) : nextWords(place, source));
    case 'flag':
      return values(flagsOf(place.command, place.given));
    case 'value':
      return valuesOf(place, prefix, known);
    case 'argument':
      return argumentsOf(place, prefix, known);
    case 'early': {
      const command = source.command(USUAL);
      const flag = command.flags[place.flag];
      return flag
        ? valuesOf({ kind: 'value', command, flag, before: '' }, prefix, known)
        : values([]);
    }
    case 'nothing':
      return values([]);
  }
}

const values = (candidates: Candidate[]): Completion => ({ kind: 'values', candidates });
const plain = (value: string): Candidate => ({ value, meaning: '' });

function rootFlags(path: readonly string[]): Candidate[] {
  const help = { value: '--help', meaning: 'Show help' };
  return path.length > 0 ? [help] : [help, { value: '--version', meaning: 'Show the version' }];
}

function nextWords(
  { path, isHelp }: { path: readonly string[]; isHelp: boolean },
  { index }: HelpSource,
): Candidate[] {
  const start = path.length === 0 ? '' : `${path.join(':')}:`;
  const found = new Map<string, string>();
  for (const [id, summary] of Object.entries(index.commands)) {
    if (!id.startsWith(start)) continue;
    const [word = '', ...rest] = id.slice(start.length).split(':');
    found.set(word, rest.length === 0 ? summary : (index.topics[start + word] ?? ''));
  }
  const words = [...found].map(([value, meaning]) => ({ value, meaning }));
  if (path.length > 0) return words;
  return [...words, ...(isHelp ? GUIDE_NAMES : BUILT_IN)];
}

const GUIDE_NAMES = Object.entries(GUIDES).map(([value, { summary }]) => ({
  value,
  meaning: summary,
}));

const BUILT_IN: readonly Candidate[] = [
  { value: 'help', meaning: 'Show help on a command or topic' },
  { value: 'version', meaning: 'Show the version' },
];

/** Those that were not given yet and can be, in the order of the help: the rare ones last. */
function flagsOf(command: CommandHelp, given: ReadonlySet<string>): Candidate[] {
  const excluded = new Set([...given].flatMap((name) => exclusiveOf(command.flags[name])));
  const left = flagGroups(command)
    .flatMap(({ flags }) => flags)
    .filter(({ name }) => !given.has(name) && !excluded.has(name));
  return [
    ...left.flatMap(({ name, description, allowNo }) => [
      { value: `--${name}`, meaning: description },
      ...(allowNo ? [{ value: `--no-${name}`, meaning: description }] : []),
    ]),
    { value: '--help', meaning: 'Show help' },
  ];
}

function exclusiveOf(flag: (HelpFlag & { exclusive?: readonly string[] }) | undefined) {
  return flag?.exclusive ?? [];
}

const EVENTS = () => [...EVENT_NAMES, 'charge:*', 'card:*'].map(plain);

/** Values by the name of the flag; those with choices of their own have them in their definition. */
const FLAG_VALUES: Readonly<Record<string, (known: Known) => Candidate[] | Promise<Candidate[]>>> =
  {
    profile: (known) => known.profiles(),
    confirm: (known) => known.profiles(),
    'test-card': () =>
      Object.entries(TEST_CARDS).map(([value, { behaviour }]) => ({ value, meaning: behaviour })),
    event: EVENTS,
    events: EVENTS,
    frequency: () => FREQUENCIES.map(plain),
    currency: () => [...currencyExponents()].map(([code]) => plain(code)),
    'time-zone': () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map(plain),
  };

/** Names of records by the flag that takes one. */
const FLAG_NAMES: Readonly<Record<string, NameKind>> = {
  'transaction-id': 'purchase',
  'card-token': 'card',
  customer: 'customer',
  plan: 'plan',
};

async function valuesOf(
  { flag, profile }: Extract<Place, { kind: 'value' }>,
  prefix: string,
  known: Known,
): Promise<Completion> {
  const { name, options, helpValue = '' } = flag;
  if (options) return values(options.map(plain));
  const own = FLAG_VALUES[name];
  if (own) return values(await own(known));
  const kind = FLAG_NAMES[name];
  if (kind) return values(await known.names(kind, prefix, profile));
  return /\b(?:file|dir|directory)\b/i.test(helpValue) ? FILES : values([]);
}

const RECORDS = new Set(['purchase', 'refund', 'plan', 'customer', 'subscription']);

/** Names by the command whose argument it is; those of a record are named by their topic. */
const ARGUMENT_NAMES: Readonly<Record<string, NameKind>> = {
  get: 'any',
  history: 'any',
  find: 'any',
  forget: 'customer',
  'refund:create': 'purchase',
  'journal:show': 'request',
  'journal:resolve': 'request',
  'events:get': 'event',
  'events:resend': 'event',
};

async function argumentsOf(
  { command: { id }, name, profile }: Extract<Place, { kind: 'argument' }>,
  prefix: string,
  known: Known,
): Promise<Completion> {
  const [topic = ''] = id.split(':');
  if (['file', 'out'].includes(name)) return FILES;
  if (topic === 'profile' || name === 'profile') return values(await known.profiles());
  if (name === 'event') return values(EVENT_NAMES.map(plain));
  if (name === 'shell') return values(['bash', 'zsh', 'fish', 'powershell'].map(plain));
  if (name === 'method') return values(['GET', 'POST', 'PUT', 'DELETE'].map(plain));
  if (name === 'period') return values(['day', 'week', 'month'].map(plain));
  const kind = ARGUMENT_NAMES[id] ?? (RECORDS.has(topic) ? (topic as NameKind) : undefined);
  return values(kind ? await known.names(kind, prefix, profile) : []);
}
