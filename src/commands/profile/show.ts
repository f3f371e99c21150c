import { Args } from '@oclif/core';
import { GwCommand } from '../../cli/command.ts';
import { printFlags } from '../../cli/global-flags.ts';
import { PROFILE_VIEW } from '../../cli/own-views.ts';
import { printRecords } from '../../cli/print-records.ts';
import { profileRecord } from '../../cli/profile-record.ts';
import { readProfiles, showProfile } from '../../profiles/store.ts';

export default class ProfileShow extends GwCommand {
  static override summary = 'Show a profile';
  static override description =
    'Shows the gateway of a profile and its limits. Credentials are not shown anywhere.';
  static override examples = [
    '<%= config.bin %> profile show local',
    '<%= config.bin %> profile show local -o json | jq .currency',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the profile.' }),
  };
  static override flags = { ...printFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileShow);
    const { files } = this.host;
    const profile = await showProfile(files, args.name);
    const record = profileRecord(profile, (await readProfiles(files)).default === profile.name);
    await printRecords(this.host, flags, [record], { kind: PROFILE_VIEW, isSingle: true });
  }
}
