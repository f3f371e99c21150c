/**
 * Which profile a command works with, and whose credentials.
 *
 * The profile: the flag; then GW_PROFILE; then GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and
 * GW_ENVIRONMENT together; then the default profile. Of the four, some without the others are a
 * mistake that is named, never a reason to go on to a default that may be another account.
 *
 * The credentials: the environment's; then what the profile's credentialCommand prints; then the
 * keychain. A credentialCommand that fails is not passed over.
 *
 * The environment's credentials go to a named profile only when the environment itself says that
 * they belong to it: GW_PROFILE names it, or GW_BASE_URL and GW_ENVIRONMENT are its own. Otherwise
 * a sandbox token that happens to be exported would go to the live gateway with `--profile live`,
 * and the other way round. With the flag such credentials are passed over, and `why` says so. An
 * environment that contradicts itself, without a flag to decide, is refused. A variable that is set
 * to nothing counts as not set, which is what a secret that is missing in CI looks like.
 */
import { Failure, usage } from '../failure.ts';
import type { Keychain, Shell } from '../host/host.ts';
import { faultOf, parseBaseUrl } from './base-url.ts';
import {
  type Credentials,
  checkCredentials,
  loadCredentials,
  parseCredentials,
} from './credentials.ts';
import { checkName, ENVIRONMENT_PROFILE, type Environment, type Profile } from './profile.ts';
import { type ProfileFiles, profilesFile, readProfiles, showProfile } from './store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Time for a credentialCommand, in which a person may have to unlock something. */
const CREDENTIAL_COMMAND_TIMEOUT_MS = 60_000;

const FOUR = ['GW_USERNAME', 'GW_API_TOKEN', 'GW_BASE_URL', 'GW_ENVIRONMENT'] as const;
const OTHER_WAYS =
  'set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a credentialCommand (`gw profile set`)';

/** What became of one place that a profile or credentials could come from. */
interface Reason {
  outcome: 'chosen' | 'not set' | 'skipped';
  /** One sentence, for `gw whoami`. */
  sentence: string;
}

type ChosenBy = 'flag' | 'GW_PROFILE' | 'environment' | 'default';

export interface Choice {
  profile: Profile;
  chosenBy: ChosenBy;
  why: readonly Reason[];
}

export interface Resolved extends Choice {
  /** undefined for the embedded gateway, which needs none from here. */
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

/** @throws Failure usage or auth when no profile is chosen, or the one that is cannot be used */
export async function resolveProfile({ flag, env, files }: ProfileSources): Promise<Choice> {
  const named = env.GW_PROFILE || undefined;
  const why: Reason[] = [];
  const choose = (chosenBy: ChosenBy, profile: Profile, sentence: string): Choice => {
    why.push({ outcome: 'chosen', sentence });
    skipRest(why, chosenBy, env);
    return { profile, chosenBy, why };
  };

  if (flag !== undefined) {
    return choose(
      'flag',
      await find(flag, env, files),
      `The profile is ${flag}: --profile names it.`,
    );
  }
  why.push({ outcome: 'not set', sentence: '--profile is not given.' });

  if (named !== undefined) {
    return choose(
      'GW_PROFILE',
      await find(named, env, files),
      `The profile is ${named}: GW_PROFILE names it.`,
    );
  }
  why.push({ outcome: 'not set', sentence: 'GW_PROFILE is not set.' });

  if (FOUR.some((name) => env[name])) {
    return choose(
      'environment',
      environmentProfile(env),
      'The profile is made of GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT.',
    );
  }
  why.push({
    outcome: 'not set',
    sentence: 'None of GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT is set.',
  });

  const profile = await defaultProfile(files);
  return choose('default', profile, `The profile is ${profile.name}: it is the default profile.`);
}

/** @throws Failure auth when there are no credentials, naming every way to give some */
export async function resolveCredentials(
  choice: Choice,
  sources: CredentialSources,
): Promise<Resolved> {
  const { profile } = choice;
  const why = [...choice.why];
  const done = (credentials: Credentials | undefined, sentence: string): Resolved => {
    why.push({ outcome: 'chosen', sentence });
    return { ...choice, credentials, why };
  };
  if (profile.environment === 'local') {
    why.push(notUsed(sources.env, 'the embedded gateway needs none'));
    return done(undefined, 'The embedded gateway needs no credentials.');
  }

  const mismatch = whyNotTheirs(choice, sources.env);
  if (mismatch === undefined) {
    const credentials = checkCredentials(
      sources.env.GW_USERNAME,
      sources.env.GW_API_TOKEN,
      'The content of GW_USERNAME and GW_API_TOKEN',
      'Set both again.',
    );
    return done(credentials, 'The credentials are those of GW_USERNAME and GW_API_TOKEN.');
  }
  why.push(mismatch);

  if (profile.credentialCommand !== undefined) {
    const text = await sources.shell.run(profile.credentialCommand, CREDENTIAL_COMMAND_TIMEOUT_MS);
    const credentials = parseCredentials(
      text,
      `What the credentialCommand of ${profile.name} prints`,
      'Make it print one JSON object: {"username": "…", "apiToken": "…"}.',
    );
    return done(
      credentials,
      `The credentials are what the credentialCommand of ${profile.name} prints.`,
    );
  }
  why.push({ outcome: 'not set', sentence: `${profile.name} has no credentialCommand.` });

  const credentials = await loadCredentials(sources.keychain, profile.name);
  if (credentials) {
    return done(
      credentials,
      `The credentials are those that the keychain holds for ${profile.name}.`,
    );
  }
  throw new Failure('auth', `There are no credentials for the profile ${profile.name}.`, {
    next:
      mismatch.outcome === 'skipped'
        ? `${mismatch.sentence} Say that they belong to it with GW_PROFILE=${profile.name}, or run \`gw login ${profile.name}\`.`
        : `Run \`gw login ${profile.name}\`; or ${OTHER_WAYS}.`,
  });
}

/** @returns why the environment's credentials are not for the profile, or undefined when they are */
function whyNotTheirs({ profile, chosenBy }: Choice, env: Env): Reason | undefined {
  if (profile.name === ENVIRONMENT_PROFILE) return undefined;
  const set = credentialVariables(env);
  const skip = (because: string): Reason => notUsed(env, because);
  if (set.length === 0) return notUsed(env, '');

  const contradiction = contradictionOf(profile, env);
  const missing = set.length === 1 ? missingOf(env, ['GW_USERNAME', 'GW_API_TOKEN']) : [];
  if (chosenBy === 'GW_PROFILE') {
    if (missing.length > 0) throw incomplete(missing);
    if (contradiction !== undefined) {
      throw usage(
        `GW_PROFILE names ${profile.name}, but ${contradiction}.`,
        `Unset GW_BASE_URL and GW_ENVIRONMENT to send GW_USERNAME and GW_API_TOKEN to ${profile.name}, or unset GW_PROFILE.`,
      );
    }
    return undefined;
  }
  if (missing.length > 0) return skip(`${missing[0]} is not set`);
  if (contradiction !== undefined) return skip(contradiction);
  const isSaid = env.GW_PROFILE === profile.name || (env.GW_BASE_URL && env.GW_ENVIRONMENT);
  return isSaid ? undefined : skip(`nothing says that they belong to ${profile.name}`);
}

function credentialVariables(env: Env): string[] {
  return ['GW_USERNAME', 'GW_API_TOKEN'].filter((name) => env[name]);
}

/** Says of the environment's credentials that they are not set, or set and not used. */
function notUsed(env: Env, because: string): Reason {
  const set = credentialVariables(env);
  if (set.length === 0) {
    return { outcome: 'not set', sentence: 'GW_USERNAME and GW_API_TOKEN are not set.' };
  }
  const are = set.length === 1 ? 'is' : 'are';
  return {
    outcome: 'skipped',
    sentence: `${set.join(' and ')} ${are} set but not used: ${because}.`,
  };
}

/** @returns what the environment says that the profile is not, or undefined */
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
  checkName(name);
  return name === ENVIRONMENT_PROFILE ? environmentProfile(env) : await showProfile(files, name);
}

