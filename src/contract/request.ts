/**
 * The fields of a request, as plain data. Flags, prompts and skeletons are built from it, so a look-up loads nothing
 * that checks bodies. The schemas that check a body are built from the same data when needed (field-schemas.ts).
 */
import { type JsonObject, setAt } from '../base/json.ts';

/** `text`, `card holder`, `card number`, `card expiry` (`MM/YYYY`) and `date` (`YYYY-MM-DD`) are never blank. */
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
  /** Optional fields of the same object. Each is needed if this field is missing, and refused if it is given. */
  standsFor?: readonly string[];
  /** Optional fields of the same object. Each is needed if this field is given. */
  needs?: readonly string[];
  /** The usual value of an optional field. gw asks for the field together with the required ones. */
  usually?: 'today';
  /** Texts that gateways are known to accept. */
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
  /** true for an update: each top-level field is optional, but not all may be missing. */
  isPartial?: true;
}

/** A field from a user's point of view. */
export interface Field {
  /** Path of the value in the body. */
  path: readonly string[];
  /** Name of the flag, without leading dashes. */
  flag: string;
  type: 'text' | 'expiry' | 'date' | 'integer' | 'boolean';
  required: boolean;
  /** true for a card's details, which have rules of their own (requests/body/card-input.ts). */
  isCard: boolean;
  usually: RequestField['usually'];
  words: RequestField['words'];
  description: string;
}

/** @returns the fields of a body in order; nested ones appear under their own names */
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
      isCard: CARD_TYPES.has(field.type),
      usually: field.usually,
      words: field.words,
      description: field.meaning,
    };
  });
}

const FLAG_TYPES: Partial<Record<RequestType, Field['type']>> = {
  'positive integer': 'integer',
  flag: 'boolean',
  date: 'date',
  'card expiry': 'expiry',
};

const CARD_TYPES: ReadonlySet<RequestType> = new Set<CardType>([
  'card number',
  'card holder',
  'card expiry',
  'cvv',
]);

/** The position of the card in a body. Field names differ between a purchase and a customer. */
export interface CardPlace {
  /** Path of the object with the details; empty for the body itself. */
  path: readonly string[];
  /** Name of the field with the expiry: `card_expiry` or `expiry_date`. */
  expiry: string;
  cvvIsOptional: boolean;
  /** Whether a card may come without the name on it. */
  holderIsOptional: boolean;
  /** false for an update, where the card is optional. */
  isExpected: boolean;
}

/** @returns the position of the card in a body; undefined if it has none */
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
      return {
        path,
        expiry: name,
        cvvIsOptional: isOptionalBeside(fields, 'cvv'),
        holderIsOptional: isOptionalBeside(fields, 'card_holder'),
        isExpected,
      };
  }
  return undefined;
}

/** @returns whether a card with a number may lack the field */
function isOptionalBeside(fields: RequestFields, name: string): boolean {
  const isNamed = (field: RequestField | RequestGroup) =>
    'type' in field && [field.needs, field.standsFor].some((names) => names?.includes(name));
  return fields[name]?.isOptional === true && !Object.values(fields).some(isNamed);
}

/** @returns a body to fill in: required fields are blank, optional ones null, which `--input` ignores */
export function skeletonOf(body: RequestBody): JsonObject {
  const skeleton: JsonObject = {};
  for (const field of fieldsOf(body)) {
    setAt(skeleton, field.path, field.required ? BLANKS[field.type] : null);
  }
  return skeleton;
}

/** Blanks that are refused until the user fills them in. */
const BLANKS = { text: '', expiry: '', date: '', integer: 0, boolean: null } as const;
