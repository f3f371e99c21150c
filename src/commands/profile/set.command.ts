import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { confirmFlag, interactionFlags } from '../../cli/flags/global-flags.ts';
import { changesOf, settingFlags, targetFlags } from '../../cli/flags/profile-flags.ts';
import { setProfile } from '../../client/profiles/store.ts';
import { completeChanges } from '../../setup/ask-target.ts';
import { confirmsLifted } from '../../setup/confirm-profile-change.ts';
import { labelOfAddress, parseLedgerAddress } from '../../store/postgres/address.ts';
import { namedProfile } from '../../view/text/environment.ts';

export default command({
  summary: 'Add a profile, or change its gateway and limits',
  description: `Adds or changes a profile. Settings that you do not give stay. Store credentials with
    \`gw login\`.

    gw checks the limits before it sends a request, and refuses with exit code 10.

    With --no-remember, gw keeps no records, and events only until they are passed on. What
    it kept before stays until you prune or forget it.

    To lift a limit of a live profile or change its gateway, type its name or give it
    with --confirm.`,
  examples: [
    'gw profile set sandbox --base-url https://sandbox.gateway.example --currency AUD',
    'gw profile set live --base-url https://gateway.example --ledger postgres://ledger.example/gw',
    'gw profile set live --read-only --allowed-commands "purchase get,refund get"',
  ],
  args: {
    name: { required: true, description: 'Name of the profile.' },
  },
  flags: {
    ...targetFlags,
    ...settingFlags,
    ...confirmFlag,
    'no-input': interactionFlags['no-input'],
  },

  async run(context, { args, flags }) {
    const options = requestOptions(context.host, flags);
    const { profile, isNew, isDefault, isMoved } = await setProfile(
      context.host.files,
      args.name,
      await completeChanges(context.host, args.name, {
        changes: changesOf(flags),
        options,
        typed: { ...flags },
      }),
      confirmsLifted(context.host, options),
    );
    const named = namedProfile(profile);
    const lines = [`${isNew ? 'Added' : 'Updated'} profile ${named}.`];
    if (isDefault && isNew) lines.push('It is the default profile.');
    const hasCommand = profile.credentialCommand !== undefined;
    if (isNew && !hasCommand)
      lines.push(`Store its credentials with \`gw login ${profile.name}\`.`);
    if (isMoved && !hasCommand)
      lines.push(
        `It now uses another gateway. Run \`gw login ${profile.name}\` if that needs other credentials.`,
      );
    const { ledger, ledgerCommand } = profile;
    if (ledger !== undefined && flags.ledger !== undefined)
      lines.push(
        `Its ledger is ${labelOfAddress(parseLedgerAddress(ledger, 'The ledger'))}.`,
        ...(ledgerCommand === undefined
          ? [`If its server wants a password, store it with \`gw login ${profile.name} --ledger\`.`]
          : []),
      );
    await context.host.stderr.write(`${lines.join(' ')}\n`);
  },
});
