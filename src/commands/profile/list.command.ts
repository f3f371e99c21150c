import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { listProfiles, missingProfiles } from '../../client/profiles/store.ts';
import { printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/profile.ts';

export default command({
  summary: 'List the profiles on this machine',
  description: `A profile is a gateway, an account and its limits. \`local\` is the built-in test
    gateway, and gw uses it only when you name it.

    gw also lists \`sandbox\` and \`live\` before you set them up. \`set_up\` is then false,
    and \`next\` is the command that sets them up. -o id leaves them out.`,
  prints: PROFILE_VIEW,
  examples: [
    'gw profile list',
    'gw profile list -o id',
    "gw profile list -o jsonl --jq 'select(.set_up) | .name'",
  ],
  flags: { ...printFlags },

  async run(context, { flags }) {
    const { files } = context.host;
    const [listed, missing] = await Promise.all([listProfiles(files), missingProfiles(files)]);
    const profiles = [
      ...listed.map((one) => ({ ...one, next: null })),
      ...missing.map(({ next, ...profile }) => ({ profile, isDefault: false, next })),
    ];
    const records = profiles.map(PROFILE_VIEW.record);
    await printRecords(context.host, outputOptions(flags), records, { kind: PROFILE_VIEW });
  },
});
