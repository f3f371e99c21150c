/** A command as it was typed, with the answers to questions as flags, or with a name corrected. Secrets are left out. */
import { commandText } from '../base/shell.ts';
import type { FlagValues } from '../cli/flags/flag.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../client/profiles/profile.ts';
import type { GivenAnswer } from './questions.ts';

export const SECRETS = ['card-number', 'cvv'];
/** Flags that stdin replaces where it has the card. */
const OTHER_CARDS = new Set(['card-file', 'test-card']);
/** Flags that are given in other ways than on the command line, or that the profile already says. */
const LEFT_OUT = new Set(['profile', 'no-input', 'plain', ...SECRETS]);

export interface SaidWords {
  /** Words after `gw`, arguments included. */
  words: readonly string[];
  /** Flags as they were typed. */
  typed: FlagValues;
  answered: readonly GivenAnswer[];
  /** The ids of the records that were meant by names, by these names. */
  meant: ReadonlyMap<string, string>;
  profile?: Pick<Profile, 'name'> | undefined;
}

/**
 * @returns for example `gw purchase create -p sandbox --amount 2500 --reference INV-1`; undefined if a word cannot be
 *   typed in a terminal
 */
export function sameCommand(said: SaidWords & { isOnStdin: boolean }): string | undefined {
  const { words, typed, answered, meant, profile, isOnStdin } = said;
  const isNamed = profile !== undefined && profile.name !== ENVIRONMENT_PROFILE;
  return commandText(
    words.map((word) => meant.get(word) ?? word),
    [
      ['profile', isNamed ? profile.name : undefined],
      ...Object.entries(typed)
        .filter(([name]) => !LEFT_OUT.has(name) && !(isOnStdin && OTHER_CARDS.has(name)))
        .map(([name, value]) => [name, idOf(value, meant)] as const),
      ['card-file', isOnStdin ? '-' : undefined],
      ...answered
        .filter(({ flag }) => flag !== 'card-file')
        .map(({ flag, value }) => [flag, idOf(value, meant)] as const),
    ],
  );
}

const idOf = (value: unknown, meant: ReadonlyMap<string, string>) =>
  typeof value === 'string' ? (meant.get(value) ?? value) : value;

/**
 * @param said words after `gw`, and flags, as they were typed
 * @param meant the text to replace, and what it should be
 * @returns the whole command with its correction, and an amount with decimals in the flag that takes it; undefined if it
 *   has no such text
 */
export function correctedCommand(
  { words = [], typed = {} }: Partial<Pick<SaidWords, 'words' | 'typed'>>,
  [text, id]: readonly [text: string, id: string],
): string | undefined {
  if (![...words, ...Object.values(typed)].includes(text)) return undefined;
  const meant = new Map([[text, id]]);
  const flags = Object.entries(typed).map(([name, value]): [string, unknown] => [
    name === 'amount' && /^\d+\.\d+$/.test(String(value)) ? 'decimal-amount' : name,
    value,
  ]);
  const { profile: name, ...rest } = Object.fromEntries(flags);
  const profile = typeof name === 'string' ? { name } : undefined;
  return sameCommand({
    words,
    typed: rest as FlagValues,
    answered: [],
    meant,
    profile,
    isOnStdin: false,
  });
}
