/** A name that one picks where it is known, and types else. */
import type { Choice, Prompts } from '../../host/host.ts';
import { checkTyped } from './check-typed.ts';

/**
 * @param label what is named, such as `Plan`
 * @param choices those that are known; none, or undefined, where it has to be typed
 * @param aside what the question says then, beside the label
 */
export async function pickOrType(
  questions: Pick<Prompts, 'choose' | 'text'>,
  label: string,
  choices: readonly Choice[] | undefined,
  aside = '',
): Promise<string> {
  if (!choices?.length) {
    const check = (value: string) => checkTyped(label, value);
    return (await questions.text(`${label}${aside}:`, { check })).trim();
  }
  const other = (text: string) => ({ value: text, name: `"${text}"`, hint: 'as you typed it' });
  return questions.choose(`${label}:`, choices, { other });
}
