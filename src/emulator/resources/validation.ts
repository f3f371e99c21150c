/**
 * Checks of a request body against its row's schema, and the gateway's own words for what is wrong
 * (section 7): `<Field name> can't be blank`, `<Field name> is invalid`, `Invalid Card Number`; and of
 * an amount that is out of bounds `Amount must be 1 or more`, `Amount is above …`.
 *
 * One answer names all that is wrong: what the strict dialect found, then fields in the order of the
 * schema, then what the records there are do not allow. Also here: reading submitted fields for the
 * record that a refusal carries, where what was not assigned is null.
 */

import type * as z from 'zod/mini';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { isCardNumber, maskCardNumber } from '../../contract/cards/card-number.ts';
import { isoMonth, parseExpiry } from '../../contract/expiry.ts';
import { type BodySchema, bodySchema, fieldSchema } from '../../contract/field-schemas.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RequestBody, RequestField, RequestGroup } from '../../contract/request.ts';
import { lastValidDay } from '../rules/schedule.ts';
import { type Call, Refusal, type Refuse } from './handler.ts';

/**
 * @param findMore what else is wrong, which only the records there are can tell, of the fields that
 *   are right as far as the schema goes
 * @returns the body as the schema types it
 * @throws what `refuse` makes of a message for each thing that is wrong, all in one (section 2.1)
 */
export function accept<Body extends RequestBody>(
  request: Body,
  { body, faults }: Pick<Call, 'body' | 'faults'>,
  refuse: Refuse,
  findMore: (right: Partial<z.infer<BodySchema<Body>>>) => readonly string[] = () => [],
): z.infer<BodySchema<Body>> {
  const result = bodySchema(request).safeParse(body);
  const issues = result.error?.issues ?? [];
  const right = issues.length === 0 ? body : withoutWrong(body, issues);
  const messages = [
    ...faults,
    ...issues.map((issue) => messageFor(issue, body)),
    ...findMore(right as Partial<z.infer<BodySchema<Body>>>),
  ];
  if (result.success && messages.length === 0) return result.data;
  throw refuse(...new Set(messages));
}

function withoutWrong(body: JsonObject, issues: readonly z.core.$ZodIssue[]): JsonObject {
  const wrong = new Set(issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)));
}

function messageFor(issue: z.core.$ZodIssue, body: JsonObject): string {
  const { path } = issue;
  const field = String(path.at(-1));
  const value = valueAt(body, path);
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return blank(field);
  if (issue.code === 'too_big') return `${fieldName(field)} is above ${issue.maximum}`;
  if (issue.code === 'too_small') return `${fieldName(field)} must be 1 or more`;
  return field === 'card_number' ? 'Invalid Card Number' : invalid(field);
}

const blank = (field: string) => `${fieldName(field)} can't be blank`;
export const invalid = (field: string) => `${fieldName(field)} is invalid`;
export const taken = (field: string) => `${fieldName(field)} has already been taken`;

/** @returns `First name` for `first_name` */
export function fieldName(field: string): string {
  return capitalised(field.replaceAll('_', ' '));
}

/** @returns a submitted text, or null where none was submitted */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * @param row of the request, which makes a record
 * @param names of the record's fields, in its order
 * @returns what refuses the request: with a record of what was submitted, null where nothing was assigned
 */
export function refusing(
  { body, response }: Operation,
  sent: JsonObject,
  names: readonly string[] = Object.keys(response),
): Refuse {
  const shown = (name: string): [string, Json] => {
    const isFlag = response[name] === 'flag';
    return [name, isFlag ? false : submitted(body?.fields[name], sent[name])];
  };
  return (...errors) => new Refusal(400, errors, Object.fromEntries(names.map(shown)));
}

/** @returns a value as a refusal repeats it; null for what is no field of the request, or none of its kind */
export function submitted(field: RequestField | RequestGroup | undefined, value?: Json): Json {
  if (!field) return null;
  if ('fields' in field) {
    if (!isObject(value)) return null;
    const inner = Object.entries(field.fields).map(([name, one]) => [
      name,
      submitted(one, value[name]),
    ]);
    return Object.fromEntries(inner);
  }
  if (field.type === 'positive integer')
    return Number.isSafeInteger(value) ? (value as number) : null;
  if (typeof value !== 'string') return null;
  if (field.type === 'card number') return maskCardNumber(value);
  if (field.type === 'date') return fieldSchema(field).safeParse(value).success ? value : null;
  if (field.type !== 'card expiry') return value;
  const expiry = parseExpiry(value);
  return expiry ? lastValidDay(isoMonth(expiry)) : null;
}

/** @returns the fields of a row that its record shows, in the record's order */
export function pick<Row extends object>(row: Row, fields: readonly (keyof Row & string)[]) {
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as JsonObject;
}

/** @returns a token as it may be repeated in an answer: masked when it is a card number after all */
export function tokenToShow(token: string): string {
  return isCardNumber(token) ? maskCardNumber(token) : token;
}
