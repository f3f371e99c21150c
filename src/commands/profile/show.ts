import { Args } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { readProfiles, showProfile } from '../../profiles/store.ts';
import { printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/own-views.ts';
import { profileRecord } from '../../view/records/profile-record.ts';

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
