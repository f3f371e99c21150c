/** The command that says in flags what was answered to questions; secrets are no part of it. */
import { commandText } from '../base/command-text.ts';
import type { Answered, Questions } from '../cli/body/questions.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../client/profiles/profile.ts';
import type { Output } from '../host/host.ts';

/** Given in other ways than on the command line, or already said by the profile. */
const LEFT_OUT = new Set(['profile', 'card-number', 'cvv', 'no-input', 'plain']);

interface SaidWords {
  /** Words after `gw`, arguments included. */
  words: readonly string[];
  /** As they were parsed. */
  flags: Readonly<Record<string, unknown>>;
  answered: readonly Answered[];
  profile?: Pick<Profile, 'name'> | undefined;
}

/**
 * Where something was asked, says the command that would have needed no questions, if there is one.
 * @param beside what else it takes
 */
export async function tellSameCommand(
  stderr: Pick<Output, 'write'>,
  { wereAsked, answered, args }: Questions,
  { words, ...said }: Omit<SaidWords, 'answered'>,
  beside = '',
): Promise<void> {
  if (!wereAsked) return;
  const command = sameCommand({ ...said, words: [...words, ...args], answered });
  if (command !== undefined)
    await stderr.write(`The same without questions${beside}:\n  ${command}\n`);
}

/**
 * @returns for example `gw purchase create -p sandbox --amount 2500 --reference INV-1`; undefined where a word
 *   cannot be typed in a terminal
 */
function sameCommand({ words, flags, answered, profile }: SaidWords): string | undefined {
  const isNamed = profile !== undefined && profile.name !== ENVIRONMENT_PROFILE;
  return commandText(words, [
    ['profile', isNamed ? profile.name : undefined],
    ...Object.entries(flags).filter(([name]) => !LEFT_OUT.has(name)),
    ...answered.map(({ flag, value }) => [flag, value] as const),
  ]);
}
