/**
 * Decides which profile a command uses, and which credentials.
 *
 * The profile: the flag; then GW_PROFILE; then GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT together; then
 * the default profile. If only some of the four are set, gw reports a mistake. It never falls back to a default, which
 * may be another account.
 *
 * The credentials: the environment's; then the output of the profile's credentialCommand; then the keychain. A failing
 * credentialCommand is an error, and the keychain is not tried.
 *
 * A named profile uses the environment's credentials only if the environment says that they belong to it. Either
 * GW_PROFILE names the profile, or GW_BASE_URL and GW_ENVIRONMENT match it. Otherwise `--profile live` would send an
 * exported sandbox token to the live gateway, and the other way round. With the flag, gw ignores unrelated credentials,
 * and `why` says so. Without it, gw refuses an environment that contradicts itself. An empty variable counts as not
 * set, because a missing secret in CI looks like that.
 */
import type { Environment } from '../../base/account.ts';
import { plural } from '../../base/text.ts';
import { Failure, usage } from '../../failure.ts';
import type { Keychain, Shell } from '../../host/host.ts';
import { WAYS_WITHOUT_KEYCHAIN } from '../../host/secret-variables.ts';
import { faultOf, parseBaseUrl } from './base-url.ts';
import {
  type Credentials,
  checkCredentials,
  loadCredentials,
  parseCredentials,
} from './credentials.ts';
import { checkName, ENVIRONMENT_PROFILE, PROFILE_VARIABLES, type Profile } from './profile.ts';
import { type ProfileFiles, profilesFile, readProfiles, showProfile } from './store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Time limit for a credentialCommand; a person may have to unlock something. */
const CREDENTIAL_COMMAND_TIMEOUT_MS = 60_000;

/** Whether a place gave the profile or the credentials. */
interface Reason {
  outcome: 'chosen' | 'not set' | 'skipped';
  /** One sentence, for `gw whoami`. */
  sentence: string;
}

type ChosenBy = 'flag' | 'GW_PROFILE' | 'environment' | 'default';

export interface ResolvedProfile {
  profile: Profile;
  chosenBy: ChosenBy;
  why: readonly Reason[];
}

export interface Resolved extends ResolvedProfile {
  /** undefined for the test gateway, which needs none. */
  credentials: Credentials | undefined;
}

export interface ProfileSources {
  /** Value of `--profile`. */
  flag: string | undefined;
  env: Env;
  files: ProfileFiles;
}

export interface CredentialSources {
  env: Env;
  shell: Shell;
  keychain: Pick<Keychain, 'get'>;
}

/** A place that may name a profile. */
interface ProfileSource {
  chosenBy: ChosenBy;
  /** The profile it names; undefined if it names none. */
  name: string | undefined;
  /** The place's name in "because … takes precedence". */
  decider: string;
  chosen: string;
  notSet: string;
  /** The place's name in "… is ignored", if an earlier place decides. */
  passedOver?: string;
}

/** In order of precedence. If none of them names a profile, the default profile applies. */
function profileSources(flag: string | undefined, env: Env): ProfileSource[] {
  const named = env.GW_PROFILE || undefined;
  return [
    {
      chosenBy: 'flag',
      name: flag,
      decider: '--profile',
      chosen: `The profile is ${flag}, from --profile.`,
      notSet: '--profile was not given.',
    },
    {
      chosenBy: 'GW_PROFILE',
      name: named,
      decider: 'GW_PROFILE',
      chosen: `The profile is ${named}, from GW_PROFILE.`,
      notSet: 'GW_PROFILE is not set.',
      passedOver: `GW_PROFILE (${named})`,
    },
    {
      chosenBy: 'environment',
      name: hasEnvironmentProfile(env) ? ENVIRONMENT_PROFILE : undefined,
      decider: 'the environment',
      chosen: 'The profile comes from GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT.',
      notSet: 'None of GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT is set.',
    },
  ];
}

/** @returns whether any variable of the environment profile is set, even if others are missing */
export function hasEnvironmentProfile(env: Env): boolean {
  return PROFILE_VARIABLES.some((name) => env[name]);
}

const chosen = (sentence: string): Reason => ({ outcome: 'chosen', sentence });
const skipped = (sentence: string): Reason => ({ outcome: 'skipped', sentence });
const notSet = (sentence: string): Reason => ({ outcome: 'not set', sentence });

