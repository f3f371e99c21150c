/** Flags derived from a row's request schema. */
import { Flags, type Interfaces } from '@oclif/core';
import { type Field, fieldsOf, isCardField } from '../contract/request-fields.ts';
import type { ObjectSchema } from '../contract/requests.ts';

export type FlagMap = Interfaces.FlagInput;

/** @returns one flag for each field of the schema, named as in the interface, in kebab-case */
export function flagsFor(schema: ObjectSchema): FlagMap {
  return Object.fromEntries(fieldsOf(schema).map((field) => [field.flag, flagFor(field)]));
}

function flagFor(field: Field): FlagMap[string] {
  const common = {
    description: field.description,
    helpGroup: isCardField(field) ? 'CARD' : 'FIELD',
  };
  switch (field.type) {
    case 'boolean':
      return Flags.boolean({ ...common, allowNo: true });
    case 'integer':
      return Flags.string({ ...common, helpValue: '<integer>' });
    default:
      return Flags.string({ ...common, helpValue: `<${field.path.at(-1)}>` });
  }
}
