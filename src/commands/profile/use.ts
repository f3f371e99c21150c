import { command } from '../../dispatch/command.ts';
import { useProfile } from '../../profiles/store.ts';

export default command({
  summary: 'Make a profile the default',
  description: `The default profile is used where neither --profile nor the environment names one. The
    embedded gateway is never a default.`,
  examples: ['gw profile use sandbox', 'gw profile use shop-2'],
  args: {
    name: { required: true, description: 'Name of the profile.' },
  },

  async run(context, { args }) {
    const profile = await useProfile(context.host.files, args.name);
    await context.host.stderr.write(
      `${profile.name} (${profile.environment}, ${profile.baseUrl.host}) is the default profile.\n`,
    );
  },
});
