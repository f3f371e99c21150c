/**
 * Rules for forms that deployments accept although the interface's text does not allow them. Each has the form that was
 * sent, the text's form of the same value, and the text's requirement in words.
 *
 * `forgive` runs before any check of a body. A lenient caller goes on with the resulting body. A strict caller refuses
 * what was forgiven. An ambiguous value stays unchanged, and is refused like any other error.
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { formatExpiry, parseExpiry, parseTypedExpiry } from './expiry.ts';
import { readFlag } from './normal.ts';
import type {
  RequestBody,
  RequestField,
  RequestFields,
  RequestGroup,
  RequestType,
} from './request.ts';

/** One deviation of a body from the text. */
export interface Forgiven {
  /** Path in the body. */
  path: readonly string[];
  /** The text's requirement, as the rest of a sentence: `must be text, not a number`. */
  rule: string;
}

export interface ForgivenBody {
  /** The body in the form of the text. Unknown fields are unchanged. */
  body: JsonObject;
  forgiven: Forgiven[];
}

/** Types that gw never guesses if a person may have written the value, because they are money. */
export const AMOUNTS: readonly RequestType[] = ['positive integer'];

/** @param except fields of these types stay unchanged */
export function forgive(
  request: RequestBody,
  body: JsonObject,
  except: readonly RequestType[] = [],
): ForgivenBody {
  const forgiven: Forgiven[] = [];
  const isPartial = request.isPartial ?? false;
  const reading = { path: [], isPartial, needed: [], except, forgiven };
  return { body: readFields(request.fields, body, reading), forgiven };
}

/** @returns the paths of fields that the request does not define */
export function unknownFields(
  { fields }: Pick<RequestBody, 'fields'>,
  body: JsonObject,
): string[][] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return [[name]];
    if (!('fields' in field) || !isObject(value)) return [];
    return unknownFields(field, value).map((path) => [name, ...path]);
  });
}

interface Reading {
  /** Path of the object whose fields are read. */
  path: readonly string[];
  isPartial: boolean;
  /** Optional fields that this body needs. */
  needed: readonly string[];
  except: readonly RequestType[];
  forgiven: Forgiven[];
}

function readFields(fields: RequestFields, body: JsonObject, reading: Reading): JsonObject {
  const at = { ...reading, needed: neededIn(fields, body) };
  let isAsItCame = true;
  const read: [string, Json][] = [];
  for (const name of Object.keys(body)) {
    const value = body[name] as Json;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const result = field ? readOne(field, value, name, at) : value;
    if (result !== undefined) read.push([name, result]);
    isAsItCame &&= result === value;
  }
  // Faster than building an object from entries.
  return isAsItCame ? { ...body } : Object.fromEntries(read);
}

/** Cache of a request's fields that stand for others. */
const STANDING = new WeakMap<RequestFields, readonly (readonly [string, readonly string[]])[]>();

/** @returns the fields needed because the field that stands for them is missing */
function neededIn(fields: RequestFields, body: JsonObject): string[] {
  let standing = STANDING.get(fields);
  if (!standing) {
    standing = Object.entries(fields).flatMap(([name, field]) =>
      'standsFor' in field ? [[name, field.standsFor ?? []] as const] : [],
    );
    STANDING.set(fields, standing);
  }
  const needed: string[] = [];
  for (const [name, others] of standing) if (isBlank(body[name] ?? null)) needed.push(...others);
  return needed;
}

/** @returns undefined for a value that means "none" */
function readOne(
  field: RequestField | RequestGroup,
  value: Json,
  name: string,
  at: Reading,
): Json | undefined {
  return 'fields' in field ? readGroup(field, value, name, at) : readField(field, value, name, at);
}

function readGroup(group: RequestGroup, value: Json, name: string, at: Reading): Json | undefined {
  const path = [...at.path, name];
  if (isObject(value)) return readFields(group.fields, value, { ...at, path, isPartial: false });
  // PHP turns an empty object into an empty list.
  const isEmpty = Array.isArray(value) && value.length === 0;
  if (!isEmpty && !isBlank(value)) return value;
  if (group.isOptional || at.isPartial) return leftOut(name, at);
  if (!isEmpty) return value;
  at.forgiven.push({ path, rule: 'must be an object, not a list' });
  return {};
}

