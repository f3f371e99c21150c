/** Whether an answer came from the mode that a profile is for (section 5). */
import type { Profile } from '../profiles/profile.ts';

export const CHECK_MODE =
  'Check the base address and the credentials with `gw whoami` before you go on.';

/**
 * @param test of the answer's envelope; one that does not say is of any mode
 * @returns what is wrong, as a clause, when a live gateway answers for a profile that is not live,
 *   or a test gateway for one that is
 */
export function wrongMode(
  { name, environment }: Profile,
  test: boolean | undefined,
): string | undefined {
  if (test === undefined || test !== (environment === 'live')) return undefined;
  const answered = test ? 'in TEST mode' : 'LIVE';
  return `the profile ${name} is ${environment}, but the gateway answered ${answered}`;
}
