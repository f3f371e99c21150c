/** A name that one picks where it is known, and types else; and what somebody may not type into a field. */
import { holdsBareCardNumber } from '../../client/exchange/stray-card-number.ts';
import type { Choice, Prompts } from '../../host/host.ts';

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

/**
 * @param name of the field, as it is asked for
 * @returns true, or what to say; a card number would be refused in the end, and everything asked for in vain
 */
export function checkTyped(name: string, value: string): true | string {
  if (value.trim() === '') return `${name} can't be blank`;
  return checkNoCard(value);
}

/** @returns as `checkTyped`, of what may be left blank */
export function checkNoCard(value: string): true | string {
  return (
    !holdsBareCardNumber(value) || 'This looks like a card number, which only the card may have'
  );
}
