import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { interactionFlags } from '../../cli/flags/global-flags.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import { useProfile } from '../../client/profiles/store.ts';
import { chooseProfile } from '../../requests/asked-argument.ts';
import { liveWarning, namedProfile } from '../../view/text/environment.ts';

export default command({
  summary: 'Make a profile the default',
  description: `Commands use the default profile when neither --profile nor the environment names one. The
    built-in test gateway cannot be the default.`,
  examples: ['gw profile use sandbox', 'gw profile use shop-2'],
  args: {
    name: { description: 'Name of the profile.', asked: true },
  },
  flags: { 'no-input': interactionFlags['no-input'] },

  async run(context, { args, flags }) {
    const options = requestOptions(context.host, flags);
    const asked = { given: args.name, command: 'gw profile use', options };
    const name = await chooseProfile(context.host, asked, LOCAL_PROFILE.name);
    const profile = await useProfile(context.host.files, name);
    const { stderr } = context.host;
    await stderr.write(
      `Default profile: ${namedProfile(profile)} at ${profile.baseUrl.host}.${liveWarning(profile)}\n`,
    );
  },
});
