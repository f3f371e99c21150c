/** Whether the embedded gateway, which the profile local is, can be used. */

import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import type { Finding } from '../../view/records/check.ts';
import { failedBy, ok } from './finding.ts';

/** @param path of its state; one that is not there is not made */
export async function checkEmbeddedState(
  path: string,
  size: number,
  clock: Pick<Clock, 'now'>,
): Promise<Finding> {
  if (size === 0) return ok('no state yet; the first request creates it');
  const { describeState, openState } = await import('../../emulator/state.ts');
  try {
    const store = openState({ path, clock });
    try {
      const { dialect, clock: own } = describeState(store);
      const time = own.now.toISOString().slice(0, 19);
      return ok(
        `${path}; its clock is at ${time}Z${own.frozen ? ' and is frozen' : ''}; ${dialect} dialect`,
      );
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof Failure) return failedBy(error);
    throw error;
  }
}

/** @param isServed whether somebody listens at the address of a served one */
export function checkServed(isServed: boolean): Finding {
  const { host } = LOCAL_PROFILE.baseUrl;
  return ok(
    isServed
      ? `something is listening on ${host}, where \`gw emulator start\` serves it`
      : `nothing is listening on ${host}; \`gw emulator start\` serves it there`,
  );
}
