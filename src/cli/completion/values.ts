/**
 * The values of flags and arguments. What they come from is loaded for the one that is asked for: a Tab
 * is answered while somebody waits.
 */
import type { CommandHelp, HelpFlag } from '../help/help-data.ts';
import type { Completion, CompletionSources, NameKind, Suggestion } from './sources.ts';

/** A flag whose value is asked for. */
interface AskedFlag {
  command: CommandHelp;
  flag: HelpFlag;
  /** As `Known.names` takes it. */
  profile?: string | null | undefined;
}

const FILES: Completion = { kind: 'files' };
export const values = (candidates: Suggestion[]): Completion => ({ kind: 'values', candidates });
const plain = (value: string): Suggestion => ({ value, meaning: '' });

/** @returns whether a flag takes several values in one, separated by commas */
export function isListFlag({ name, helpValue }: HelpFlag): boolean {
  return name === 'fields' || name === 'allowed-commands' || helpValue === '<events>';
}

async function eventNames(): Promise<Suggestion[]> {
  const { EVENT_NAMES } = await import('../../contract/webhooks/names.ts');
  return EVENT_NAMES.map(plain);
}

const eventPatterns = async () => [...(await eventNames()), plain('charge:*'), plain('card:*')];

/** Values by the name of the flag; those with choices of their own have them in their definition. */
const FLAG_VALUES: Readonly<
  Record<
    string,
    (known: CompletionSources, asked: AskedFlag) => Suggestion[] | Promise<Suggestion[]>
  >
> = {
  profile: (known) => known.profiles(),
  confirm: (known) => known.profiles(),
  async 'test-card'() {
    const { TEST_CARDS } = await import('../../contract/cards/test-cards.ts');
    const cards = Object.entries(TEST_CARDS);
    return cards.map(([value, { behaviour }]) => ({ value, meaning: behaviour }));
  },
  async fields(_, { command }) {
    const { fieldsOf } = await import('./fields.ts');
    return fieldsOf(command.id).map(plain);
  },
  async 'allowed-commands'() {
    const { OPERATIONS } = await import('../../contract/operations.ts');
    const named = OPERATIONS.map(({ name, summary }) => ({ value: name, meaning: summary }));
    return [...named, { value: 'none', meaning: 'no limit' }];
  },
  event: eventPatterns,
  events: eventPatterns,
  async frequency() {
    const { FREQUENCIES } = await import('../../contract/resources/subscription.ts');
    return FREQUENCIES.map(plain);
  },
  async currency() {
    const { currencyExponents } = await import('../../contract/currency.ts');
    return [...currencyExponents()].map(([code]) => plain(code));
  },
  'time-zone': () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map(plain),
  batch: (known, { profile }) => known.batches(profile),
  hook: (known) => known.hooks(),
};

/** Names of records by the flag that takes one. */
const FLAG_NAMES: Readonly<Record<string, NameKind>> = {
  'transaction-id': 'purchase',
  'card-token': 'card',
  customer: 'customer',
  plan: 'plan',
};

/** @param prefix what the value begins with */
export async function flagValues(
  asked: AskedFlag,
  prefix: string,
  known: CompletionSources,
): Promise<Completion> {
  const { name, options, helpValue = '' } = asked.flag;
  if (options) return values(options.map(plain));
  // `gw listen --until` is an event; `--until` elsewhere is a time.
  if (helpValue === '<pattern>') return values(await eventPatterns());
  const own = FLAG_VALUES[name];
  if (own) return values(await own(known, asked));
  const kind = FLAG_NAMES[name];
  if (kind) return values(await known.names(kind, prefix, asked.profile));
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

/** Values by the name of the argument, where one of that name always takes the same. */
const ARGUMENT_VALUES: Readonly<Record<string, readonly string[]>> = {
  shell: ['bash', 'zsh', 'fish', 'powershell'],
  method: ['GET', 'POST', 'PUT', 'DELETE'],
  period: ['day', 'week', 'month'],
};

/** @param prefix what the argument begins with */
export async function argumentValues(
  { command: { id }, name, profile }: Omit<AskedFlag, 'flag'> & { name: string },
  prefix: string,
  known: CompletionSources,
): Promise<Completion> {
  const [topic = ''] = id.split(':');
  if (['file', 'out'].includes(name)) return FILES;
  if (topic === 'profile' || name === 'profile') return values(await known.profiles());
  if (name === 'event') return values(await eventNames());
  if (id === 'batch:show') return values(await known.batches(profile));
  if (id === 'emulator:hooks:remove') return values(await known.hooks());
  const own = ARGUMENT_VALUES[name];
  if (own) return values(own.map(plain));
  const kind = ARGUMENT_NAMES[id] ?? (RECORDS.has(topic) ? (topic as NameKind) : undefined);
  return values(kind ? await known.names(kind, prefix, profile) : []);
}
