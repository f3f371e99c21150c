/** Builds the schemas that check requests and records from their fields. */
import * as z from 'zod/mini';
import { isCardNumber } from './cards/card-number.ts';
import { faultOfCurrency } from './currency.ts';
import { parseExpiry } from './expiry.ts';
import { MAX_AMOUNT } from './money.ts';
import type { FieldType, RecordFields } from './record.ts';
import type { RequestBody, RequestField, RequestFields, RequestType } from './request.ts';

/** A text that must pass `isRight`; `problem` is the error, as the rest of a sentence. */
const textThat = (isRight: (value: string) => boolean, problem: string) =>
  z.string().check(z.refine(isRight, problem));

/** Not empty and not only white space (section 7: "<Field> can't be blank"). */
export const filled = () => textThat((value) => value.trim() !== '', "can't be blank");

/** The currency of a new charge. */
export const currency = () =>
  z.string().check(
    z.superRefine((code, { addIssue }) => {
      const message = faultOfCurrency(code);
      if (message !== undefined) addIssue({ code: 'custom', message, input: code });
    }),
  );

/**
 * Reports one fault of an amount. zod's own checks would end all checking, so faults of fields that depend on each
 * other would go unreported.
 */
function sayOutOfBounds(value: number, { addIssue }: z.core.$RefinementCtx<number>): void {
  if (value <= 0)
    addIssue({ code: 'too_small', origin: 'number', minimum: 0, inclusive: false, input: value });
  else if (value > MAX_AMOUNT)
    addIssue({ code: 'too_big', origin: 'number', maximum: MAX_AMOUNT, input: value });
  else if (!Number.isInteger(value))
    addIssue({ code: 'invalid_type', expected: 'int', input: value });
}

/** Parts of JSON Schema that zod cannot derive from the checks above. */
const IN_JSON_SCHEMA: { readonly [Type in RequestType]?: object } = {
  'positive integer': { type: 'integer', exclusiveMinimum: 0, maximum: MAX_AMOUNT },
};

const SCHEMAS = {
  text: filled,
  'positive integer': () => z.number().check(z.superRefine(sayOutOfBounds)),
  flag: () => z.boolean(),
  date: () => z.iso.date(),
  currency,
  'IP address': () => z.union([z.ipv4(), z.ipv6()], { error: 'is not an IP address' }),
  'card number': () => textThat(isCardNumber, 'is not a valid card number'),
  'card holder': filled,
  'card expiry': () =>
    textThat(
      (value) => /^\d{2}\/\d{4}$/.test(value) && parseExpiry(value) !== undefined,
      'must be MM/YYYY',
    ),
  cvv: () => textThat((value) => /^\d{3,4}$/.test(value), 'must be three or four digits'),
} satisfies Record<RequestType, () => z.ZodMiniType>;

/** The schema of a body; each field has the type that the body's fields give it. */
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

/** @returns the schema of a body, created once; it allows unknown fields */
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
  const rules = Object.entries(fields).flatMap(([name, field]) =>
    'type' in field
      ? [...eitherOf(name, field.standsFor ?? []), ...neededBeside(name, field.needs ?? [])]
      : [],
  );
  const schema = z.looseObject(Object.fromEntries(entries));
  const checked = rules.length === 0 ? schema : schema.check(...rules);
  const needs = Object.entries(fields).flatMap(([name, field]) =>
    'type' in field && field.needs ? [[name, field.needs]] : [],
  );
  if (needs.length > 0)
    z.globalRegistry.add(checked, { dependentRequired: Object.fromEntries(needs) });
  return checked;
}

/** @returns the schema of one field, with its meaning as the description */
export function fieldSchema<Type extends RequestType>({
  type,
  meaning,
}: RequestField & { type: Type }): ReturnType<(typeof SCHEMAS)[Type]> {
  const schema = SCHEMAS[type]() as ReturnType<(typeof SCHEMAS)[Type]>;
  // `check(describe(…))` would create each schema twice.
  z.globalRegistry.add(schema, { ...IN_JSON_SCHEMA[type], description: meaning });
  return schema;
}

/** A body must have the field `one` and none of the `others`, or all of the others. */
function eitherOf(one: string, others: readonly string[]) {
  if (others.length === 0) return [];
  return [
    ...others.map((field) =>
      bodyThat((body) => isGiven(body, one) || isGiven(body, field), field, "can't be blank"),
    ),
    z.refine<Body>(
      (body) => !(isGiven(body, one) && others.some((field) => isGiven(body, field))),
      {
        ...sayAt(one, 'cannot be combined with card details: send one or the other'),
        params: RULE,
      },
    ),
  ];
}

/** A body with the field `one` must have all of the `others`. */
function neededBeside(one: string, others: readonly string[]) {
  return others.map((field) =>
    bodyThat(
      (body) => !isGiven(body, one) || isGiven(body, field),
      field,
      `is required with ${one}`,
    ),
  );
}

/** Also undefined or null, where a body should have an object. */
type Body = Record<string, unknown> | null | undefined;

const isGiven = (body: Body, field: string) => body?.[field] !== undefined;

/** A rule about several fields, checked even if one of them is wrong. */
function bodyThat(isRight: (body: Body) => boolean, field: string, problem: string) {
  return z.refine<Body>(isRight, sayAt(field, problem));
}

const sayAt = (field: string, error: string) => ({ path: [field], error, when: () => true });

/** Marks a fault of fields together, whose message says more than that one of them is wrong. */
const RULE = { isRule: true };

/** @returns the schema of a response record */
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
