import { command } from '../dispatch/command.ts';
import { toggle } from '../flags/flag.ts';
import { printFlags, profileFlag } from '../flags/global-flags.ts';

export default command({
  summary: 'Find out what is wrong with this machine and its profiles',
  description: `Looks at Node, configuration, files, journal, keychain and shell completion, and at each
    profile: its credentials (that they are there and where from, never what), whether its gateway
    is reached, its certificate, whether it takes the credentials, whether it is what the profile
    says, and how far the clocks are apart. Each check is ok, a warning or failed, with what to do
    about it. Sends one harmless look-up for a profile, moves no money and asks nobody anything.
    Exits with 0 where nothing failed, warnings or not. Else with the code of the first check that
    failed, in the order shown: 2 for Node, the configuration or the clock, 10 for files and journal,
    3 for credentials and environment, 7 where the gateway is not reached or not believed.`,
  examples: ['gw doctor', 'gw doctor --profile local -o json', 'gw doctor --offline'],
  flags: {
    offline: toggle({ description: 'Ask no gateway: look at this machine only.' }),
    repair: toggle({
      description:
        'First make private what others may read of what gw keeps, and the index of `gw find` anew.',
    }),
    ...profileFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const { runDoctor } = await import('../doctor/run-doctor.ts');
    await runDoctor(context, flags);
  },
});
