import { Args } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { useProfile } from '../../profiles/store.ts';

export default class ProfileUse extends GwCommand {
  static override summary = 'Make a profile the default';
  static override description =
    'The default profile is used where neither --profile nor the environment names one. The embedded ' +
    'gateway is never a default.';
  static override examples = [
    '<%= config.bin %> profile use sandbox',
    '<%= config.bin %> profile use shop-2',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the profile.' }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileUse);
    const profile = await useProfile(this.host.files, args.name);
    await this.host.stderr.write(
      `${profile.name} (${profile.environment}, ${profile.baseUrl.host}) is the default profile.\n`,
    );
  }
}
