/** Signs in to a gateway: asks for credentials, tries them, and keeps them in the keychain. */
import { Failure, usage } from '../failure.ts';
import { mayAsk } from '../flags/may-ask.ts';
import { requestOptions } from '../flags/request-options.ts';
import { parseBaseUrl } from '../profiles/base-url.ts';
import { type Credentials, checkCredentials, saveCredentials } from '../profiles/credentials.ts';
import { checkOwnName, type Profile, promisedEnvironment } from '../profiles/profile.ts';
import { readProfiles, setProfile, showProfile } from '../profiles/store.ts';
import type { Context } from '../session/context.ts';
import { lookUpHarmlessly } from '../session/harmless-look-up.ts';

const MAX_TOKEN_BYTES = 16 * 1024;

interface LoginFlags {
  environment?: 'live' | 'sandbox' | undefined;
  'base-url'?: string | undefined;
  username?: string | undefined;
  'with-token'?: boolean | undefined;
  ledger?: boolean | undefined;
  timeout?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
}

/**
 * Then sees to the password of the profile's ledger, or with `ledger` to nothing else.
 * @param name of the profile
 * @throws Failure, with nothing stored, when the credentials are not accepted
 */
export async function logIn(context: Context, name: string, flags: LoginFlags): Promise<void> {
  if (flags.ledger) {
    const { logInToLedger } = await import('./log-in-to-ledger.ts');
    const isNamed = context.host.env.GW_LEDGER_URL === undefined;
    const profile = isNamed ? await showProfile(context.host.files, name) : undefined;
    return logInToLedger(context, name, { ...flags, profile });
  }
  const profile = await profileToStore(context, name, flags);
  const credentials = await askForCredentials(context, flags);
  await tryOut(context, profile, credentials, flags);
  await saveCredentials(context.host.keychain, profile.name, credentials);
  const { isDefault } = await setProfile(context.host.files, profile.name, {
    environment: profile.environment === 'live' ? 'live' : 'sandbox',
    baseUrl: profile.baseUrl.href,
  });
  await context.host.stderr.write(
    `Signed in to ${profile.baseUrl.host} as ${credentials.username}; the credentials of ${profile.name} are in the keychain.\n` +
      (isDefault
        ? ''
        : `Use it with --profile ${profile.name}, or make it the default: \`gw profile use ${profile.name}\`.\n`),
  );
  const { checkLedgerLogin } = await import('./log-in-to-ledger.ts');
  await checkLedgerLogin(context, profile.name, { profile, flags });
}

/** The profile as it is stored, with what the flags change; not stored yet. */
async function profileToStore(context: Context, name: string, flags: LoginFlags): Promise<Profile> {
  checkOwnName(name);
  const stored = (await readProfiles(context.host.files)).profiles.has(name)
    ? await showProfile(context.host.files, name)
    : undefined;
  const environment = flags.environment ?? stored?.environment ?? promisedEnvironment(name);
  if (!environment) {
    throw usage(
      'environment-missing',
      `${name} is a new profile, and its name does not say what it is.`,
      'Add --environment live or --environment sandbox.',
    );
  }
  const address =
    flags['base-url'] ??
    stored?.baseUrl.href ??
    (await askFor(context, 'base-url', 'Base address of the gateway:', flags));
  return { ...stored, name, environment, baseUrl: parseBaseUrl(address, 'The base address') };
}

async function askForCredentials(context: Context, flags: LoginFlags): Promise<Credentials> {
  const username = flags.username ?? (await askFor(context, 'username', 'Username:', flags));
  const token = flags['with-token']
    ? (await context.host.stdin.text(MAX_TOKEN_BYTES)).trim()
    : await askHidden(context, flags);
  return checkCredentials(
    username,
    token,
    'These credentials',
    'Run the command again with the right ones.',
  );
}

async function askFor(
  context: Context,
  flag: string,
  question: string,
  flags: LoginFlags,
): Promise<string> {
  if (!mayAsk(context.host, flags) || flags['with-token']) {
    throw usage(
      'flag-missing',
      `Missing: --${flag}.`,
      'Add it, or run the command in a terminal to be asked for it.',
    );
  }
  return (
    await context.host.prompts.text(question, {
      check: (value) => value.trim() !== '' || "Can't be blank",
    })
  ).trim();
}

async function askHidden(context: Context, flags: LoginFlags): Promise<string> {
  if (!mayAsk(context.host, flags)) {
    throw usage(
      'token-missing',
      'There is no API token.',
      'Pipe it in with --with-token, or run the command in a terminal to be asked for it.',
    );
  }
  return context.host.prompts.hidden('API token (not shown):', {
    check: (value) => value !== '' || "Can't be blank",
  });
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
    const { envelope } = await lookUpHarmlessly(context, account, options);
    if (envelope.test === (profile.environment === 'live')) throw wrongMode(profile, envelope.test);
  } catch (error) {
    throw error instanceof Failure && error.status === 401
      ? error.reworded({
          next: 'Nothing was stored. Check the username, the token and the base address, then run it again.',
        })
      : error;
  }
}

function wrongMode(profile: Profile, test: boolean): Failure {
  return new Failure(
    'auth',
    `${profile.name} is to be a ${profile.environment} profile, and the gateway answered ${test ? 'in test mode' : 'live'}.`,
    {
      code: 'wrong-mode',
      next: 'Nothing was stored. Check the base address, or store it under another profile with --environment.',
    },
  );
}