function readField(field: RequestField, value: Json, name: string, at: Reading): Json | undefined {
  if (isBlank(value))
    return field.isOptional === true && !at.needed.includes(name) ? leftOut(name, at) : value;
  if (at.except.includes(field.type)) return value;
  let result = value;
  for (const { read, rule } of rulesOf(field)) {
    const next = read(result, field);
    if (next === undefined || next === result) continue;
    at.forgiven.push({ path: [...at.path, name], rule });
    result = next;
  }
  return result ?? undefined;
}

function leftOut(name: string, { forgiven, path }: Reading): undefined {
  forgiven.push({ path: [...path, name], rule: 'must be left out where there is none' });
}

/** Section 7: a blank value counts as missing. */
function isBlank(value: Json): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

interface Rule {
  /** The text's requirement. */
  rule: string;
  /** @returns the text's form of a value; null for none; undefined if it is ambiguous */
  read(value: Json, field: RequestField): Json | undefined;
}

const rule = (rule: string, read: Rule['read']): Rule => ({ rule, read });

/** Applies a rule to texts only. */
const ofText = (read: (text: string, field: RequestField) => Json | undefined): Rule['read'] => {
  return (value, field) => (typeof value === 'string' ? read(value.trim(), field) : undefined);
};

const TEXT = rule('must be text, not a number', (value) =>
  typeof value === 'number' && Number.isFinite(value) && isExact(value) ? String(value) : undefined,
);

/** Up to fifteen digits survive as a number. With more, the written digits are unknown. */
function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || /^-?(?=[\d.]{1,16}$)\d+\.\d+$/.test(String(value));
}

const RULES: Readonly<Record<RequestType, readonly Rule[]>> = {
  text: [TEXT],
  'card holder': [TEXT],
  cvv: [TEXT],
  'IP address': [
    TEXT,
    rule(
      'must be left out where it is not known',
      ofText((text) => (/^unknown$/i.test(text) ? null : undefined)),
    ),
  ],
  'positive integer': [rule('must be a whole number, not text', ofText(wholePart))],
  flag: [rule('must be true or false', readFlag)],
  date: [rule('must be YYYY-MM-DD', ofText(readDate))],
  currency: [
    rule(
      'must be in capitals',
      ofText((text) => text.toUpperCase()),
    ),
  ],
  'card number': [
    TEXT,
    rule(
      'must be digits only',
      ofText((text) => (/^\d[\d\s-]*$/.test(text) ? text.replaceAll(/\D/g, '') : undefined)),
    ),
  ],
  'card expiry': [rule('must be MM/YYYY', ofText(readExpiry))],
};

function rulesOf(field: RequestField): readonly Rule[] {
  const rules = RULES[field.type];
  return field.words ? [...rules, WORDS] : rules;
}

const WORDS = rule(
  'must be written as the interface writes it',
  ofText((text, { words = [] }) => words.find((word) => bareWord(word) === bareWord(text))),
);

/** @returns a name or word in the form that all of its spellings share: `Card-Token` and `card_token` are the same */
export const bareWord = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Zeros after the point are dropped. Other decimals are ambiguous: 19.99 may mean 19 or 1999. */
function wholePart(text: string): number | undefined {
  const digits = /^(\d+)(?:\.0*)?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Reads a date in parts. Ignores a time, because a date is the day that is written. */
function readDate(text: string): string | undefined {
  const [, year, month = '', day = ''] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d{1,2}:\d{2}\S*(?: +\S+)?)?$/.exec(text) ?? [];
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Accepts what people type, the year before the month, and the forms of answers (section 2.2). */
function readExpiry(text: string): string | undefined {
  const [, year, month] = /^(\d{4})\/(\d{1,2})$/.exec(text) ?? [];
  const expiry = parseTypedExpiry(year ? `${month}/${year}` : text) ?? parseExpiry(text);
  return expiry && formatExpiry(expiry);
}
