/** What a text that somebody types into a field of a body may not be. */
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';

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
  return !holdsCardNumber(value) || 'This looks like a card number, which only the card may have';
}
