/** All that is looked at of one profile, in the order in which one thing rests on another. */
import { LOCAL_PROFILE, type Profile } from '../../client/profiles/profile.ts';
import {
  type Choice,
  type Resolved,
  resolveCredentials,
  resolveProfile,
} from '../../client/profiles/resolve.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Clock, Host } from '../../host/host.ts';
import { emulatorPath } from '../../store/paths.ts';
import type { Checked, Finding } from '../../view/records/check.ts';
import { ask, authenticationFinding, clockFinding, environmentFinding } from './answer.ts';
import { checkReachability } from './connection.ts';
import { checked, failedBy, ok } from './finding.ts';

/**
 * @param name of a profile that is there
 * @param isOffline asks no gateway
 * @returns its findings; what rests on something that failed is left out
 */
export async function checkProfile(
  context: Context,
  name: string,
  isOffline: boolean,
): Promise<Checked[]> {
  const of = (check: string, finding: Finding) => checked(check, finding, name);
  const { env, files } = context.host;
  // GW_PROFILE says that the credentials of the environment are its own, so it has to be what decides.
  const flag = env.GW_PROFILE === name ? undefined : name;
  const choice = await orFailure(resolveProfile({ flag, env, files }));
  if (choice instanceof Failure) return [of('credentials', failedBy(choice))];
  if (choice.profile.environment === 'local') return checkLocal(context, choice.profile, isOffline);
  const [credentials, reached] = await Promise.all([
    checkCredentials(choice, context.host),
    isOffline ? undefined : checkReachability(choice.profile, context.host),
  ]);
  const found = [of('credentials', credentials.finding)];
  if (!reached) return found;
  found.push(of('reachability', reached.reachability));
  if (reached.tls) found.push(of('tls', reached.tls));
  if (!credentials.resolved || !reached.tls || reached.tls.state === 'failed') return found;

  const asked = await ask(context, credentials.resolved);
  found.push(of('authentication', authenticationFinding(asked)));
  if (!asked.failure || asked.test !== undefined)
    found.push(of('environment', environmentFinding(choice.profile, asked)));
  if (asked.skewMs !== undefined) found.push(of('clock', clockFinding(asked.skewMs)));
  return found;
}

async function checkLocal(
  { host }: Context,
  profile: Profile,
  isOffline: boolean,
): Promise<Checked[]> {
  const path = emulatorPath(host.files);
  const of = (check: string, finding: Finding) => checked(check, finding, profile.name);
  const found = [
    of('credentials', ok('the embedded gateway needs none')),
    of('state', await checkEmbeddedState(path, host.files.size(path), host.clock)),
  ];
  if (isOffline) return found;
  const { reachability } = await checkReachability(profile, host);
  return [...found, of('served', checkServed(reachability.state === 'ok'))];
}

/** A credentialCommand that waits for a person is given up. */
const COMMAND_TIMEOUT_MS = 10_000;

export interface FoundCredentials {
  finding: Finding;
  /** undefined where there are none that could be sent. */
  resolved: Resolved | undefined;
}

/** Whether a profile has credentials, and where from. What they are is neither shown nor looked at. */
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

/**
 * Whether the embedded gateway, which the profile local is, can be used.
 * @param path of its state; one that is not there is not made
 */
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
