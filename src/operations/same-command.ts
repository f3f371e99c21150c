/** The command that says in flags what was answered to questions; secrets are no part of it. */
import { shellWord } from '../base/shell-word.ts';
import type { Answered } from '../body/questions.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../profiles/profile.ts';

/** Given in other ways than on the command line, or already said by the profile. */
const LEFT_OUT = new Set(['profile', 'card-number', 'cvv', 'no-input', 'plain']);

interface Said {
  /** Words after `gw`, arguments included. */
  words: readonly string[];
  /** As they were parsed. */
  flags: Readonly<Record<string, unknown>>;
  answered: readonly Answered[];
  profile?: Pick<Profile, 'name'> | undefined;
}

/**
 * @returns for example `gw purchase create -p sandbox --amount 2500 --reference INV-1`; undefined where a word
 *   cannot be typed in a terminal
 */
export function sameCommand({ words, flags, answered, profile }: Said): string | undefined {
  const given = Object.entries(flags).filter(
    ([name, value]) => !LEFT_OUT.has(name) && value !== undefined,
  );
  const parts = [
    ...words,
    ...(profile && profile.name !== ENVIRONMENT_PROFILE ? ['-p', profile.name] : []),
    ...given.flatMap(([flag, value]) => flagWords(flag, value)),
    ...answered.flatMap(({ flag, value }) => flagWords(flag, value)),
  ];
  if (parts.some((part) => /\p{Cc}/u.test(part))) return undefined;
  return ['gw', ...parts.map(shellWord)].join(' ');
}

function flagWords(flag: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => flagWords(flag, one));
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
  const text = String(value);
  // To a parser, what begins with a dash would be a flag of its own.
  return text.startsWith('-') && text !== '-' ? [`--${flag}=${text}`] : [`--${flag}`, text];
}
