/** Failures of a ledger, whatever keeps it. */
import { Failure } from '../failure.ts';

/** @returns what an outcome throws whose entry is gone */
export function entryLost(): Failure {
  return new Failure('guard', 'The ledger no longer has the entry for this request.', {
    code: 'entry-lost',
    next: 'Look up the record before you send it again.',
  });
}

/** A ledger that cannot be used stands in the way of the request, whatever is wrong with it. */
export async function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure) || error.sent === false) throw error;
    throw error.with({ kind: 'guard', sent: false });
  }
}