function environmentProfile(env: Env): Profile {
  const missing = missingOf(env, FOUR);
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
    'GW_ENVIRONMENT is neither live nor sandbox.',
    'Set it to the one that GW_BASE_URL is.',
  );
}

function missingOf(env: Env, names: readonly string[]): string[] {
  return names.filter((name) => !env[name]);
}

function incomplete(missing: readonly string[]): Failure {
  const verb = missing.length === 1 ? 'is' : 'are';
  return usage(
    `Some of GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT are set, but ${missing.join(' and ')} ${verb} not.`,
    `Set ${missing.join(' and ')} too; or name the profile that they belong to with GW_PROFILE; or unset all of them.`,
  );
}

async function defaultProfile(files: ProfileFiles): Promise<Profile> {
  const stored = await readProfiles(files);
  if (stored.default !== undefined && stored.profiles.has(stored.default)) {
    return await showProfile(files, stored.default);
  }
  if (stored.default !== undefined) {
    throw usage(
      `The default profile ${stored.default} is not in ${profilesFile(files)}.`,
      'Choose another with `gw profile use NAME`; `gw profile list` shows the ones there are.',
    );
  }
  if (stored.profiles.size > 0) {
    throw new Failure('auth', 'No profile is chosen, and there is no default one.', {
      next: `Add --profile ${[...stored.profiles.keys()].join(' or --profile ')}, or make one the default: \`gw profile use NAME\`.`,
    });
  }
  throw new Failure('auth', 'No profile is set up on this machine.', {
    next: `Run \`gw login sandbox\`; or ${OTHER_WAYS}; or try gw without a gateway: --profile local.`,
  });
}

/** Says of the places after the chosen one that they were not looked at. */
function skipRest(why: Reason[], chosenBy: ChosenBy, env: Env): void {
  const decides = { flag: '--profile', GW_PROFILE: 'GW_PROFILE', environment: 'the environment' };
  if (chosenBy === 'default') return;
  const decider = `because ${decides[chosenBy]} decides`;
  if (chosenBy === 'flag') {
    why.push(
      env.GW_PROFILE
        ? {
            outcome: 'skipped',
            sentence: `GW_PROFILE (${env.GW_PROFILE}) is passed over, ${decider}.`,
          }
        : { outcome: 'not set', sentence: 'GW_PROFILE is not set.' },
    );
  }
  why.push({ outcome: 'skipped', sentence: `The default profile is passed over, ${decider}.` });
}
