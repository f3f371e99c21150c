import { Args, Flags } from '@oclif/core';
import { planList } from '../contract/operations.ts';
import { GwCommand } from '../dispatch/command.ts';
import { Failure, usage } from '../failure.ts';
import { interactionFlags, requestFlags } from '../flags/global-flags.ts';
import { mayAsk } from '../flags/may-ask.ts';
import { targetFlags } from '../flags/profile-flags.ts';
import { parseBaseUrl } from '../profiles/base-url.ts';
import { type Credentials, checkCredentials, saveCredentials } from '../profiles/credentials.ts';
import { checkOwnName, type Profile, promisedEnvironment } from '../profiles/profile.ts';
import { readProfiles, setProfile, showProfile } from '../profiles/store.ts';
import { Gateway } from '../session/gateway-connection.ts';

const MAX_TOKEN_BYTES = 16 * 1024;

interface LoginFlags {
  environment?: 'live' | 'sandbox' | undefined;
  'base-url'?: string | undefined;
  username?: string | undefined;
  'with-token'?: boolean | undefined;
  timeout?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
}

export default class Login extends GwCommand {
  static override summary = 'Store the credentials of a profile in the keychain';
  static override description =
    'Asks for the username and the API token of an account, tries them with a harmless look-up, and keeps ' +
    'them in the keychain of the operating system; nowhere else. A profile that does not exist yet is made.';
  static override examples = [
    '<%= config.bin %> login sandbox --base-url https://sandbox.gateway.example',
    'pass show gateway/token | <%= config.bin %> login live --username shop --with-token',
  ];
  static override args = {
    profile: Args.string({
      ignoreStdin: true,
      description: 'Name of the profile.',
      default: 'sandbox',
    }),
  };
  static override flags = {
    ...targetFlags,
    username: Flags.string({
      description: 'Username of the account; asked for when left out.',
      helpValue: '<username>',
    }),
    'with-token': Flags.boolean({ description: 'Read the API token from stdin.' }),
    timeout: requestFlags.timeout,
    ...interactionFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Login);
    const profile = await this.profile(args.profile, flags);
    const credentials = await this.credentials(flags);
    await this.tryOut(profile, credentials, flags);
    await saveCredentials(this.host.keychain, profile.name, credentials);
    const { isDefault } = await setProfile(this.host.files, profile.name, {
      environment: profile.environment === 'live' ? 'live' : 'sandbox',
      baseUrl: profile.baseUrl.href,
    });
    await this.host.stderr.write(
      `Signed in to ${profile.baseUrl.host} as ${credentials.username}; the credentials of ${profile.name} are in the keychain.\n` +
        (isDefault
          ? ''
          : `Use it with --profile ${profile.name}, or make it the default: \`gw profile use ${profile.name}\`.\n`),
    );
  }

  /** The profile as it is stored, with what the flags change; not stored yet. */
  private async profile(name: string, flags: LoginFlags): Promise<Profile> {
    checkOwnName(name);
    const stored = (await readProfiles(this.host.files)).profiles.has(name)
      ? await showProfile(this.host.files, name)
      : undefined;
    const environment = flags.environment ?? stored?.environment ?? promisedEnvironment(name);
    if (!environment) {
      throw usage(
        `${name} is a new profile, and its name does not say what it is.`,
        'Add --environment live or --environment sandbox.',
      );
    }
    const address =
      flags['base-url'] ??
      stored?.baseUrl.href ??
      (await this.askFor('base-url', 'Base address of the gateway:', flags));
    return { ...stored, name, environment, baseUrl: parseBaseUrl(address, 'The base address') };
  }

  private async credentials(flags: LoginFlags): Promise<Credentials> {
    const username = flags.username ?? (await this.askFor('username', 'Username:', flags));
    const token = flags['with-token']
      ? (await this.host.stdin.text(MAX_TOKEN_BYTES)).trim()
      : await this.askHidden(flags);
    return checkCredentials(
      username,
      token,
      'These credentials',
      'Run the command again with the right ones.',
    );
  }

  private async askFor(flag: string, question: string, flags: LoginFlags): Promise<string> {
    if (!mayAsk(this.host, flags) || flags['with-token']) {
      throw usage(
        `Missing: --${flag}.`,
        'Add it, or run the command in a terminal to be asked for it.',
      );
    }
    return (
      await this.host.prompts.text(question, {
        check: (value) => value.trim() !== '' || "Can't be blank",
      })
    ).trim();
  }

  private async askHidden(flags: LoginFlags): Promise<string> {
    if (!mayAsk(this.host, flags)) {
      throw usage(
        'There is no API token.',
        'Pipe it in with --with-token, or run the command in a terminal to be asked for it.',
      );
    }
    return this.host.prompts.hidden('API token (not shown):', {
      check: (value) => value !== '' || "Can't be blank",
    });
  }

  /** @throws Failure when the gateway does not accept the credentials, or cannot be asked */
  private async tryOut(
    profile: Profile,
    credentials: Credentials,
    flags: LoginFlags,
  ): Promise<void> {
    const account = { profile, credentials: async () => credentials };
    const gateway = new Gateway(this.context, flags, account, 1);
    try {
      const { envelope } = await gateway.call(planList, { query: { limit: '1' } });
      if (envelope.test === (profile.environment === 'live'))
        throw wrongMode(profile, envelope.test);
    } catch (error) {
      throw error instanceof Failure && error.status === 401
        ? error.reworded({
            next: 'Nothing was stored. Check the username, the token and the base address, then run it again.',
          })
        : error;
    } finally {
      await gateway.close();
    }
  }
}

function wrongMode(profile: Profile, test: boolean): Failure {
  return new Failure(
    'auth',
    `${profile.name} is to be a ${profile.environment} profile, and the gateway answered ${test ? 'in test mode' : 'live'}.`,
    {
      next: 'Nothing was stored. Check the base address, or store it under another profile with --environment.',
    },
  );
}
