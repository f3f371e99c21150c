/** Flags derived from a row's request schema. */

import { type Field, fieldsOf, isCardField } from '../contract/request-fields.ts';
import type { ObjectSchema } from '../contract/requests.ts';
import { type Flag, type FlagMap, option, toggle } from './flag.ts';

/** @returns one flag for each field of the schema, named as in the interface, in kebab-case */
export function flagsFor(schema: ObjectSchema): FlagMap {
  return Object.fromEntries(fieldsOf(schema).map((field) => [field.flag, flagFor(field)]));
}

function flagFor(field: Field): Flag {
  const common = {
    description: field.description,
    helpGroup: isCardField(field) ? 'CARD' : 'FIELD',
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
