/** Checks a request body against its row before anything is sent, so that a mistake costs no request. */
import type * as z from 'zod/mini';
import { hiddenTexts } from '../base/clean-text.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../base/json.ts';
import { usage } from '../failure.ts';
import { currencyCode, faultOfWithdrawn } from './currency.ts';
import { bodySchema } from './field-schemas.ts';
import { bareWord, unknownFields } from './forgiving.ts';
import { fitsDecimal } from './money.ts';
import type { Operation } from './operation.ts';
import { fieldsOf, type RequestBody } from './request.ts';

export interface Problem {
  /** Field of the body, dotted if nested. */
  field: string;
  problem: string;
}

/**
 * @returns the problems of a body in the order of its fields; empty if it may be sent. Unknown fields are allowed,
 *   unless one is a known field in another spelling.
 */
export function problemsOf(request: RequestBody, body: JsonObject): Problem[] {
  return [
    ...hiddenTexts(body),
    ...misspelt(request, body),
    ...issuesOf(request, body).map((issue) => problemOf(issue, body)),
    ...contradictory(request, body),
  ];
}

/** @returns how a user gave a field of the body: `--currency "EURO"`; undefined if its name says it best */
export type SaidField = (field: string) => string | undefined;

const BY_NAME: SaidField = () => undefined;

/** @throws Failure usage that names every problem of the body */
export function checkRequest(
  operation: Operation | { body: RequestBody },
  body: JsonObject,
  said: SaidField = BY_NAME,
): void {
  if (operation.body) refuse(problemsOf(operation.body, body), said);
}

/**
 * Checks the given fields before anybody is asked for the rest.
 * @throws Failure usage that names every given field that is wrong
 */
export function checkGiven(
  request: RequestBody,
  body: JsonObject,
  said: SaidField = BY_NAME,
): void {
  const given = issuesOf(request, body).filter(({ path }) => {
    const value = valueAt(body, path);
    return value !== undefined && !isObject(value);
  });
  refuse([...misspelt(request, body), ...given.map((issue) => problemOf(issue, body))], said);
}

/** The gateway would ignore an `Amount`, a `cardToken` or a `card-token`. */
function misspelt(request: RequestBody, body: JsonObject): Problem[] {
  const unknown = unknownFields(request, body).map((path) => path.join('.'));
  if (unknown.length === 0) return [];
  const known = new Map(
    fieldsOf(request).map(({ path }) => [bareWord(path.join('.')), path.join('.')]),
  );
  return unknown.flatMap((field) => {
    const meant = known.get(bareWord(field));
    return meant === undefined ? [] : [{ field, problem: `has to be written ${meant}` }];
  });
}

/**
 * Fields of records that a gateway may also accept in a request. If one contradicted the usual field, nobody would know
 * which one counts.
 */
const SAYS_AGAIN: Readonly<
  Record<string, { field: string; isSame: (own: Json, body: JsonObject) => boolean }>
> = {
  decimalamount: {
    field: 'amount',
    isSame: (own, { amount, currency }) => fitsDecimal(amount, own, currency),
  },
  currencycode: {
    field: 'currency',
    isSame: (own, { currency = own }) =>
      currencyCode(String(own)) === currencyCode(String(currency)),
  },
};

function contradictory(request: RequestBody, body: JsonObject): Problem[] {
  return unknownFields(request, body).flatMap(([name = '']) => {
    const { field = '', isSame } = SAYS_AGAIN[bareWord(name)] ?? {};
    if (!isSame) return [];
    const own = body[name] ?? null;
    const isCharged = field === 'currency' && field in request.fields;
    const problem = isSame(own, body)
      ? isCharged && !body.currency && faultOfWithdrawn(currencyCode(String(own)))
      : `does not say the same as ${field}`;
    return problem ? [{ field: name, problem }] : [];
  });
}

function refuse(problems: readonly Problem[], said: SaidField): void {
  if (problems.length === 0) return;
  throw usage(
    'body-invalid',
    `${problems.map(({ field, problem }) => `${said(field) ?? field} ${problem}`).join('; ')}.`,
    'Correct the request, then run the command again.',
  );
}

function issuesOf(request: RequestBody, body: JsonObject): readonly z.core.$ZodIssue[] {
  return bodySchema(request).safeParse(body).error?.issues ?? [];
}

function problemOf(issue: z.core.$ZodIssue, body: JsonObject): Problem {
  return {
    field: issue.path.join('.'),
    problem: sayWhatIsWrong(issue, valueAt(body, issue.path)),
  };
}

function sayWhatIsWrong(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? 'is missing'
        : `is not ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
      return `is not above ${String(issue.inclusive ? Number(issue.minimum) - 1 : issue.minimum)}`;
    case 'too_big':
      return `is above ${String(issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'date'
        ? 'is not a date that exists (YYYY-MM-DD)'
        : `is not a valid ${issue.format}`;
    default:
      return issue.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
};
