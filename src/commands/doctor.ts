import { command } from '../cli/dispatch/command.ts';
import { toggle } from '../cli/flags/flag.ts';
import { printFlags, profileFlag } from '../cli/flags/global-flags.ts';

export default command({
  summary: 'Check this machine and its profiles for problems',
  description: `Checks Node, the configuration, files, journal, keychain and shell completion, and
    for each profile: whether it has credentials and where they come from (never what they are),
    whether its gateway can be reached, its certificate, whether it accepts the credentials, whether
    it is live or sandbox as the profile says, and how far apart the clocks are. Each check is ok, a
    warning or failed, and says what to do about it. Sends one harmless look-up per profile, moves
    no money and asks no questions. Exits with 0 if nothing failed, even with warnings. Otherwise
    exits with the code of the first check that failed, in the order shown: 2 for Node, the
    configuration or the clock, 10 for files and journal, 3 for credentials and environment, 7 if
    the gateway cannot be reached or trusted.`,
  examples: ['gw doctor', 'gw doctor --profile local -o json', 'gw doctor --offline'],
  flags: {
    offline: toggle({ description: 'Check only this machine, without asking any gateway.' }),
    repair: toggle({
      description: "First make gw's files private and rebuild the index of `gw find`.",
    }),
    ...profileFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const { runDoctor } = await import('../setup/doctor/run-doctor.ts');
    await runDoctor(context, flags);
  },
});
