import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { confirmFlag, interactionFlags } from '../../cli/flags/global-flags.ts';
import { deleteCredentials } from '../../client/profiles/credentials.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { removeProfile } from '../../client/profiles/store.ts';
import { Failure } from '../../failure.ts';
import { chooseProfile } from '../../requests/asked-argument.ts';
import { confirmRemoval } from '../../setup/confirm-profile-change.ts';
import { parseLedgerAddress } from '../../store/postgres/address.ts';

/** Codes of failures on a machine that has no keychain to remove anything from. */
const NO_KEYCHAIN = ['keychain-missing', 'keychain-library-missing', 'keychain-not-runnable'];

export default command({
  summary: 'Remove a profile and its credentials',
  erases: true,
  description: `Removes the profile, its credentials in the keychain, and the password of its ledger unless
    another profile uses it. To remove a live profile, type its name or give it with --confirm.`,
  examples: ['gw profile remove shop-2', 'gw profile remove live --confirm live'],
  args: {
    name: { description: 'Name of the profile.', asked: true },
  },

  flags: { ...confirmFlag, 'no-input': interactionFlags['no-input'] },

  async run(context, { args, flags }) {
    const { files, keychain, stderr } = context.host;
    const options = requestOptions(context.host, flags);
    const asked = { given: args.name, command: 'gw profile remove', options };
    const name = await chooseProfile(context.host, asked, LOCAL_PROFILE.name);
    await confirmRemoval(context.host, name, options);
    const { wasDefault, ledger } = await removeProfile(files, name);
    await stderr.write(
      `Removed profile ${name}.${wasDefault ? ' There is no default profile any more.' : ''}\n`,
    );
    try {
      await stderr.write(`${await deleteCredentials(keychain, name)}\n`);
      if (ledger === undefined) return;
      const { forgetLedgerPassword } = await import(
        '../../client/ledger/forget-ledger-password.ts'
      );
      const address = parseLedgerAddress(ledger, 'The ledger');
      const said = await forgetLedgerPassword(context.host, name, address);
      if (said !== undefined) await stderr.write(`${said}\n`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (!NO_KEYCHAIN.includes(error.code))
        throw error.with({ next: `Unlock the keychain, and delete its entry gw/${name} there.` });
      // The profile is removed either way.
      await stderr.write(
        `gw could not look for its credentials in the keychain: ${error.message}\n`,
      );
    }
  },
});
