import { command } from '../../dispatch/command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { readProfiles, showProfile } from '../../profiles/store.ts';
import { printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/profile.ts';

export default command({
  summary: 'Show a profile',
  description: `Shows the gateway of a profile and its limits. Credentials are not shown anywhere.`,
  examples: ['gw profile show local', 'gw profile show local -o json | jq .currency'],
  args: {
    name: { required: true, description: 'Name of the profile.' },
  },
  flags: { ...printFlags },

  async run(context, { args, flags }) {
    const { files } = context.host;
    const profile = await showProfile(files, args.name);
    const record = PROFILE_VIEW.record({
      profile,
      isDefault: (await readProfiles(files)).default === profile.name,
    });
    await printRecords(context.host, flags, [record], { kind: PROFILE_VIEW, isSingle: true });
  },
});
