/** How a user gave the fields of a body, for messages about them. */
import { quotedText } from '../../base/shell.ts';
import { counted } from '../../base/text.ts';
import type { SaidField } from '../../contract/check.ts';
import { type Field, fieldsOf, type RequestBody } from '../../contract/request.ts';
import type { FlagValues } from '../flags/flag.ts';

/**
 * @param typed flags as they were typed
 * @returns for example `--currency "EURO"` for the field currency; undefined for a field that no flag gave
 */
export function saidByFlags(request: RequestBody, typed: FlagValues): SaidField {
  const fields = new Map(fieldsOf(request).map((field) => [field.path.join('.'), field]));
  return (name) => {
    const field = fields.get(name);
    const value = field && typed[field.flag];
    return field && typeof value === 'string' ? said(field, value) : undefined;
  };
}

/** A number that is no card's may still be most of one. A CVV is never shown, and a token stands for a card. */
function said({ flag }: Field, value: string): string {
  if (flag === 'cvv' || flag === 'card-token') return `--${flag}`;
  if (flag !== 'card-number') return `--${flag} ${quotedText(value)}`;
  const { length } = value.replaceAll(/\D/g, '');
  return `--${flag} (${counted(length, 'digit', 'digits')})`;
}