/** @throws Failure usage or auth if no profile is chosen, or the chosen one cannot be used */
export async function resolveProfile({
  flag,
  env,
  files,
}: ProfileSources): Promise<ResolvedProfile> {
  const sources = profileSources(flag, env);
  const at = sources.findIndex(({ name }) => name !== undefined);
  const source = sources[at];
  if (source?.name === undefined) {
    const profile = await defaultProfile(files);
    const because = chosen(`The profile is ${profile.name}, the default.`);
    const why = [...sources.map((place) => notSet(place.notSet)), because];
    return { profile, chosenBy: 'default', why };
  }
  const because = `because ${source.decider} takes precedence`;
  const why = [
    ...sources.slice(0, at).map((place) => notSet(place.notSet)),
    chosen(source.chosen),
    ...sources.slice(at + 1).flatMap((place) => {
      if (place.passedOver === undefined) return [];
      if (place.name === undefined) return notSet(place.notSet);
      return skipped(`${place.passedOver} is ignored, ${because}.`);
    }),
    skipped(`The default profile is ignored, ${because}.`),
  ];
  const profile = await find(source.name, env, files);
  if (source.chosenBy === 'GW_PROFILE') refuseContradiction(profile, env);
  return { profile, chosenBy: source.chosenBy, why };
}

/** A GW_PROFILE left over from before would send what is meant for one gateway to another. */
function refuseContradiction(profile: Profile, env: Env): void {
  const contradiction = contradictionOf(profile, env);
  if (contradiction === undefined) return;
  throw usage(
    'environment-contradicts',
    `GW_PROFILE names ${profile.name}, but ${contradiction}.`,
    `Unset GW_PROFILE to use the gateway of GW_BASE_URL, or unset GW_BASE_URL and GW_ENVIRONMENT to use ${profile.name}.`,
  );
}

/** Credentials with their source, or why a place has none. */
interface CredentialAttempt {
  reason: Reason;
  /** A sentence: how to give others. */
  renewal?: string;
  credentials?: Credentials | undefined;
}

type CredentialSource = (
  choice: ResolvedProfile,
  sources: CredentialSources,
) => Promise<CredentialAttempt>;

/** In order of precedence. Each throws Failure if it has credentials that cannot be used. */
const CREDENTIAL_SOURCES: readonly CredentialSource[] = [
  async (choice, { env }) => {
    const mismatch = whyNotTheirs(choice, env);
    if (mismatch) return { reason: mismatch };
    return {
      reason: chosen('The credentials come from GW_USERNAME and GW_API_TOKEN.'),
      renewal: 'GW_USERNAME and GW_API_TOKEN hold them. Set both again.',
      credentials: checkCredentials(
        env.GW_USERNAME,
        env.GW_API_TOKEN,
        'The content of GW_USERNAME and GW_API_TOKEN',
        'Set both again.',
      ),
    };
  },
  async ({ profile: { name, credentialCommand } }, { shell }) => {
    if (credentialCommand === undefined)
      return { reason: notSet(`${name} has no credential command.`) };
    return {
      reason: chosen(`The credentials come from the credential command of ${name}.`),
      renewal: `The credential command of ${name} printed them: correct them where it reads them.`,
      credentials: await parseCredentials(
        await shell.run(credentialCommand, CREDENTIAL_COMMAND_TIMEOUT_MS),
        `The output of the credential command of ${name}`,
        'Make it print one JSON object: {"username": "…", "apiToken": "…"}.',
      ),
    };
  },
  async ({ profile: { name } }, { keychain }) => ({
    reason: chosen(`The credentials come from the keychain entry for ${name}.`),
    renewal: `\`gw login ${name}\` stores new ones.`,
    credentials: await loadCredentials(keychain, name),
  }),
];

/** @throws Failure auth if there are no credentials; names every way to give some */
export async function resolveCredentials(
  choice: ResolvedProfile,
  sources: CredentialSources,
): Promise<Resolved> {
  const { name, environment } = choice.profile;
  const why: Reason[] = [...choice.why];
  if (environment === 'local') {
    why.push(notUsed(sources.env, 'the built-in test gateway needs none'));
    why.push(chosen('The built-in test gateway needs no credentials.'));
    return { ...choice, credentials: undefined, why };
  }
  let unused: Reason | undefined;
  for (const source of CREDENTIAL_SOURCES) {
    const { reason, renewal, credentials } = await source(choice, sources).catch(
      (error: unknown) => {
        throw unused && error instanceof Failure
          ? error.with({ next: `${belonging(unused, name)}. ${error.next}` })
          : error;
      },
    );
    why.push(reason);
    if (credentials) return { ...choice, credentials: { ...credentials, renewal }, why };
    if (reason.outcome === 'skipped') unused = reason;
  }
  throw new Failure(
    'credentials-missing',
    `gw found no credentials for the profile ${name}.`,
    unused
      ? `${belonging(unused, name)}; otherwise run \`gw login ${name}\`.`
      : `Run \`gw login ${name}\`, unlock the keychain if it is locked, or ${WAYS_WITHOUT_KEYCHAIN}.`,
  );
}

/** The variables may be those of the profile, which nothing says. */
function belonging({ sentence }: Reason, name: string): string {
  return `${sentence} If they belong to ${name}, set GW_PROFILE=${name}`;
}

