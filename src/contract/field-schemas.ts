/** The schemas that check requests and records, made of their fields. */
import * as z from 'zod/mini';
import { isCardNumber } from './card-number.ts';
import { currencyExponent } from './currency.ts';
import { parseExpiry } from './expiry.ts';
import type { FieldType, RecordFields } from './record.ts';
import type { RequestBody, RequestField, RequestFields, RequestType } from './request.ts';

/** A text that `isRight`, or else has the `problem`, as the rest of a sentence. */
const textThat = (isRight: (value: string) => boolean, problem: string) =>
  z.string().check(z.refine(isRight, problem));

/** Not empty and not only white space (section 7: "<Field> can't be blank"). */
export const filled = () => textThat((value) => value.trim() !== '', "can't be blank");

export const currency = () =>
  textThat((code) => currencyExponent(code) !== undefined, 'is not an ISO 4217 currency code');

const SCHEMAS = {
  text: filled,
  'positive integer': () => z.int().check(z.positive()),
  flag: () => z.boolean(),
  date: () => z.iso.date(),
  currency,
  'IP address': () => z.union([z.ipv4(), z.ipv6()], { error: 'is not an IP address' }),
  'card number': () => textThat(isCardNumber, 'is not a valid card number'),
  'card holder': filled,
  'card expiry': () =>
    textThat(
      (value) => /^\d{2}\/\d{4}$/.test(value) && parseExpiry(value) !== undefined,
      'is not MM/YYYY',
    ),
  cvv: () => textThat((value) => /^\d{3,4}$/.test(value), 'is not three or four digits'),
} satisfies Record<RequestType, () => z.ZodMiniType>;

/** The schema of a body, with each field's type as the body's fields give it. */
export type BodySchema<Body extends RequestBody = RequestBody> = z.ZodMiniObject<
  Shape<Body['fields'], Body extends { isPartial: true } ? true : false>,
  z.core.$loose
>;

type Shape<Fields extends RequestFields, IsPartial> = {
  -readonly [Name in keyof Fields]: IsPartial extends true
    ? z.ZodMiniOptional<Inner<Fields[Name]>>
    : Fields[Name] extends { isOptional: true }
      ? z.ZodMiniOptional<Inner<Fields[Name]>>
      : Inner<Fields[Name]>;
};

type Inner<Field> = Field extends { type: infer Type extends RequestType }
  ? ReturnType<(typeof SCHEMAS)[Type]>
  : Field extends { fields: infer Fields extends RequestFields }
    ? z.ZodMiniObject<Shape<Fields, false>, z.core.$loose>
    : never;

const made = new WeakMap<RequestBody, z.ZodMiniObject>();

/** @returns the schema of a body: it takes fields that the body does not name, and is made once */
export function bodySchema<Body extends RequestBody>(body: Body): BodySchema<Body> {
  const schema = made.get(body) ?? objectSchema(body);
  made.set(body, schema);
  return schema as BodySchema<Body>;
}

function objectSchema({ fields, isPartial }: RequestBody): z.ZodMiniObject {
  const entries = Object.entries(fields).map(([name, field]): [string, z.ZodMiniType] => {
    const inner = 'fields' in field ? objectSchema(field) : fieldSchema(field);
    return [name, isPartial || field.isOptional ? z.optional(inner) : inner];
  });
  const choices = Object.entries(fields).flatMap(([name, field]) =>
    'standsFor' in field && field.standsFor ? eitherOf(name, field.standsFor) : [],
  );
  const schema = z.looseObject(Object.fromEntries(entries));
  return choices.length === 0 ? schema : schema.check(...choices);
}

/** @returns the schema of one field, with its meaning as the description */
export function fieldSchema<Type extends RequestType>({
  type,
  meaning,
}: RequestField & { type: Type }): ReturnType<(typeof SCHEMAS)[Type]> {
  const schema = SCHEMAS[type]() as ReturnType<(typeof SCHEMAS)[Type]>;
  // Not `check(describe(…))`, which would make each schema twice.
  z.globalRegistry.add(schema, { description: meaning });
  return schema;
}

/** A body has the field `one` and none of the `others`, or all of the others. */
function eitherOf(one: string, others: readonly string[]) {
  return z.superRefine<Record<string, unknown>>((body, context) => {
    const isGiven = (field: string) => body[field] !== undefined;
    const fault = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (!isGiven(one)) {
      for (const field of others) if (!isGiven(field)) fault(field, "can't be blank");
    } else if (others.some(isGiven)) fault(one, 'is given together with card details');
  });
}

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
