/**
 * All expected failures of gw, with the exit code of each.
 *
 * Code throws a `Failure` where it knows the cause. Only `start.ts` catches it, prints it and ends with its exit code.
 * Any other thrown value is a defect (exit 1).
 */

export const EXIT_CODES = {
  usage: 2,
  auth: 3,
  notFound: 4,
  declined: 5,
  rejected: 6,
  notReached: 7,
  unknown: 8,
  incomplete: 9,
  guard: 10,
  interrupted: 130,
  /** A shell reports this for a program that a closed pipe ended (128 + SIGPIPE). */
  unread: 141,
} as const;

export type FailureKind = keyof typeof EXIT_CODES;

export const EXIT_DEFECT = 1;

export interface FailureDetails {
  /** A name for the event that stays the same when the message is reworded: `duplicate-request`. */
  code: string;
  /** One sentence: what the user does next. May be empty if gw already says that nothing was sent. */
  next: string;
  /** false if the request certainly did not leave; gw then says so (view/errors.ts). */
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
  /** Body of the answer as it arrived, if any. */
  body?: string | undefined;
  cause?: unknown;
}

/** An expected failure: `message` says in one sentence what happened, `next` what to do about it. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly next: string;
  readonly sent: false | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly errors: readonly string[];
  readonly test: boolean | undefined;
  readonly id: string | undefined;
  readonly entry: string | undefined;
  readonly body: string | undefined;

  constructor(kind: FailureKind, message: string, details: FailureDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.code = details.code;
    this.next = details.next;
    this.sent = details.sent;
    this.operation = details.operation;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.errors = details.errors ?? [];
    this.test = details.test;
    this.id = details.id;
    this.entry = details.entry;
    this.body = details.body;
  }

  /** @returns a copy of this failure with the given changes; a detail given as undefined is removed */
  with(change: Partial<FailureDetails> & { kind?: FailureKind; message?: string }): Failure {
    const { kind = this.kind, message = this.message, ...details } = change;
    return new Failure(kind, message, { ...this, cause: this.cause, ...details });
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
  code: string,
  message: string,
  next: string,
  details: Pick<FailureDetails, 'sent' | 'cause'> = {},
): Failure {
  return new Failure('usage', message, { code, next, ...details });
}

/** Creates the failure for a question that the user cancelled before anything was sent. */
export function cancelled(cause?: unknown): Failure {
  return new Failure('interrupted', 'Cancelled.', {
    code: 'cancelled',
    next: '',
    sent: false,
    cause,
  });
}

/**
 * Runs work with questions that are not about a request.
 * @param next one sentence that says what did not happen if the user cancels
 */
export async function cancelledSaying<T>(next: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === 'cancelled')
      throw error.with({ next, sent: undefined });
    throw error;
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
export async function ifPossible<T>(work: Promise<T>): Promise<T | undefined> {
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
