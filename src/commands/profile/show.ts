import { command } from '../../cli/dispatch/command.ts';
import { outputOptions, requestOptions } from '../../cli/flags/command-options.ts';
import { interactionFlags, printFlags } from '../../cli/flags/global-flags.ts';
import { readProfiles, showProfile } from '../../client/profiles/store.ts';
import { askedProfile } from '../../requests/asked-argument.ts';
import { printRecords } from '../../view/print-records.ts';
import { PROFILE_VIEW } from '../../view/records/profile.ts';

export default command({
  summary: 'Show a profile',
  description: `Shows the gateway of a profile and its limits. Credentials are not shown anywhere.`,
  examples: ['gw profile show local', 'gw profile show local --jq .currency'],
  args: {
    name: { description: 'Name of the profile. Asked for on a terminal if omitted.' },
  },
  flags: { ...printFlags, 'no-input': interactionFlags['no-input'] },

  async run(context, { args, flags }) {
    const { files } = context.host;
    const options = requestOptions(context.host, flags);
    const asked = { given: args.name, command: 'gw profile show', options };
    const profile = await showProfile(files, await askedProfile(context.host, asked));
    const record = PROFILE_VIEW.record({
      profile,
      isDefault: (await readProfiles(files)).default === profile.name,
    });
    await printRecords(context.host, outputOptions(flags), [record], {
      kind: PROFILE_VIEW,
      isSingle: true,
    });
  },
});
