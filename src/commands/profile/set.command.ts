import { command } from '../../cli/dispatch/command.ts';
import { outputOptions, requestOptions } from '../../cli/flags/command-options.ts';
import { confirmFlag, interactionFlags, printFlags } from '../../cli/flags/global-flags.ts';
import { changesOf, profileFlags } from '../../cli/flags/profile-flags.ts';
import { checkOwnName, LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { readProfiles, type SetResult, setProfile } from '../../client/profiles/store.ts';
import { chooseProfile } from '../../requests/asked-argument.ts';
import { completeChanges } from '../../setup/ask-target.ts';
import { confirmsLifted } from '../../setup/confirm-profile-change.ts';
import { labelOfAddress, parseLedgerAddress } from '../../store/postgres/address.ts';
import { formatOf } from '../../view/print-records.ts';
import { namedProfile } from '../../view/text/environment.ts';
import { printSettings, SETTING_VIEW } from './setting-list.ts';

export default command({
  summary: 'Add a profile, or change its gateway and limits',
  description: `Adds or changes a profile. Settings that you do not give stay. Store credentials with
    \`gw login\`.

    gw checks the limits before it sends a request, and refuses with exit code 10.

    With --no-remember, gw keeps no records, and events only until they are passed on. What
    it kept before stays until you prune or forget it.

    To lift a limit of a live profile or change its gateway, type its name or give it
    with --confirm.

    Without a setting, a terminal shows all of them with their values, and lets you choose.
    Elsewhere gw prints the list; of the profile in use, if you name none.`,
  prints: SETTING_VIEW,
  examples: [
    'gw profile set sandbox --base-url https://sandbox.gateway.example --currency AUD',
    'gw profile set live --read-only --allowed-commands "purchase get,refund get"',
    'gw profile set sandbox -o json',
  ],
  args: {
    name: { description: 'Name of the profile.', asked: LOCAL_PROFILE.name },
  },
  flags: {
    ...profileFlags,
    ...confirmFlag,
    ...printFlags,
    'no-input': interactionFlags['no-input'],
  },

  async run({ host }, { args, flags }) {
    const options = requestOptions(host, flags);
    const output = outputOptions(flags);
    const changes = changesOf(flags);
    const isChange = Object.values(changes).some((value) => value !== undefined);
    const isListed = formatOf(output) !== undefined || !(isChange || options.mayAsk);
    if (isListed && !isChange) return printSettings(host, args.name, output);
    const asked = { given: args.name, command: 'gw profile set', options };
    const name = await chooseProfile(host, asked, LOCAL_PROFILE.name);
    checkOwnName(name);
    const { profiles } = await readProfiles(host.files);
    const given =
      isChange || !profiles.has(name)
        ? await completeChanges(host, name, { changes, options, typed: { ...flags } })
        : await (await import('./ask-settings.ts')).askForSettings(host, name);
    const set = await setProfile(host.files, name, given, confirmsLifted(host, options));
    await host.stderr.write(`${saidOf(set, given.ledger !== undefined).join(' ')}\n`);
    if (isListed) await printSettings(host, name, output);
  },
});

/** @returns sentences about what was done, and what to do next */
function saidOf({ profile, isNew, isDefault, isMoved }: SetResult, hasNewLedger: boolean) {
  const named = namedProfile(profile);
  const lines = [`${isNew ? 'Added' : 'Updated'} profile ${named}.`];
  if (isDefault && isNew) lines.push('It is the default profile.');
  const hasCommand = profile.credentialCommand !== undefined;
  if (isNew && !hasCommand) lines.push(`Store its credentials with \`gw login ${profile.name}\`.`);
  if (isMoved && !hasCommand)
    lines.push(
      `It now uses another gateway. Run \`gw login ${profile.name}\` if that needs other credentials.`,
    );
  const { ledger, ledgerCommand } = profile;
  if (ledger !== undefined && hasNewLedger)
    lines.push(
      `Its ledger is ${labelOfAddress(parseLedgerAddress(ledger, 'The ledger'))}.`,
      ...(ledgerCommand === undefined
        ? [`If its server wants a password, store it with \`gw login ${profile.name} --ledger\`.`]
        : []),
    );
  return lines;
}
