/** The fields of a request schema as a flat list: what flags, prompts and skeletons are made of. */
import * as z from 'zod/mini';
import { type JsonObject, setAt } from '../base/json.ts';
import type { ObjectSchema } from './requests.ts';

export interface Field {
  /** Where the value goes in the body. */
  path: readonly string[];
  /** Name of the flag, without dashes in front. */
  flag: string;
  type: 'text' | 'integer' | 'boolean';
  required: boolean;
  description: string;
}

/** @returns the fields of a request schema in its order; nested ones by their own name */
export function fieldsOf(
  schema: ObjectSchema,
  parents: readonly string[] = [],
  required = true,
): Field[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = unwrap(field);
    const path = [...parents, name];
    const isRequired = required && inner === field;
    if (inner._zod.def.type === 'object') return fieldsOf(inner as ObjectSchema, path, isRequired);
    return {
      path,
      flag: name.replaceAll('_', '-'),
      type: typeOf(inner),
      required: isRequired,
      description: z.globalRegistry.get(inner)?.description ?? '',
    };
  });
}

/** Fields of a card, which come with rules of their own (body/card-input.ts). */
const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry', 'expiry_date', 'cvv'] as const;

export function isCardField(field: Field): boolean {
  return (CARD_FIELDS as readonly string[]).includes(field.path.at(-1) ?? '');
}

function unwrap(field: z.core.$ZodType): z.core.$ZodType {
  const def = field._zod.def as z.core.$ZodTypeDef & { innerType?: z.core.$ZodType };
  return def.type === 'optional' && def.innerType ? unwrap(def.innerType) : field;
}

function typeOf(field: z.core.$ZodType): Field['type'] {
  const { type } = field._zod.def;
  return type === 'number' ? 'integer' : type === 'boolean' ? 'boolean' : 'text';
}

/** @returns a body to fill in: required fields blank, optional ones null, which `--input` leaves out */
export function skeletonOf(schema: ObjectSchema): JsonObject {
  const body: JsonObject = {};
  for (const field of fieldsOf(schema)) {
    setAt(body, field.path, field.required ? BLANKS[field.type] : null);
  }
  return body;
}

/** Blanks that are refused until they are filled in. */
const BLANKS = { text: '', integer: 0, boolean: null } as const;
