import { Args } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { Failure } from '../../failure.ts';
import { deleteCredentials } from '../../profiles/credentials.ts';
import { removeProfile, showProfile } from '../../profiles/store.ts';

export default class ProfileRemove extends GwCommand {
  static override summary = 'Remove a profile and its credentials';
  static override description =
    'Removes the profile from this machine, and its credentials from the keychain.';
  static override examples = [
    '<%= config.bin %> profile remove shop-2',
    '<%= config.bin %> profile remove sandbox',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the profile.' }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileRemove);
    const { files, keychain, stderr } = this.host;
    const { credentialCommand } = await showProfile(files, args.name);
    const { wasDefault } = await removeProfile(files, args.name);
    await stderr.write(
      `${args.name} is removed.${wasDefault ? ' There is no default profile now.' : ''}\n`,
    );
    if (credentialCommand !== undefined) return;
    try {
      await deleteCredentials(keychain, args.name);
    } catch (error) {
      // The profile is gone either way; a keychain that is not there holds nothing to remove.
      if (!(error instanceof Failure)) throw error;
      await stderr.write(
        `Its credentials could not be looked for in the keychain: ${error.message}\n`,
      );
    }
  }
}