/** @returns why the environment's credentials are not for the profile; undefined if they are */
function whyNotTheirs({ profile, chosenBy }: ResolvedProfile, env: Env): Reason | undefined {
  if (profile.name === ENVIRONMENT_PROFILE) return undefined;
  const set = credentialVariables(env);
  const skip = (because: string): Reason => notUsed(env, because);
  if (set.length === 0) return notUsed(env, '');

  const missing = set.length === 1 ? missingOf(env, ['GW_USERNAME', 'GW_API_TOKEN']) : [];
  if (chosenBy === 'GW_PROFILE') {
    if (missing.length > 0) throw incomplete(missing);
    return undefined;
  }
  if (missing.length > 0) return skip(`${missing[0]} is not set`);
  const contradiction = contradictionOf(profile, env);
  if (contradiction !== undefined) return skip(contradiction);
  const isSaid = env.GW_PROFILE === profile.name || (env.GW_BASE_URL && env.GW_ENVIRONMENT);
  return isSaid ? undefined : skip(`nothing says that they belong to ${profile.name}`);
}

function credentialVariables(env: Env): string[] {
  return ['GW_USERNAME', 'GW_API_TOKEN'].filter((name) => env[name]);
}

/** @returns that the environment's credentials are not set, or set but not used */
function notUsed(env: Env, because: string): Reason {
  const set = credentialVariables(env);
  if (set.length === 0) {
    return notSet('GW_USERNAME and GW_API_TOKEN are not set.');
  }
  const are = plural(set.length, 'is', 'are');
  return skipped(`${set.join(' and ')} ${are} set but not used: ${because}.`);
}

/** @returns how the environment contradicts the profile; undefined if it does not */
function contradictionOf(profile: Profile, env: Env): string | undefined {
  if (env.GW_PROFILE && env.GW_PROFILE !== profile.name) return 'GW_PROFILE names another profile';
  if (env.GW_ENVIRONMENT && env.GW_ENVIRONMENT !== profile.environment) {
    return `GW_ENVIRONMENT is not ${profile.environment}`;
  }
  if (env.GW_BASE_URL && !isAddress(env.GW_BASE_URL, profile.baseUrl)) {
    return `GW_BASE_URL is not ${profile.baseUrl.href}`;
  }
  return undefined;
}

function isAddress(text: string, url: URL): boolean {
  return faultOf(text) === undefined && parseBaseUrl(text, 'GW_BASE_URL').href === url.href;
}

async function find(name: string, env: Env, files: ProfileFiles): Promise<Profile> {
  checkName(name, name === env.GW_PROFILE ? 'GW_PROFILE' : 'That');
  return name === ENVIRONMENT_PROFILE ? environmentProfile(env) : await showProfile(files, name);
}

function environmentProfile(env: Env): Profile {
  const missing = missingOf(env, PROFILE_VARIABLES);
  if (missing.length > 0) throw incomplete(missing);
  return {
    name: ENVIRONMENT_PROFILE,
    environment: environmentOf(env.GW_ENVIRONMENT!),
    baseUrl: parseBaseUrl(env.GW_BASE_URL!, 'GW_BASE_URL'),
  };
}

function environmentOf(value: string): Environment {
  if (value === 'live' || value === 'sandbox') return value;
  throw usage(
    'environment-invalid',
    'GW_ENVIRONMENT is neither live nor sandbox.',
    'Set it to live or sandbox, whichever GW_BASE_URL is.',
  );
}

function missingOf(env: Env, names: readonly string[]): string[] {
  return names.filter((name) => !env[name]);
}

function incomplete(missing: readonly string[]): Failure {
  const verb = plural(missing.length, 'is', 'are');
  return usage(
    'environment-incomplete',
    `Some of GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT are set, but ${missing.join(' and ')} ${verb} not.`,
    `Set ${missing.join(' and ')} too, or set GW_PROFILE to the profile they belong to, or unset them all.`,
  );
}

async function defaultProfile(files: ProfileFiles): Promise<Profile> {
  const stored = await readProfiles(files);
  if (stored.default !== undefined && stored.profiles.has(stored.default)) {
    return await showProfile(files, stored.default);
  }
  if (stored.default !== undefined) {
    throw usage(
      'default-profile-missing',
      `The default profile ${stored.default} is not in ${profilesFile(files)}.`,
      'Choose another with `gw profile use NAME`. Run `gw profile list` to see your profiles.',
    );
  }
  if (stored.profiles.size > 0) {
    throw new Failure(
      'no-profile-chosen',
      'No profile was chosen, and there is no default.',
      `Add --profile ${[...stored.profiles.keys()].join(' or --profile ')}, or set a default with \`gw profile use NAME\`.`,
    );
  }
  throw new Failure(
    'no-profile-set-up',
    'No profile is set up on this machine.',
    'Run `gw login` to set up your gateway, or add --profile local to try gw without one. ' +
      'A script can set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT instead.',
  );
}
