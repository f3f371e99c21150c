import { command } from '../../dispatch/command.ts';
import { Failure } from '../../failure.ts';
import { deleteCredentials } from '../../profiles/credentials.ts';
import { removeProfile } from '../../profiles/store.ts';

export default command({
  summary: 'Remove a profile and its credentials',
  description: `Removes the profile from this machine, and its credentials from the keychain.`,
  examples: ['gw profile remove shop-2', 'gw profile remove sandbox'],
  args: {
    name: { required: true, description: 'Name of the profile.' },
  },

  async run(context, { args }) {
    const { files, keychain, stderr } = context.host;
    const { wasDefault, hasCommand } = await removeProfile(files, args.name);
    await stderr.write(
      `${args.name} is removed.${wasDefault ? ' There is no default profile now.' : ''}\n`,
    );
    if (hasCommand) return;
    try {
      await deleteCredentials(keychain, args.name);
    } catch (error) {
      // The profile is gone either way; a keychain that is not there holds nothing to remove.
      if (!(error instanceof Failure)) throw error;
      await stderr.write(
        `Its credentials could not be looked for in the keychain: ${error.message}\n`,
      );
    }
  },
});
