/** The checks of one profile: its credentials, and its gateway. */

import { capitalised } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { wrongMode } from '../../client/guards/guard.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import {
  type Resolved,
  type ResolvedProfile,
  resolveCredentials,
  resolveProfile,
} from '../../client/profiles/resolve.ts';
import { storeFile } from '../../emulator/schema.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { startLimit } from '../../host/http/limit.ts';
import { trustAdvice } from '../../host/http/transport-reason.ts';
import { tryCredentials } from '../../setup/try-credentials.ts';
import { emulatorPath } from '../../store/paths.ts';
import { checkWritable } from '../../store/sqlite/open-file.ts';
import { limitsText } from '../../view/panels/profile-panel.ts';
import { settingsOf } from '../../view/records/profile.ts';
import type { CheckResult, Finding } from './check.ts';
import { checked, failed, findingOf, ok } from './finding.ts';

/** A credentialCommand that waits for a person is stopped after this time. */
const COMMAND_TIMEOUT_MS = 10_000;
/** The time limit of the look-up, including its repeats. */
const LOOK_UP_TIMEOUT_MS = 10_000;

/** A check asks the user nothing, and keeps nothing that it sees. */
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

/** The parts of the context by which the gateway of a profile is tried. */
export type ProfileContext = Parameters<typeof tryCredentials>[0];

/**
 * @param name of an existing profile
 * @param isOffline asks no gateway
 * @returns the findings; without credentials the gateway is not asked
 */
export async function checkProfile(
  context: ProfileContext,
  name: string,
  isOffline: boolean,
): Promise<CheckResult[]> {
  const of = (check: string, finding: Finding) => checked(check, finding, name);
  const { env, files } = context.host;
  // With GW_PROFILE, the environment's credentials belong to this profile. So the variable must decide, and not a flag.
  const flag = env.GW_PROFILE === name ? undefined : name;
  const resolved = await orFailure(
    resolveProfile({ flag, env, files }).then((choice) => credentialsOf(choice, context.host)),
  );
  const credentials = of('credentials', await findingOf(checkCredentials(resolved)));
  if (resolved instanceof Failure) return [credentials];
  const { profile } = resolved;
  if (profile.environment === 'local')
    return [credentials, of('gateway', await findingOf(checkEmbedded(context.host)))];
  const limits = limitsText(settingsOf(profile));
  const known = [credentials, ...(limits === 'none' ? [] : [of('limits', ok(limits))])];
  if (isOffline) return known;
  return [...known, of('gateway', await findingOf(checkGateway(context, resolved)))];
}

/**
 * Finds credentials without asking anybody to unlock a keychain, and without waiting for a person.
 * @throws Failure auth if there are none that could be sent
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

/** Checks whether a profile has credentials, and their source. Their values are neither shown nor read. */
async function checkCredentials(resolved: Resolved | Failure): Promise<Finding> {
  if (resolved instanceof Failure) throw resolved;
  return ok(resolved.why.at(-1)?.sentence ?? 'there');
}

/** Checks whether the test gateway's state is usable. A missing state is not created. */
export async function checkEmbedded({
  files,
  clock,
}: Pick<Host, 'files' | 'clock'>): Promise<Finding> {
  const path = emulatorPath(files);
  checkWritable(storeFile(path));
  if (files.size(path) === 0) return ok('built in, no state yet: the first request creates it');
  const { openState } = await import('../../emulator/state.ts');
  openState({ path, clock }).close();
  return ok(`built in, its state is in ${path}`);
}

/**
 * Checks by one harmless look-up whether the gateway can be reached, accepts the credentials, and is in the profile's
 * mode.
 * @throws Failure notReached if it takes too long; interrupted
 */
export async function checkGateway(context: ProfileContext, resolved: Resolved): Promise<Finding> {
  const { profile } = resolved;
  const limit = startLimit(context.host.interrupted, LOOK_UP_TIMEOUT_MS);
  const account = { profile, credentials: async () => resolved.credentials };
  const parts = { interrupted: limit.signal };
  try {
    const asked = await orFailure(tryCredentials(quiet(context), account, OPTIONS, parts));
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

/** Drops the note that this look-up is not kept, since the user did not ask for it. */
function quiet({ host, ...context }: ProfileContext): ProfileContext {
  const stderr: Host['stderr'] = Object.create(host.stderr, { write: { value: async () => {} } });
  return { ...context, host: Object.create(host, { stderr: { value: stderr } }) };
}

function wrongModeFinding(wrong: string, name: string): Finding {
  return failed(
    'auth',
    `${capitalised(wrong)}.`,
    `Send nothing until you know which one it is. Check with \`gw whoami -p ${name}\`, correct with \`gw profile set ${name} --base-url URL\`.`,
  );
}

/** A user who only wanted to send is told to try again; a user of `gw doctor` gets the possible causes. */
function remedyOf({ code, message, next }: Failure, { name }: Profile): string {
  if (code !== 'not-reached' || trustAdvice(message) !== undefined) return next;
  return `Check the network, and the base address with \`gw whoami -p ${name}\`.`;
}

function tooSlow({ profile: { name, baseUrl } }: Resolved): Failure {
  return new Failure(
    'not-reached',
    `${baseUrl.host} did not answer within ${LOOK_UP_TIMEOUT_MS / 1000} seconds.`,
    `Try again in a moment: \`gw doctor --profile ${name}\`.`,
  );
}
