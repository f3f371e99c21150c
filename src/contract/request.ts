/**
 * What a request takes, as plain data: flags, prompts and skeletons are made of it, and a look-up
 * loads nothing that checks bodies. The schemas that check them are made of the same data, where a
 * body is at hand (field-schemas.ts).
 */
import { type JsonObject, setAt, valueAt } from '../base/json.ts';

/** Of these `text`, `card holder`, `card number`, `card expiry` (`MM/YYYY`) and `date` (`YYYY-MM-DD`) are never blank. */
export type RequestType =
  | 'text'
  | 'positive integer'
  | 'flag'
  | 'date'
  | 'currency'
  | 'IP address'
  | CardType;

type CardType = 'card number' | 'card holder' | 'card expiry' | 'cvv';

export interface RequestField {
  type: RequestType;
  /** A sentence: the flag's description, and the field's in the OpenAPI document. */
  meaning: string;
  isOptional?: true;
  /** Optional fields of the same object, each of which is needed when this one is left out, and refused beside it. */
  standsFor?: readonly string[];
  /** Optional fields of the same object, each of which is needed beside this one. */
  needs?: readonly string[];
  /** What a field that may be left out mostly is: it is asked for all the same, beside what has to be given. */
  usually?: 'today';
  /** Texts that the field is known to take. */
  words?: readonly string[];
}

/** An object in a body. */
export interface RequestGroup {
  fields: RequestFields;
  isOptional?: true;
}

export interface RequestFields {
  readonly [name: string]: RequestField | RequestGroup;
}

export interface RequestBody {
  fields: RequestFields;
  /** true for an update: each field at the top may be left out, but not all of them. */
  isPartial?: true;
}

/** A field as a user meets it. */
export interface Field {
  /** Where the value goes in the body. */
  path: readonly string[];
  /** Name of the flag, without dashes in front. */
  flag: string;
  type: 'text' | 'expiry' | 'integer' | 'boolean';
  required: boolean;
  /** Paths of the fields that are needed beside this one. */
  needs: readonly (readonly string[])[];
  /** true for a card's details, which come with rules of their own (cli/body/card-input.ts). */
  isCard: boolean;
  usually: RequestField['usually'];
  words: RequestField['words'];
  description: string;
}

/** @returns the fields of a body in its order; nested ones by their own name */
export function fieldsOf({ fields, isPartial }: RequestBody): Field[] {
  return flatFields(fields, [], !isPartial);
}

function flatFields(fields: RequestFields, parents: readonly string[], required: boolean): Field[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...parents, name];
    const isRequired = required && !field.isOptional;
    if ('fields' in field) return flatFields(field.fields, path, isRequired);
    return {
      path,
      flag: name.replaceAll('_', '-'),
      type: FLAG_TYPES[field.type] ?? 'text',
      required: isRequired,
      needs: (field.needs ?? []).map((other) => [...parents, other]),
      isCard: CARD_TYPES.has(field.type),
      usually: field.usually,
      words: field.words,
      description: field.meaning,
    };
  });
}

/** @returns the fields that a body lacks beside others that it has, in the body's order */
export function lackingBeside(request: RequestBody, body: JsonObject): Field[] {
  const fields = fieldsOf(request);
  const isGiven = (path: readonly string[]) => valueAt(body, path) !== undefined;
  const needed = fields.filter(({ path }) => isGiven(path)).flatMap(({ needs }) => needs);
  const names = new Set(needed.map((path) => path.join('.')));
  return fields.filter(({ path }) => names.has(path.join('.')) && !isGiven(path));
}

const FLAG_TYPES: Partial<Record<RequestType, Field['type']>> = {
  'positive integer': 'integer',
  flag: 'boolean',
  'card expiry': 'expiry',
};

const CARD_TYPES: ReadonlySet<RequestType> = new Set<CardType>([
  'card number',
  'card holder',
  'card expiry',
  'cvv',
]);

/** Where a body has its card: names differ between a purchase and a customer. */
export interface CardPlace {
  /** Path of the object that has the details; empty for the body itself. */
  path: readonly string[];
  /** Name of the field with the expiry: `card_expiry` or `expiry_date`. */
  expiry: string;
  cvvIsOptional: boolean;
  /** false for an update, where a card is only taken when it is given. */
  isExpected: boolean;
}

/** @returns where a body has its card, or undefined when it has none */
export function cardPlaceOf(body: RequestBody): CardPlace | undefined {
  return placeIn(body.fields, [], !body.isPartial);
}

function placeIn(
  fields: RequestFields,
  path: readonly string[],
  isExpected: boolean,
): CardPlace | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const inner =
      'fields' in field ? placeIn(field.fields, [...path, name], isExpected) : undefined;
    if (inner) return inner;
    if ('type' in field && field.type === 'card expiry')
      return { path, expiry: name, cvvIsOptional: fields.cvv?.isOptional ?? false, isExpected };
  }
  return undefined;
}

/** @returns a body to fill in: required fields blank, optional ones null, which `--input` leaves out */
export function skeletonOf(body: RequestBody): JsonObject {
  const skeleton: JsonObject = {};
  for (const field of fieldsOf(body)) {
    setAt(skeleton, field.path, field.required ? BLANKS[field.type] : null);
  }
  return skeleton;
}

/** Blanks that are refused until they are filled in. */
const BLANKS = { text: '', expiry: '', integer: 0, boolean: null } as const;
