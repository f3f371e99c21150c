/** Logs in to a gateway: asks for credentials, tries them, and stores them in the keychain. */

import type { FlagValues } from '../../cli/flags/flag.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
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
  type ProfileFiles,
  readProfiles,
  setProfile,
  showProfile,
} from '../../client/profiles/store.ts';
import { explainCancellation, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host, Input } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { profileChoices } from '../../requests/asked-argument.ts';
import { tellSameCommand } from '../../requests/asking.ts';
import type { AskingContext } from '../../requests/open-connection.ts';
import { Questions } from '../../requests/questions.ts';
import { askForBaseUrl, askForEnvironment, ENVIRONMENTS } from '../../setup/ask-target.ts';
import { confirmsLifted } from '../../setup/confirm-profile-change.ts';
import { tryCredentials } from '../../setup/try-credentials.ts';
import { liveWarning, namedProfile } from '../../view/text/environment.ts';

const MAX_TOKEN_BYTES = 16 * 1024;

/** The tries for typed credentials. */
const MAX_ATTEMPTS = 3;

/** The profile of a login that names none, where gw cannot ask. */
export const USUAL_PROFILE = 'sandbox';

export interface LoginOptions {
  environment: 'live' | 'sandbox' | undefined;
  baseUrl: string | undefined;
  username: string | undefined;
  /** Whether the API token comes on stdin; gw then asks nothing. */
  hasTokenOnStdin: boolean;
  /** Whether to store only the password of the shared ledger. */
  isForLedger: boolean;
  request: RequestOptions;
  /** The flags as they were typed. */
  typed: FlagValues;
}

/**
 * Logs in, then checks the password of the profile's ledger. With `isForLedger`, it only handles that password.
 * @param named the profile, if it was named
 * @throws Failure, with nothing stored, if the credentials are not accepted
 */
export async function logIn(
  context: Context,
  named: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const { host } = context;
  const questions = new Questions(host.prompts);
  const name = named ?? (await profileFor(host.files, { options, questions }));
  if (options.isForLedger) {
    const { logInToLedger } = await import('./log-in-to-ledger.ts');
    const isNamed = host.env.GW_LEDGER_URL === undefined;
    const profile = isNamed ? await showProfile(host.files, name) : undefined;
    return logInToLedger(context, name, { profile, options: options.request });
  }
  const said = { words: ['login', name], typed: options.typed };
  const tell = () => tellSameCommand(host.stderr, questions, said, ', with the API token on stdin');
  const signingIn = signIn(context, name, { options, questions });
  const profile = await explainCancellation('Nothing was changed.', () => signingIn).catch(
    async (error) => {
      if (error instanceof Failure) await tell();
      throw error;
    },
  );
  questions.end();
  await tell();
  const { checkLedgerLogin } = await import('./log-in-to-ledger.ts');
  await checkLedgerLogin(context, profile.name, { profile, options: options.request });
}

/** The parts of the context by which credentials are read, tried and stored. */
interface LoginContext extends AskingContext {
  host: AskingContext['host'] & Pick<Host, 'stdin'>;
}

interface Login {
  options: LoginOptions;
  questions: Questions;
}

/** @returns whether gw may ask for whatever is missing */
function asksForAll({ request, hasTokenOnStdin }: LoginOptions): boolean {
  return !hasTokenOnStdin && request.mayAsk;
}

/** @returns the profile that a person picks; `sandbox` if gw cannot ask */
async function profileFor(files: ProfileFiles, { options, questions }: Login): Promise<string> {
  if (!asksForAll(options)) return USUAL_PROFILE;
  const stored = (await profileChoices(files)).filter(({ value }) => value !== LOCAL_PROFILE.name);
  const isStored = new Set(stored.map(({ value }) => value));
  const fresh = ENVIRONMENTS.filter(({ value }) => !isStored.has(value));
  return explainCancellation('Nothing was changed.', () =>
    questions.select('Profile:', [...stored, ...fresh]),
  );
}

async function signIn(context: LoginContext, name: string, login: Login): Promise<Profile> {
  const { files, keychain, stderr } = context.host;
  // Opens the keychain before the first question, so that nobody answers in vain if it is missing.
  await login.questions.preparedBy(async () => void (await keychain.get(name)));
  const profile = await profileToStore(context.host, name, login);
  const credentials = await acceptedCredentials(context, profile, login);
  const note = await saveCredentials(keychain, profile.name, credentials);
  const { isDefault } = await setProfile(files, profile.name, {
    environment: profile.environment === 'live' ? 'live' : 'sandbox',
    baseUrl: profile.baseUrl.href,
  });
  await stderr.write(
    `Signed in to ${profile.baseUrl.host} as ${neutralise(credentials.username)}; the credentials of ${namedProfile(profile)} are in the keychain.${liveWarning(profile)}\n${note}` +
      (isDefault
        ? ''
        : `Use it with --profile ${profile.name}, or make it the default: \`gw profile use ${profile.name}\`.\n`),
  );
  return profile;
}

