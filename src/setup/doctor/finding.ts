/**
 * What one check finds. Each check is a small function of its own that looks at one thing, changes
 * nothing and asks nobody; what it finds is a value, also where that is bad.
 */
import type { Failure, FailureKind } from '../../failure.ts';
import type { Checked, Finding } from '../../view/records/check.ts';

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

/** @param kind in place of the failure's own */
export const failedBy = ({ kind, message, next }: Failure, as: FailureKind = kind): Finding =>
  failed(as, message, next);

/** @returns the finding as one of a check */
export function checked(check: string, finding: Finding, profile: string | null = null): Checked {
  return { check, profile, ...finding };
}
