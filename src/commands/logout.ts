import { Args } from '@oclif/core';
import { GwCommand } from '../dispatch/command.ts';
import { deleteCredentials } from '../profiles/credentials.ts';
import { resolveProfile } from '../profiles/resolve.ts';

export default class Logout extends GwCommand {
  static override summary = 'Forget the credentials of a profile';
  static override description =
    'Removes the username and API token of a profile from the keychain. The profile stays.';
  static override examples = ['<%= config.bin %> logout', '<%= config.bin %> logout live'];
  static override args = {
    profile: Args.string({
      ignoreStdin: true,
      description: 'Name of the profile. Default: the default profile.',
    }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(Logout);
    const { env, files, keychain, stderr } = this.host;
    const { profile } = await resolveProfile({ flag: args.profile, env, files });
    const found = await deleteCredentials(keychain, profile.name);
    await stderr.write(
      found
        ? `The credentials of ${profile.name} are removed from the keychain.\n`
        : `The keychain holds no credentials for ${profile.name}.\n`,
    );
  }
}
