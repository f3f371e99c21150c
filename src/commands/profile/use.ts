import { command } from '../../dispatch/command.ts';
import { useProfile } from '../../profiles/store.ts';
import { liveWarning, namedProfile } from '../../view/environment.ts';

export default command({
  summary: 'Make a profile the default',
  description: `The default profile is used when neither --profile nor the environment names one.
    The embedded gateway cannot be the default.`,
  examples: ['gw profile use sandbox', 'gw profile use shop-2'],
  args: {
    name: { required: true, description: 'Name of the profile.' },
  },

  async run(context, { args }) {
    const profile = await useProfile(context.host.files, args.name);
    const { stderr } = context.host;
    await stderr.write(
      `Default profile: ${namedProfile(profile)} at ${profile.baseUrl.host}.${liveWarning(profile)}\n`,
    );
  },
});
