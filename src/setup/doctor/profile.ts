/** All that is looked at of one profile, in the order in which one thing rests on another. */

import type { Profile } from '../../client/profiles/profile.ts';
import { type Choice, resolveProfile } from '../../client/profiles/resolve.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { emulatorPath } from '../../store/paths.ts';
import type { Checked, Finding } from '../../view/records/check.ts';
import { ask, authenticationFinding, clockFinding, environmentFinding } from './answer.ts';
import { checkReachability } from './connection.ts';
import { checkCredentials } from './credentials.ts';
import { checkEmbeddedState, checkServed } from './embedded-gateway.ts';
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
  const choice = await chosen(context, name);
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

/** GW_PROFILE says that the credentials of the environment are its own, so it has to be what decides. */
async function chosen({ host }: Context, name: string): Promise<Choice | Failure> {
  const { env, files } = host;
  try {
    const flag = env.GW_PROFILE === name ? undefined : name;
    return await resolveProfile({ flag, env, files });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
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
