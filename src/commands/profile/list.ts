import { command } from '../../dispatch/command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { listProfiles, missingProfiles } from '../../profiles/store.ts';
import { printRecords } from '../../view/print-records.ts';
import { listedProfile, missingProfile, PROFILE_VIEW } from '../../view/records/profile.ts';

export default command({
  summary: 'List the profiles of this machine',
  description: `A profile is a gateway, an account and its limits. \`local\` is built in: the embedded
    gateway, which is used only where it is named. \`sandbox\` and \`live\` are listed before they are
    set up too, with the command that does it (\`set_up\` is false, and \`next\` is the command); -o id
    leaves them out.`,
  examples: [
    'gw profile list',
    'gw profile list -o id',
    "gw profile list -o jsonl | jq -r 'select(.set_up) | .name'",
  ],
  flags: { ...printFlags },

  async run(context, { flags }) {
    const { files } = context.host;
    const [listed, missing] = await Promise.all([listProfiles(files), missingProfiles(files)]);
    const records = [...listed.map(listedProfile), ...missing.map(missingProfile)];
    await printRecords(context.host, flags, records, { kind: PROFILE_VIEW, isSingle: false });
  },
});
