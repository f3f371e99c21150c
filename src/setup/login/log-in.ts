/** Signs in to a gateway: asks for credentials, tries them, and keeps them in the keychain. */
import { Questions } from '../../cli/body/questions.ts';
import { mayAsk, requestOptions } from '../../cli/flags/request-options.ts';
import { openConnection } from '../../cli/open-connection.ts';
import { verifyCredentials } from '../../client/connection/call.ts';
import { parseBaseUrl } from '../../client/profiles/base-url.ts';
import {
  type Credentials,
  checkCredentials,
  saveCredentials,
} from '../../client/profiles/credentials.ts';
import {
  checkOwnName,
  LOCAL_PROFILE,
  type Profile,
  promisedEnvironment,
} from '../../client/profiles/profile.ts';
import {
  liftedGuards,
  readProfiles,
  setProfile,
  showProfile,
} from '../../client/profiles/store.ts';
import { cancelledSaying, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { profileChoices } from '../../requests/asked-argument.ts';
import { tellSameCommand } from '../../requests/asking.ts';
import { liveWarning, namedProfile } from '../../view/text/environment.ts';
import { askForBaseUrl, askForEnvironment, ENVIRONMENTS } from './ask-target.ts';
import { confirmsLifted } from './confirm-profile-change.ts';

const MAX_TOKEN_BYTES = 16 * 1024;

/** Of credentials that somebody types. */
const MAX_ATTEMPTS = 3;

const USUAL_PROFILE = 'sandbox';

interface LoginFlags {
  environment?: 'live' | 'sandbox' | undefined;
  'base-url'?: string | undefined;
  username?: string | undefined;
  'with-token'?: boolean | undefined;
  ledger?: boolean | undefined;
  timeout?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
  confirm?: string | undefined;
}

/**
 * Then sees to the password of the profile's ledger, or with `ledger` to nothing else.
 * @param named the profile, if it was named
 * @throws Failure, with nothing stored, when the credentials are not accepted
 */
export async function logIn(
  context: Context,
  named: string | undefined,
  flags: LoginFlags,
): Promise<void> {
  const questions = new Questions(context.host.prompts);
  const name = named ?? (await profileFor(context, { flags, questions }));
  if (flags.ledger) {
    const { logInToLedger } = await import('./log-in-to-ledger.ts');
    const isNamed = context.host.env.GW_LEDGER_URL === undefined;
    const profile = isNamed ? await showProfile(context.host.files, name) : undefined;
    return logInToLedger(context, name, { ...flags, profile });
  }
  const profile = await cancelledSaying('Nothing was changed.', () =>
    signIn(context, name, { flags, questions }),
  );
  const said = { words: ['login', name], flags: { ...flags } };
  await tellSameCommand(context.host.stderr, questions, said, ', with the API token on stdin');
  const { checkLedgerLogin } = await import('./log-in-to-ledger.ts');
  await checkLedgerLogin(context, profile.name, { profile, flags });
}

interface Login {
  flags: LoginFlags;
  questions: Questions;
}

/** @returns the profile that somebody picks; `sandbox` where nobody is there to ask */
async function profileFor({ host }: Context, { flags, questions }: Login): Promise<string> {
  if (!mayAsk(host, flags) || flags['with-token']) return USUAL_PROFILE;
  const stored = (await profileChoices(host)).filter(({ value }) => value !== LOCAL_PROFILE.name);
  const isStored = new Set(stored.map(({ value }) => value));
  const fresh = ENVIRONMENTS.filter(({ value }) => !isStored.has(value));
  return cancelledSaying('Nothing was changed.', () =>
    questions.select('Profile:', [...stored, ...fresh]),
  );
}

async function signIn(context: Context, name: string, login: Login): Promise<Profile> {
  const { files, keychain, stderr } = context.host;
  // Nobody answers for a keychain that is not there.
  await login.questions.preparedBy(async () => void (await keychain.get(name)));
  const profile = await profileToStore(context, name, login);
  const credentials = await acceptedCredentials(context, profile, login);
  await saveCredentials(keychain, profile.name, credentials);
  const { isDefault } = await setProfile(files, profile.name, {
    environment: profile.environment === 'live' ? 'live' : 'sandbox',
    baseUrl: profile.baseUrl.href,
  });
  await stderr.write(
    `Signed in to ${profile.baseUrl.host} as ${neutralise(credentials.username)}; the credentials of ${namedProfile(profile)} are in the keychain.${liveWarning(profile)}\n` +
      (isDefault
        ? ''
        : `Use it with --profile ${profile.name}, or make it the default: \`gw profile use ${profile.name}\`.\n`),
  );
  return profile;
}

/** The profile as it is stored, with what the flags change; not stored yet. */
async function profileToStore(context: Context, name: string, login: Login): Promise<Profile> {
  const { flags } = login;
  checkOwnName(name);
  const stored = (await readProfiles(context.host.files)).profiles.has(name)
    ? await showProfile(context.host.files, name)
    : undefined;
  if (stored) {
    const changes = { environment: flags.environment, baseUrl: flags['base-url'] };
    await confirmsLifted(context, flags)(stored, liftedGuards(stored, changes));
  }
  const environment =
    flags.environment ??
    stored?.environment ??
    promisedEnvironment(name) ??
    (await environmentOf(context, name, login));
  const address =
    flags['base-url'] ?? stored?.baseUrl.href ?? (await baseUrlOf(context, environment, login));
  return { ...stored, name, environment, baseUrl: parseBaseUrl(address, 'The base address') };
}

/** @throws Failure usage where nobody is there to ask */
async function baseUrlOf(
  { host }: Context,
  environment: string,
  { flags, questions }: Login,
): Promise<string> {
  if (!mayAsk(host, flags) || flags['with-token']) throw missing('base-url');
  return askForBaseUrl(questions, environment);
}

function missing(flag: string): Failure {
  return usage(
    'flag-missing',
    `Missing: --${flag}.`,
    'Add it, or run the command in a terminal to be asked for it.',
  );
}

/** @throws Failure usage where nobody is there to ask */
async function environmentOf(
  { host }: Context,
  name: string,
  { flags, questions }: Login,
): Promise<'live' | 'sandbox'> {
  if (!mayAsk(host, flags) || flags['with-token'])
    throw usage(
      'environment-missing',
      `${name} is a new profile, and its name does not say whether it is live.`,
      'Add --environment live or --environment sandbox.',
    );
  return askForEnvironment(questions, name);
}

/**
 * Whoever typed a wrong token is asked again, and keeps what else was answered.
 * @throws Failure as `tryOut`
 */
async function acceptedCredentials(
  context: Context,
  profile: Profile,
  login: Login,
): Promise<Credentials> {
  const { flags, questions } = login;
  const asksAgain = mayAsk(context.host, flags) && !flags['with-token'];
  let typed: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const credentials = await askForCredentials(context, login, typed);
    try {
      await tryOut(context, profile, credentials, flags);
      if (flags.username === undefined) questions.answer('username', credentials.username);
      if (!flags['with-token']) questions.answer('with-token', true);
      return credentials;
    } catch (error) {
      const isRefused = error instanceof Failure && error.status === 401;
      if (!isRefused || !asksAgain || attempt === MAX_ATTEMPTS) throw error;
      typed = credentials.username;
      await context.host.stderr.write(`${error.message} Nothing was stored. Try again:\n`);
    }
  }
}

