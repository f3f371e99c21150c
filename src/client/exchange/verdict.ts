/** What the answer to a request, or its absence, means. */
import type { FailureKind } from '../../failure.ts';

export type Verdict = keyof typeof KINDS;

/** What is known of a request that was not processed, or perhaps not; also the code of its failure. */
export const KINDS = {
  'credentials-refused': 'auth',
  'not-permitted': 'auth',
  'not-found': 'notFound',
  'too-many-requests': 'rejected',
  'rejected-by-gateway': 'rejected',
  'not-reached': 'notReached',
  'lease-over': 'notReached',
  'no-trustworthy-answer': 'notReached',
  'contradictory-answer': 'notReached',
  'outcome-unknown': 'unknown',
  interrupted: 'interrupted',
} as const satisfies Readonly<Record<string, FailureKind>>;
