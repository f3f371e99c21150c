import { command } from '../../dispatch/command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { listProfiles } from '../../profiles/store.ts';
import { printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/profile.ts';

export default command({
  summary: 'List the profiles of this machine',
  description: `A profile is a gateway, an account and its limits. \`local\` is built in: the embedded
    gateway, which is used only where it is named.`,
  examples: ['gw profile list', 'gw profile list -o jsonl | jq -r .name'],
  flags: { ...printFlags },

  async run(context, { flags }) {
    const records = (await listProfiles(context.host.files)).map(PROFILE_VIEW.record);
    await printRecords(context.host, flags, records, { kind: PROFILE_VIEW, isSingle: false });
  },
});
