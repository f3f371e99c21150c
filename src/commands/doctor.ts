import { command } from '../cli/dispatch/command.ts';
import { outputOptions } from '../cli/flags/command-options.ts';
import { toggle } from '../cli/flags/flag.ts';
import { printFlags, profileFlag } from '../cli/flags/global-flags.ts';

export default command({
  summary: 'Check this machine and its profiles for problems',
  description: `Makes six checks and says for each what to do. It sends one harmless look-up for each profile,
    moves no money and asks nothing.

    Configuration: the list of profiles can be read. Private files: nobody else can read what gw
    keeps.

    Journal: it can be used, and no outcome is unknown. Shared ledger: its server answers, and your
    role may write.

    For each profile, credentials and gateway: the gateway accepts them, and is live or sandbox as
    the profile says.

    The exit code is 0 if nothing failed, even with warnings. Otherwise the first failed check
    decides: 2 for the configuration, 10 for private files, journal and ledger, 3 for credentials,
    or a gateway of another mode; 7 for a gateway that gw cannot reach.`,
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
    await runDoctor(context, {
      profile: flags.profile,
      isOffline: flags.offline ?? false,
      isRepairing: flags.repair ?? false,
      output: outputOptions(flags),
    });
  },
});
