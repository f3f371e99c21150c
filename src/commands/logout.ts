import { command } from '../dispatch/command.ts';
import { deleteCredentials } from '../profiles/credentials.ts';
import { resolveProfile } from '../profiles/resolve.ts';
import { ledgerPlace } from '../session/ledger-place.ts';

export default command({
  summary: 'Forget the credentials of a profile',
  description: `Removes the username and API token of a profile from the keychain, and the password
    of its ledger unless another profile uses it. The profile stays.`,
  examples: ['gw logout', 'gw logout live'],
  args: {
    profile: {
      description: 'Name of the profile. Default: the default profile.',
    },
  },

  async run(context, { args }) {
    const { env, files, keychain, stderr } = context.host;
    const { profile } = await resolveProfile({ flag: args.profile, env, files });
    const found = await deleteCredentials(keychain, profile.name);
    await stderr.write(
      found
        ? `Removed the credentials of ${profile.name} from the keychain.\n`
        : `The keychain holds no credentials for ${profile.name}.\n`,
    );
    const place = await ledgerPlace(context.host, { profile });
    if (place.kind === 'file') return;
    const { forgetLedgerPassword } = await import('../session/forget-ledger-password.ts');
    const said = await forgetLedgerPassword(context.host, profile.name, place.address);
    if (said !== undefined) await stderr.write(`${said}\n`);
  },
});
