/**
 * Checks of a request body against its row's schema, and the gateway's own words for what is wrong
 * (section 7): `<Field name> can't be blank`, `<Field name> is invalid`, `Invalid Card Number`.
 *
 * Messages come in the order of the schema's fields, one per field. Also here: reading submitted
 * fields for the record that a refusal carries, where what was not assigned is null.
 */
import type * as z from 'zod/mini';
import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { isCardNumber, maskCardNumber } from '../../contract/card-number.ts';
import type { Refuse } from './refusal.ts';

/**
 * @returns the body as the schema types it
 * @throws what `refuse` makes of a message for each field that is wrong
 */
export function accept<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: JsonObject,
  refuse: Refuse,
): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const messages = result.error.issues.map((issue) => messageFor(issue.path, body));
  throw refuse(...new Set(messages));
}

function messageFor(path: readonly PropertyKey[], body: JsonObject): string {
  const field = String(path.at(-1));
  const value = valueAt(body, path);
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return blank(field);
  return field === 'card_number' ? 'Invalid Card Number' : invalid(field);
}

const blank = (field: string) => `${fieldName(field)} can't be blank`;
export const invalid = (field: string) => `${fieldName(field)} is invalid`;
export const taken = (field: string) => `${fieldName(field)} has already been taken`;

/** @returns `First name` for `first_name` */
function fieldName(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @returns a submitted text, or null where none was submitted */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
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
