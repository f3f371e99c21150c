/** The checks of one profile: its credentials, and the gateway that they are for. */

import { openConnection } from '../../cli/open-connection.ts';
import { verifyCredentials } from '../../client/connection/call.ts';
import { wrongMode } from '../../client/connection/guard.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import {
  type Resolved,
  type ResolvedProfile,
  resolveCredentials,
  resolveProfile,
} from '../../client/profiles/resolve.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { startLimit } from '../../host/http/limit.ts';
import { emulatorPath } from '../../store/paths.ts';
import type { Checked, Finding } from '../../view/records/check.ts';
import { checked, failed, findingOf, ok } from './finding.ts';

/** A credentialCommand that waits for a person is given up. */
const COMMAND_TIMEOUT_MS = 10_000;
/** With its repeats. */
const LOOK_UP_TIMEOUT_MS = 10_000;

/** Nothing is asked of anybody, and nothing that was seen is kept. */
const OPTIONS: RequestOptions = {
  profile: undefined,
  confirmedProfile: undefined,
  timeoutMs: undefined,
  recordsMoney: false,
  refusesDuplicates: false,
  refusesOverRefunds: false,
  isDebugging: false,
  isDryRun: false,
  isRaw: false,
  mayAsk: false,
};

/**
 * @param name of a profile that is there
 * @param isOffline asks no gateway
 * @returns the findings; without credentials the gateway is not asked
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
  const resolved = await orFailure(
    resolveProfile({ flag, env, files }).then((choice) => credentialsOf(choice, context.host)),
  );
  const credentials = of('credentials', await findingOf(checkCredentials(resolved)));
  if (resolved instanceof Failure) return [credentials];
  const { environment } = resolved.profile;
  if (environment === 'local')
    return [credentials, of('gateway', await findingOf(checkEmbedded(context.host)))];
  if (isOffline) return [credentials];
  return [credentials, of('gateway', await findingOf(checkGateway(context, resolved)))];
}

/**
 * Nobody is asked to unlock a keychain, and nobody is waited for.
 * @throws Failure auth when there are none that could be sent
 */
export function credentialsOf(
  choice: ResolvedProfile,
  { env, shell, keychain }: Pick<Host, 'env' | 'shell' | 'keychain'>,
): Promise<Resolved> {
  return resolveCredentials(choice, {
    env,
    shell: { run: (line) => shell.run(line, COMMAND_TIMEOUT_MS) },
    keychain: { get: (account) => keychain.peek(account) },
  });
}

/** Whether a profile has credentials, and where from. What they are is neither shown nor looked at. */
async function checkCredentials(resolved: Resolved | Failure): Promise<Finding> {
  if (resolved instanceof Failure) throw resolved;
  return ok(resolved.why.at(-1)?.sentence ?? 'there');
}

/** Whether the state of the embedded gateway can be used; one that is not there is not made. */
export async function checkEmbedded({
  files,
  clock,
}: Pick<Host, 'files' | 'clock'>): Promise<Finding> {
  const path = emulatorPath(files);
  if (files.size(path) === 0) return ok('embedded, no state yet; the first request creates it');
  const { openState } = await import('../../emulator/state.ts');
  openState({ path, clock }).close();
  return ok(`embedded, its state is in ${path}`);
}

/**
 * Whether the gateway can be reached, takes the credentials, and is in the mode that the profile says, by one harmless
 * look-up.
 * @throws Failure notReached when it takes too long, interrupted
 */
export async function checkGateway(context: Context, resolved: Resolved): Promise<Finding> {
  const { profile } = resolved;
  const limit = startLimit(context.host.interrupted, LOOK_UP_TIMEOUT_MS);
  // `allowedCommands` limits commands, and this look-up is not one.
  const account = {
    profile: { ...profile, allowedCommands: undefined },
    credentials: async () => resolved.credentials,
  };
  try {
    const gateway = openConnection(quiet(context), account, OPTIONS, {
      interrupted: limit.signal,
    });
    const asked = await orFailure(verifyCredentials(gateway));
    if (context.host.interrupted.aborted) throw context.host.interrupted.reason;
    const test = asked instanceof Failure ? asked.test : asked.envelope.test;
    const wrong = wrongMode(profile, test);
    if (wrong !== undefined) return wrongModeFinding(wrong, profile.name);
    if (limit.signal.aborted) throw tooSlow(resolved);
    if (asked instanceof Failure)
      return failed(asked.kind, asked.message, remedyOf(asked, profile));
    const mode =
      test === undefined ? 'does not say whether it is live' : `is ${profile.environment}`;
    return ok(`${profile.baseUrl.host} answers, accepts the credentials and ${mode}`);
  } finally {
    limit.release();
  }
}

/** Drops the note that this look-up is not kept: nobody asked for that. */
function quiet({ host, ...context }: Context): Context {
  const stderr: Host['stderr'] = Object.create(host.stderr, { write: { value: async () => {} } });
  return { ...context, host: Object.create(host, { stderr: { value: stderr } }) };
}

function wrongModeFinding(wrong: string, name: string): Finding {
  return failed(
    'auth',
    `${wrong[0]?.toUpperCase()}${wrong.slice(1)}.`,
    `Send nothing until you know which one it is. Check with \`gw profile show ${name}\`, correct with \`gw profile set ${name} --base-url URL\`.`,
  );
}

/** Whoever only wanted to send is told to try again; whoever looks for the cause, what it may be. */
function remedyOf({ code, next }: Failure, { name, baseUrl }: Profile): string {
  if (code !== 'not-reached') return next;
  const check = `Check the network, and the base address with \`gw profile show ${name}\``;
  return baseUrl.protocol === 'https:'
    ? `${check}. To trust a certificate authority of your own, set NODE_EXTRA_CA_CERTS=FILE.`
    : `${check}.`;
}

function tooSlow({ profile: { name, baseUrl } }: Resolved): Failure {
  return new Failure(
    'notReached',
    `${baseUrl.host} did not answer within ${LOOK_UP_TIMEOUT_MS / 1000} seconds.`,
    { code: 'not-reached', next: `Try again in a moment: \`gw doctor --profile ${name}\`.` },
  );
}
