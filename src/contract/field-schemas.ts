/** The building blocks of request and response schemas that several resources share. */
import * as z from 'zod/mini';
import { currencyExponent } from './currency.ts';
import { lazily } from './lazily.ts';
import type { FieldType, RecordFields } from './record.ts';

/** A request text that may not be empty or only white space (section 7: "<Field> can't be blank"). */
export const text = (meaning: string) =>
  z.string().check(
    z.refine((value) => value.trim() !== '', "can't be blank"),
    z.describe(meaning),
  );

/** A request date, `YYYY-MM-DD`, that exists in the calendar. */
export const date = (meaning: string) => z.iso.date().check(z.describe(meaning));

/** A request flag. */
export const flag = (meaning: string) => z.boolean().check(z.describe(meaning));

/** An amount in the minor currency unit (section 2.1): a positive integer. */
export const amount = lazily(() => z.int().check(z.positive()));

/** An ISO 4217 currency code. */
export const currency = lazily(() =>
  z
    .string()
    .check(
      z.refine((code) => currencyExponent(code) !== undefined, 'is not an ISO 4217 currency code'),
    ),
);

/** @returns the schema of a response record, from its fields */
export function recordSchema(fields: RecordFields): z.ZodMiniObject {
  const entries = Object.entries(fields).map(([name, type]) => [name, z.nullish(schemaOf(type))]);
  return z.looseObject(Object.fromEntries(entries));
}

function schemaOf(type: FieldType): z.ZodMiniType {
  switch (type) {
    case 'text':
      return z.string();
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    case 'flag':
      return z.boolean();
    case 'text or integer':
      return z.union([z.string(), z.int()]);
    default:
      return recordSchema(type);
  }
}
