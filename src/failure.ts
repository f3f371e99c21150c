/**
 * Every expected way in which gw does not succeed, and the exit code of each.
 *
 * A `Failure` is thrown where the cause is known and caught in one place, `start.ts`, which prints
 * it and ends with its exit code. Anything else that is thrown is a defect (exit 1).
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
  /** What a shell reports of a program that a closed pipe ended (128 + SIGPIPE). */
  unread: 141,
} as const;

export type FailureKind = keyof typeof EXIT_CODES;

export const EXIT_DEFECT = 1;

export interface FailureDetails {
  /** What happened, as a name that stays the same when the message gets better words: `duplicate-request`. */
  code: string;
  /** One sentence: what the user does next; may be empty where it is said that nothing was sent. */
  next: string;
  /** False where it is certain that the request did not leave, and people are told so (view/errors.ts). */
  sent?: false | undefined;
  /** The operation as a user types it, for example `purchase create`. */
  operation?: string | undefined;
  /** The HTTP status of the answer, where there was one. */
  status?: number | undefined;
  /** The Retry-After header of the answer, as it came. */
  retryAfter?: string | undefined;
  /** The gateway's own messages, as they came. */
  errors?: readonly string[] | undefined;
  /** What the answer said of the gateway's mode, as the envelope's `test`. */
  test?: boolean | undefined;
  /** The gateway's id of the request or a record that belongs to the failure. */
  id?: string | undefined;
  /** What the journal calls the money request that the failure is about. */
  entry?: string | undefined;
  /** The body of the answer as it came, where there was one. */
  body?: string | undefined;
  cause?: unknown;
}

/** An expected failure: `message` says what happened in one sentence, `next` what to do about it. */
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

  /** @returns the same failure but for what is given; what is given as undefined is no part of it */
  with(change: Partial<FailureDetails> & { kind?: FailureKind; message?: string }): Failure {
    const { kind = this.kind, message = this.message, ...details } = change;
    return new Failure(kind, message, { ...this, cause: this.cause, ...details });
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind];
  }
}

/**
 * Bad usage or input.
 * @param next what the user does now, in one sentence
 * @param details `sent: false` where the command would have sent something
 */
export function usage(
  code: string,
  message: string,
  next: string,
  details: Pick<FailureDetails, 'sent' | 'cause'> = {},
): Failure {
  return new Failure('usage', message, { code, next, ...details });
}

/** Somebody took a question back, before anything was sent. */
export function cancelled(cause?: unknown): Failure {
  return new Failure('interrupted', 'Cancelled.', {
    code: 'cancelled',
    next: '',
    sent: false,
    cause,
  });
}

/**
 * Runs work whose questions may be taken back, where a request is not what they are about.
 * @param next what did not happen then, in one sentence
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

/** @returns what work comes to, or the Failure that it ends in. @throws whatever else it ends in */
export function orFailure<T>(work: Promise<T>): Promise<T | Failure> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
}

/**
 * What cannot be otherwise, unless gw has a defect.
 * @throws Error, which ends the program as a defect: nothing goes on from a state that cannot be
 */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`This cannot be: ${what}`);
}
