import { GwCommand } from '../../dispatch/command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { listProfiles } from '../../profiles/store.ts';
import { printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/own-views.ts';
import { profileRecord } from '../../view/records/profile-record.ts';

export default class ProfileList extends GwCommand {
  static override summary = 'List the profiles of this machine';
  static override description =
    'A profile is a gateway, an account and its limits. `local` is built in: the embedded gateway, which ' +
    'is used only where it is named.';
  static override examples = [
    '<%= config.bin %> profile list',
    '<%= config.bin %> profile list -o jsonl | jq -r .name',
  ];
  static override flags = { ...printFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(ProfileList);
    const records = (await listProfiles(this.host.files)).map(({ profile, isDefault }) =>
      profileRecord(profile, isDefault),
    );
    await printRecords(this.host, flags, records, { kind: PROFILE_VIEW, isSingle: false });
  }
}