/** @param typed the username that was typed before */
async function askForCredentials(
  context: Context,
  login: Login,
  typed: string | undefined,
): Promise<Credentials> {
  const { flags } = login;
  const username = flags.username ?? (await askForUsername(context, login, typed));
  const token = flags['with-token']
    ? (await context.host.stdin.text(MAX_TOKEN_BYTES)).trim()
    : await askHidden(context, login);
  return checkCredentials(
    username,
    token,
    'These credentials',
    'Run the command again with the right ones.',
  );
}

/** @throws Failure usage where nobody is there to ask */
async function askForUsername(
  { host }: Context,
  { flags, questions }: Login,
  typed: string | undefined,
): Promise<string> {
  if (!mayAsk(host, flags) || flags['with-token']) throw missing('username');
  const check = (value: string) => value.trim() !== '' || "Can't be blank";
  const initial = typed === undefined ? {} : { initial: typed };
  return (await questions.text('Username:', { check, ...initial })).trim();
}

async function askHidden(context: Context, { flags, questions }: Login): Promise<string> {
  if (!mayAsk(context.host, flags)) {
    throw usage(
      'token-missing',
      'No API token given.',
      'Pipe it in with --with-token, or run the command in a terminal to be asked for it.',
    );
  }
  const token = await questions.hidden('API token (not shown):', {
    check: (value) => value.trim() !== '' || "Can't be blank",
  });
  return token.trim();
}

/** @throws Failure when the gateway does not accept the credentials, or cannot be asked */
async function tryOut(
  context: Context,
  profile: Profile,
  credentials: Credentials,
  flags: LoginFlags,
): Promise<void> {
  const account = { profile, credentials: async () => credentials };
  const options = requestOptions(context.host, flags);
  try {
    const gateway = openConnection(context, account, options);
    const { envelope } = await verifyCredentials(gateway);
    if (envelope.test === (profile.environment === 'live')) throw wrongMode(profile, envelope.test);
  } catch (error) {
    throw error instanceof Failure && error.status === 401
      ? error.with({
          next: 'Nothing was stored. Check the username, the token and the base address, then run the command again.',
        })
      : error;
  }
}

function wrongMode(profile: Profile, test: boolean): Failure {
  return new Failure(
    'auth',
    `You are storing a ${profile.environment} profile, but this gateway answered in ${test ? 'test' : 'live'} mode.`,
    {
      code: 'wrong-mode',
      next: 'Nothing was stored. Check the base address, or store it under another profile with --environment.',
    },
  );
}
