/**
 * The result of a check. A check is a function that looks at one thing, changes nothing and asks nobody. It returns
 * what it finds, good or bad.
 */
import { Failure } from '../../failure.ts';
import type { FailureKind } from '../../failure-codes.ts';
import type { CheckResult, Finding } from './check.ts';

export const ok = (message: string): Finding => ({ state: 'ok', message });

export const warning = (message: string, next: string): Finding => ({
  state: 'warning',
  message,
  next,
});

export const failed = (kind: FailureKind, message: string, next: string): Finding => ({
  state: 'failed',
  kind,
  message,
  next,
});

/**
 * @returns the finding of a check; a failure that it throws becomes one
 * @throws Failure interrupted if the user ends it
 */
export async function findingOf(check: Promise<Finding>): Promise<Finding> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return failed(error.kind, error.message, error.next);
  }
}

/** @param profile the profile that was checked; null for this machine */
export function checked(
  check: string,
  finding: Finding,
  profile: string | null = null,
): CheckResult {
  return { check, profile, ...finding };
}
