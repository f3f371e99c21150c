/** Flags derived from a row's body. */

import { type Field, fieldsOf, type RequestBody } from '../../contract/request.ts';
import { type Flag, type FlagMap, option, toggle } from './flag.ts';

/** @returns one flag for each field of the body, named as in the interface, in kebab-case */
export function flagsFor(body: RequestBody): FlagMap {
  return Object.fromEntries(fieldsOf(body).map((field) => [field.flag, flagFor(field)]));
}

function flagFor(field: Field): Flag {
  const common = {
    description: field.description,
    helpGroup: field.isCard ? 'CARD' : 'FIELD',
  };
  switch (field.type) {
    case 'boolean':
      return toggle({ ...common, allowNo: true });
    case 'integer':
      return option({ ...common, helpValue: '<integer>' });
    default:
      return option({ ...common, helpValue: `<${field.path.at(-1)}>` });
  }
}
