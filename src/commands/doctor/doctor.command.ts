import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { toggle } from '../../cli/flags/flag.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';
import { CHECK_VIEW } from './check.ts';

export default command({
  summary: 'Check this machine and its profiles for problems',
  description: `Makes seven checks and says for each what to do. It sends one harmless look-up for each
    profile, moves no money and asks nothing.

    Configuration: gw can read the list of profiles (exit 2). Private files: nobody else can
    read what gw keeps (exit 10).

    Journal: gw can use it, and no outcome is unknown (exit 10). Shared ledger: its server
    answers, and your role may write (exit 10). Time zone: gw knows it, by the same rules as this
    system.

    For each profile: its gateway is up and answers (exit 7; it may be down, or the network), accepts the credentials, and has the mode of the
    profile (exit 3).

    The first failed check decides the exit code. Warnings exit with 0.`,
  prints: CHECK_VIEW,
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
    const { runDoctor } = await import('./run-doctor.ts');
    await runDoctor(context, {
      profile: flags.profile,
      isOffline: flags.offline ?? false,
      isRepairing: flags.repair ?? false,
      output: outputOptions(flags),
    });
  },
});
