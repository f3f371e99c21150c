/**
 * All expected failures of gw. Their codes are in failure-codes.ts.
 *
 * Code throws a `Failure` where it knows the cause. Only `start.ts` catches it, prints it and ends with its exit code.
 * Any other thrown value is a defect (exit 1).
 */

import {
  type CodeOf,
  EXIT_CODES,
  type FailureCode,
  type FailureKind,
  groupOf,
} from './failure-codes.ts';

export const EXIT_DEFECT = 1;

export interface FailureDetails {
  /** Unless the kind is that of the code. */
  kind?: FailureKind | undefined;
  /** false if the request certainly did not leave; gw then says so (view/errors.ts). Most codes say it themselves. */
  sent?: false | undefined;
  /** The operation as a user types it, for example `purchase create`. */
  operation?: string | undefined;
  /** HTTP status of the answer, if any. */
  status?: number | undefined;
  /** The answer's Retry-After header, as it arrived. */
  retryAfter?: string | undefined;
  /** The gateway's own messages, as they arrived. */
  errors?: readonly string[] | undefined;
  /** The gateway's mode according to the answer, like `test` of the envelope. */
  test?: boolean | undefined;
  /** The gateway's id of the request, or of a record that the failure concerns. */
  id?: string | undefined;
  /** Journal id of the money request that the failure concerns. */
  entry?: string | undefined;
  /** State of that entry in the journal, if an earlier request made it and gw refuses to repeat it. */
  state?: string | undefined;
  /** Body of the answer as it arrived, if any. */
  body?: string | undefined;
  cause?: unknown;
}

/** An expected failure: `message` says in one sentence what happened, `next` what to do about it. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: FailureCode;
  readonly next: string;
  readonly sent: false | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly errors: readonly string[];
  readonly test: boolean | undefined;
  readonly id: string | undefined;
  readonly entry: string | undefined;
  readonly state: string | undefined;
  readonly body: string | undefined;

  /**
   * @param message one sentence: what happened
   * @param next one sentence: what the user does next; may be empty if gw already says that nothing was sent
   */
  constructor(code: FailureCode, message: string, next: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    const group = groupOf(code);
    this.kind = details.kind ?? group.kind;
    this.code = code;
    this.next = next;
    this.sent = 'sent' in details ? details.sent : group.sent;
    this.operation = details.operation;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.errors = details.errors ?? [];
    this.test = details.test;
    this.id = details.id;
    this.entry = details.entry;
    this.state = details.state;
    this.body = details.body;
  }

  /** @returns a copy of this failure with the given changes; a detail given as undefined is removed */
  with(change: FailureDetails & { code?: FailureCode; message?: string; next?: string }): Failure {
    const { code = this.code, message = this.message, next = this.next, ...details } = change;
    return new Failure(code, message, next, { ...this, cause: this.cause, ...details });
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind];
  }
}

/**
 * Creates a failure for wrong usage or input.
 * @param next what the user does now, in one sentence
 * @param details `sent: false` if the command would have sent something
 */
export function usage(
  code: CodeOf<'usage'>,
  message: string,
  next: string,
  details: Pick<FailureDetails, 'sent' | 'cause'> = {},
): Failure {
  return new Failure(code, message, next, details);
}

/** Creates the failure for a file that gw would write, and that is there already. */
export function fileExists(file: string): Failure {
  return usage('file-exists', `${file} already exists.`, 'Choose another name.');
}

/** Creates the failure for a question that the user cancelled before anything was sent. */
export function cancellation(cause?: unknown): Failure {
  return new Failure('cancelled', 'Cancelled.', '', { cause });
}

/**
 * Runs work with questions that are not about a request.
 * @param next one sentence that says what did not happen if the user cancels
 */
export async function explainCancellation<T>(next: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === 'cancelled')
      throw error.with({ next, sent: undefined });
    throw error;
  }
}

/**
 * Decides every question by whether a person is there to answer it.
 * @param refused the failure where nobody is: it names the flag or the argument that gives the answer
 * @param ask asks, and returns the answer
 * @throws Failure `refused`, and what `ask` throws
 */
export async function askOrRefuse<Answer>(
  { mayAsk }: { readonly mayAsk: boolean },
  refused: Failure,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  if (mayAsk) return ask();
  throw refused;
}

/**
 * Runs the check of a flag on what somebody typed at a question.
 * @returns true, or the failure of the check as one text without a full stop
 */
export function faultOfTyped(check: () => unknown): true | string {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.message} ${error.next}`.replace(/\.$/, '');
  }
}

/** @returns the result of the work, or its Failure. @throws any other error */
export function orFailure<T>(work: Promise<T>): Promise<T | Failure> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
}

/**
 * For work that only helps, so that its failure changes nothing.
 * @returns the result; undefined if it failed. @throws an interruption, and any error that is no Failure
 */
export async function attempt<T>(work: Promise<T>): Promise<T | undefined> {
  const result = await orFailure(work);
  if (!(result instanceof Failure)) return result;
  if (result.kind === 'interrupted') throw result;
  return undefined;
}

/**
 * Checks a condition that only a defect of gw can violate.
 * @throws Error, which ends the program as a defect, because nothing may continue from an impossible state
 */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`This cannot be: ${what}`);
}
