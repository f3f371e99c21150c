/**
 * Checks a request body against its row's schema, with the gateway's own messages (section 7). They are `<Field name>
 * can't be blank`, `<Field name> is invalid`, `Invalid Card Number` and, for an amount out of bounds, `Amount must be 1
 * or more` or `Amount is above …`.
 *
 * One answer names every fault: first those of the strict dialect, then fields in the order of the schema, then
 * conflicts with existing records. This file also reads submitted fields for the record of a refusal, in which a field
 * that was not assigned is null.
 *
 * Tests: test/unit/emulator/request-body.test.ts, test/unit/emulator/dialects.test.ts
 */

import type * as z from 'zod/mini';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { isCardNumber, maskCardNumber } from '../../contract/cards/card-number.ts';
import { isoMonth, lastValidDay, parseExpiry } from '../../contract/expiry.ts';
import { type BodySchema, bodySchema, fieldSchema } from '../../contract/field-schemas.ts';
import { forgive } from '../../contract/forgiving.ts';
import type { Dialect } from '../../contract/local-account.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RequestBody, RequestField, RequestGroup } from '../../contract/request.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { type Call, Refusal, type Refuse } from './handler.ts';

/**
 * @param findMore finds conflicts with existing records, for fields that fit the schema
 * @returns the body in the type of the schema
 * @throws the error that `refuse` makes of all messages together (section 2.1)
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

/**
 * Reads a query in the forms of bodies, which the deployed dialect forgives as there. It also takes page 0, which
 * clients that count from 0 ask for, as the first page.
 * @throws Refusal 400 that names every parameter that is wrong
 */
export function readQuery<Fields extends NonNullable<Operation['query']>>(
  fields: Fields,
  query: URLSearchParams,
  dialect: Dialect,
): z.infer<BodySchema<{ fields: Fields }>> {
  const isNumber = (name: string, text: string) =>
    fields[name]?.type === 'positive integer' && /^\d+$/.test(text);
  const sent = Object.fromEntries(
    [...query].map(([name, text]) => [name, isNumber(name, text) ? Number(text) : text]),
  );
  const body = dialect === 'deployed' ? forgive({ fields }, sent).body : sent;
  if (dialect === 'deployed' && body.offset === 0) delete body.offset;
  const { data, error } = bodySchema({ fields }).safeParse(body);
  if (!error) return data as z.infer<BodySchema<{ fields: Fields }>>;
  throw new Refusal(
    400,
    error.issues.map(({ path }) => invalid(String(path[0]))),
  );
}

/** @returns the body that requests of an operation have in a dialect */
export function bodyOf<Row extends { body: RequestBody; deployedBody: RequestBody }>(
  { body, deployedBody }: Row,
  dialect: Dialect,
): Row['deployedBody'] {
  return dialect === 'deployed' ? deployedBody : body;
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
  if (issue.code === 'custom' && issue.params?.isRule)
    return `${fieldName(field)} ${issue.message}`;
  if (issue.code === 'too_big') return `${fieldName(field)} is above ${issue.maximum}`;
  if (issue.code === 'too_small') return `${fieldName(field)} must be 1 or more`;
  return field === 'card_number' ? 'Invalid Card Number' : invalid(field);
}

const blank = (field: string) => `${fieldName(field)} can't be blank`;
export const invalid = (field: string) => `${fieldName(field)} is invalid`;
export const takenMessage = (field: string) => `${fieldName(field)} has already been taken`;

/** @returns `First name` for `first_name` */
export function fieldName(field: string): string {
  return capitalised(field.replaceAll('_', ' '));
}

/** @returns a submitted text; null if none was submitted */
export function submittedText(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * @param row of the request, which creates a record
 * @param names of the record's fields, in its order
 * @param known values that were not submitted
 * @returns a function that refuses the request, with a record of the submitted values; null for a field that was not
 *   assigned
 */
export function refusing(
  { body, response }: Operation,
  sent: JsonObject,
  names: readonly string[] = Object.keys(response),
  known: JsonObject = {},
): (...errors: string[]) => Refusal {
  const shown = (name: string): [string, Json] => {
    const isFlag = response[name] === 'flag';
    return [name, isFlag ? false : submitted(body?.fields[name], sent[name])];
  };
  const record = () => ({ ...Object.fromEntries(names.map(shown)), ...known });
  return (...errors) => new Refusal(400, errors, record());
}

/** @returns a value as a refusal repeats it; null if the request has no such field, or the value has another type */
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

/** @returns the metadata of a request as it is kept, without card data and secrets; null without any */
export function metadataOf({ metadata }: JsonObject): string | null {
  return isObject(metadata) ? JSON.stringify(redactJson(metadata)) : null;
}

/** @param kept as by `metadataOf` */
export function shownMetadata(kept: string | null): Json {
  return kept === null ? {} : JSON.parse(kept);
}

/** @returns a token for an answer: masked if it is really a card number */
export function tokenToShow(token: string): string {
  return isCardNumber(token) ? maskCardNumber(token) : token;
}
