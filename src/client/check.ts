/** Checks a request body against its row before anything is sent: a mistake costs no request. */
import type * as z from 'zod/mini';
import { type JsonObject, valueAt } from '../base/json.ts';
import { bodySchema } from '../contract/field-schemas.ts';
import type { Operation } from '../contract/operations.ts';
import type { RequestBody } from '../contract/request.ts';
import { usage } from '../failure.ts';

export interface Problem {
  /** Field of the body, dotted where it is nested. */
  field: string;
  problem: string;
}

/** @returns what is wrong with a body, in the order of its fields; empty when it may be sent */
export function problemsOf(request: RequestBody, body: JsonObject): Problem[] {
  const result = bodySchema(request).safeParse(body);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    problem: sayWhatIsWrong(issue, valueAt(body, issue.path)),
  }));
}

/** @throws Failure usage that names every problem of the body */
export function checkRequest(operation: Operation, body: JsonObject): void {
  if (!operation.body) return;
  const problems = problemsOf(operation.body, body);
  if (problems.length === 0) return;
  throw usage(
    'body-invalid',
    `${problems.map(({ field, problem }) => `${field} ${problem}`).join('; ')}.`,
    'Nothing was sent. Correct the request, then run the command again.',
  );
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