/** The stored profile with the changes of this login; it is not saved yet. */
async function profileToStore(
  host: Pick<Host, 'files' | 'prompts' | 'stderr'>,
  name: string,
  login: Login,
): Promise<Profile> {
  const { options, questions } = login;
  const { environment: given, baseUrl, request } = options;
  checkOwnName(name);
  const stored = (await readProfiles(host.files)).profiles.has(name)
    ? await showProfile(host.files, name)
    : undefined;
  if (stored) {
    const changes = { environment: given, baseUrl };
    await confirmsLifted(host, request)(stored, await liftedGuards(stored, changes));
  }
  refuseMissing(options, {
    environment: given ?? stored?.environment ?? promisedEnvironment(name),
    'base-url': baseUrl ?? stored?.baseUrl.href,
  });
  const environment =
    given ??
    stored?.environment ??
    promisedEnvironment(name) ??
    (await askForEnvironment(questions, name));
  const address = baseUrl ?? stored?.baseUrl.href ?? (await askForBaseUrl(questions, environment));
  return { ...stored, name, environment, baseUrl: parseBaseUrl(address, 'The base address') };
}

/** A new login needs these values; each is shown as a person types it. */
const NEEDED = {
  environment: '--environment live (or sandbox)',
  'base-url': '--base-url ADDRESS',
  username: '--username NAME',
  'with-token': '--with-token',
};

/**
 * @param known the values of flags that were given or are stored
 * @throws Failure usage if gw cannot ask for what is missing: it names all of that at once
 */
function refuseMissing(
  options: LoginOptions,
  known: Readonly<Record<'environment' | 'base-url', string | undefined>>,
): void {
  if (asksForAll(options)) return;
  const { username, hasTokenOnStdin } = options;
  const given: Record<string, unknown> = {
    ...known,
    username,
    'with-token': hasTokenOnStdin || undefined,
  };
  const open = Object.entries(NEEDED).filter(([flag]) => given[flag] === undefined);
  if (open.length === 0) return;
  throw usage(
    'flag-missing',
    `Missing: ${open.map(([, typed]) => typed).join(', ')}.`,
    'Add them, with the API token on stdin, or run the command in a terminal to be asked for them.',
  );
}

/**
 * A user who typed a wrong token is asked again and keeps the other answers.
 * @throws Failure as `tryOut`
 */
async function acceptedCredentials(
  context: LoginContext,
  profile: Profile,
  login: Login,
): Promise<Credentials> {
  const { options, questions } = login;
  const { hasTokenOnStdin, request } = options;
  const asksAgain = asksForAll(options);
  let typed: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const credentials = await askForCredentials(context.host.stdin, login, typed);
    try {
      await tryOut(context, profile, credentials, request);
      if (!hasTokenOnStdin) questions.answer('with-token', true);
      return credentials;
    } catch (error) {
      const isRefused = error instanceof Failure && error.status === 401;
      if (!isRefused || !asksAgain || attempt === MAX_ATTEMPTS) throw error;
      typed = credentials.username;
      await context.host.stderr.write(`${error.message} Nothing was stored. Try again:\n`);
    }
  }
}

/** @param typed the username from the last try */
async function askForCredentials(
  stdin: Input,
  login: Login,
  typed: string | undefined,
): Promise<Credentials> {
  const { options } = login;
  const username = options.username ?? (await askForUsername(login, typed));
  const token = options.hasTokenOnStdin
    ? (await stdin.text(MAX_TOKEN_BYTES)).trim()
    : await askHidden(login);
  return checkCredentials(
    username,
    token,
    'These credentials',
    'Run the command again with the right ones.',
  );
}

async function askForUsername({ questions }: Login, typed: string | undefined): Promise<string> {
  const check = (value: string) => value.trim() !== '' || "Can't be blank";
  const initial = typed === undefined ? {} : { initial: typed };
  const username = (await questions.text('Username:', { check, ...initial })).trim();
  questions.answer('username', username);
  return username;
}

async function askHidden({ questions }: Login): Promise<string> {
  const check = (value: string) => value.trim() !== '' || "Can't be blank";
  return (await questions.hidden('API token (not shown):', { check })).trim();
}

/** @throws Failure if the gateway does not accept the credentials, or cannot be asked */
async function tryOut(
  context: AskingContext,
  profile: Profile,
  credentials: Credentials,
  request: RequestOptions,
): Promise<void> {
  const account = { profile, credentials: async () => credentials };
  try {
    const { envelope } = await tryCredentials(context, account, request);
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
    'wrong-mode',
    `You are storing a ${profile.environment} profile, but this gateway answered in ${test ? 'test' : 'live'} mode.`,
    'Nothing was stored. Check the base address, or store it under another profile with --environment.',
    { kind: 'auth' },
  );
}
