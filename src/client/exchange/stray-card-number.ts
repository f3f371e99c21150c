/** A card number anywhere but in its own field would be stored, shown and quoted as what it is not. */
import { isObject, type Json } from '../../base/json.ts';
import { holdsCardNumber, maskCardNumbers } from '../../contract/cards/find-card-numbers.ts';
import type { Operation } from '../../contract/operation.ts';
import { usage } from '../../failure.ts';
import { kindOfName } from '../../host/redaction/names.ts';
import { type CallInput, pairsOf } from './wire-request.ts';

/** @returns the fields of a body, dotted and masked, that have a card number, but for a card's own number */
export function strayCardNumbers(value: Json, path: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => strayCardNumbers(item, path));
  if (!isObject(value)) {
    const isText = typeof value === 'string' || typeof value === 'number';
    return isText && holdsCardNumber(String(value)) ? [maskCardNumbers(path.join('.'))] : [];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name];
    if (holdsCardNumber(name)) return [maskCardNumbers(here.join('.'))];
    return kindOfName(name) === 'card number' ? [] : strayCardNumbers(inner, here);
  });
}

/** @throws Failure usage where a request has a card number in a wrong field, or in its address */
export function refuseStrayCardNumbers(
  { path }: Operation,
  { id = '', query = {}, body = {} }: CallInput,
): void {
  const inAddress = [id, path, ...pairsOf(query).flat()].some(holdsCardNumber);
  const [field] = strayCardNumbers(body);
  if (field === undefined && !inAddress) return;
  throw usage(
    'card-number-misplaced',
    field === undefined
      ? 'The id or address you gave looks like a card number: issuer, length and check digit all fit.'
      : `${field} looks like a card number: issuer, length and check digit all fit.`,
    'Nothing was sent. Give a card number only in card_number. If this is a number of your own, add a letter to it.',
  );
}
