import { Args } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { changesOf, settingFlags, targetFlags } from '../../flags/profile-flags.ts';
import { setProfile } from '../../profiles/store.ts';

export default class ProfileSet extends GwCommand {
  static override summary = 'Add a profile, or change its gateway and limits';
  static override description =
    'What is not given stays as it is. The limits are checked before a request is sent, and refused with ' +
    'exit code 10. Credentials are stored with `gw login`.';
  static override examples = [
    '<%= config.bin %> profile set sandbox --base-url https://sandbox.gateway.example --currency AUD',
    '<%= config.bin %> profile set live --base-url https://gateway.example --max-amount 100000',
    '<%= config.bin %> profile set live --read-only --allowed-commands "purchase get,refund get"',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the profile.' }),
  };
  static override flags = { ...targetFlags, ...settingFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileSet);
    const { profile, isNew, isDefault, isMoved } = await setProfile(
      this.host.files,
      args.name,
      changesOf(flags),
    );
    const lines = [`${profile.name} is ${isNew ? 'added' : 'changed'}.`];
    if (isDefault && isNew) lines.push('It is the default profile.');
    const hasCommand = profile.credentialCommand !== undefined;
    if (isNew && !hasCommand)
      lines.push(`Store its credentials with \`gw login ${profile.name}\`.`);
    if (isMoved && !hasCommand)
      lines.push(
        `It is another gateway now: run \`gw login ${profile.name}\` if its credentials are others.`,
      );
    await this.host.stderr.write(`${lines.join(' ')}\n`);
  }
}
