import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import { confirmFlag, interactionFlags, requestFlags } from '../../cli/flags/global-flags.ts';
import { targetFlags } from '../../cli/flags/profile-flags.ts';
import { logIn, USUAL_PROFILE } from './log-in.ts';

export default command({
  summary: 'Store the credentials of a profile in the keychain',
  description: `Asks for the username and the API token of an account, and tries them with a
    harmless look-up. Then it stores them in the keychain of the operating system, and nowhere else.
    If the keychain does not take them, gw says whose credentials it has, and exits with 3.

    gw creates the profile if it does not exist. If its ledger needs a password, gw asks for
    that too.

    A machine without a desktop has no keychain at first, and a container or a CI job has none: set GW_USERNAME,
    GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT there, and gw needs no login. docs/profiles-and-credentials.md has the
    steps.`,
  examples: [
    'gw login sandbox --base-url https://sandbox.gateway.example',
    'pass show gateway/token | gw login live --username shop --with-token',
    'pass show ledger/password | gw login live --ledger',
  ],
  args: {
    profile: { description: 'Name of the profile.', asked: USUAL_PROFILE },
  },
  flags: {
    ...targetFlags,
    username: option({
      description: 'Username of the account.',
      helpValue: '<username>',
      asked: true,
    }),
    'with-token': toggle({ description: 'Read the API token from stdin.' }),
    ledger: toggle({
      description:
        'Store only the password of the shared ledger; read from stdin when gw cannot ask.',
      exclusive: ['environment', 'base-url', 'username', 'with-token'],
    }),
    timeout: requestFlags.timeout,
    ...confirmFlag,
    ...interactionFlags,
  },

  run: (context, { args, flags }) =>
    logIn(context, args.profile, {
      environment: flags.environment,
      baseUrl: flags['base-url'],
      username: flags.username,
      hasTokenOnStdin: flags['with-token'] ?? false,
      isForLedger: flags.ledger ?? false,
      request: requestOptions(context.host, flags),
      typed: { ...flags },
    }),
});
