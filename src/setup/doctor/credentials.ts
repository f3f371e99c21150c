/** Whether a profile has credentials, and where from. What they are is neither shown nor looked at. */

import { type Choice, type Resolved, resolveCredentials } from '../../client/profiles/resolve.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { failedBy, ok } from './finding.ts';

/** A credentialCommand that waits for a person is given up. */
const COMMAND_TIMEOUT_MS = 10_000;

export interface FoundCredentials {
  finding: Finding;
  /** undefined where there are none that could be sent. */
  resolved: Resolved | undefined;
}

export async function checkCredentials(
  choice: Choice,
  { env, shell, keychain }: Pick<Host, 'env' | 'shell' | 'keychain'>,
): Promise<FoundCredentials> {
  try {
    const resolved = await resolveCredentials(choice, {
      env,
      shell: { run: (line) => shell.run(line, COMMAND_TIMEOUT_MS) },
      keychain: { get: (account) => keychain.peek(account) },
    });
    return { finding: ok(resolved.why.at(-1)?.sentence ?? 'there'), resolved };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return { finding: failedBy(error), resolved: undefined };
  }
}
