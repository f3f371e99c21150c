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
import { capitalised } from '../../base/capitalised.ts';
import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { isCardNumber, maskCardNumber } from '../../contract/cards/card-number.ts';
import { isoMonth, parseExpiry } from '../../contract/expiry.ts';
import { fieldSchema } from '../../contract/field-schemas.ts';
import { lastValidDay } from '../rules/schedule.ts';
import type { Call } from './handler.ts';
import type { Refuse } from './refusal.ts';

/**
 * @param findMore what else is wrong, which only the records there are can tell, of the fields that
 *   are right as far as the schema goes
 * @returns the body as the schema types it
 * @throws what `refuse` makes of a message for each thing that is wrong, all in one (section 2.1)
 */
export function accept<Schema extends z.ZodMiniType>(
  schema: Schema,
  { body, faults }: Pick<Call, 'body' | 'faults'>,
  refuse: Refuse,
  findMore: (right: Partial<z.infer<Schema>>) => readonly string[] = () => [],
): z.infer<Schema> {
  const result = schema.safeParse(body);
  const issues = result.error?.issues ?? [];
  const right = issues.length === 0 ? body : withoutWrong(body, issues);
  const messages = [
    ...faults,
    ...issues.map((issue) => messageFor(issue, body)),
    ...findMore(right as Partial<z.infer<Schema>>),
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

/** @returns the last valid day of a submitted card expiry, or null where it is none */
export function expiryOf(value: Json | undefined): string | null {
  const expiry = typeof value === 'string' ? parseExpiry(value) : undefined;
  return expiry ? lastValidDay(isoMonth(expiry)) : null;
}

/** @returns a submitted date, or null where it is none */
export function dateOf(value: Json | undefined): string | null {
  return fieldSchema({ type: 'date', meaning: '' }).safeParse(value).data ?? null;
}

/** @returns submitted texts by field, null where none was submitted */
export function textsOf(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, textOf(body[field])]));
}

/** @returns the fields of a row that its record shows, in the record's order */
export function pick<Row extends object>(row: Row, fields: readonly (keyof Row & string)[]) {
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as JsonObject;
}

/** @returns a submitted integer, or null where none was submitted */
export function integerOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** @returns a submitted card number, masked, or null where none was submitted */
export function maskedOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? maskCardNumber(value) : null;
}

/** @returns a token as it may be repeated in an answer: masked when it is a card number after all */
export function tokenToShow(token: string): string {
  return isCardNumber(token) ? maskCardNumber(token) : token;
}
