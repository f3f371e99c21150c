/** Failures common to the file and the server ledger. */
import { Failure } from '../failure.ts';

/** @returns the failure for an outcome whose entry is gone */
export function entryLost(): Failure {
  return new Failure('guard', 'The ledger no longer has the entry for this request.', {
    code: 'entry-lost',
    next: 'Look up the record before you send it again.',
  });
}

/** Turns any failure of the ledger before sending into `guard` with `sent: false`, so the request is not sent. */
export function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.sent === false) throw error;
    throw error.with({ kind: 'guard', sent: false });
  });
}
