import { command } from '../cli/dispatch/command.ts';
import { outputOptions } from '../cli/flags/command-options.ts';
import { toggle } from '../cli/flags/flag.ts';
import { printFlags, profileFlag } from '../cli/flags/global-flags.ts';

export default command({
  summary: 'Check this machine and its profiles for problems',
  description: `Makes six checks: the configuration and its profiles; that nobody else can read what gw keeps;
    the journal (that it can be used, and whether a request in it is unresolved); the shared ledger
    of a team, if there is one; and for each profile its credentials (where they come from, never
    what they are), and its gateway (that it can be reached, accepts the credentials, and is live or
    sandbox as the profile says). Each check is ok, a warning or failed, and says what to do about
    it. Sends one harmless look-up per profile, moves no money and asks no questions. Exits with 0
    if nothing failed, even with warnings. Otherwise exits with the code of the first check that
    failed, in the order shown: 2 for the configuration, 10 for private files, journal and ledger, 3
    for credentials and for a gateway that refuses them or is in another mode, 7 if the gateway
    cannot be reached or trusted.`,
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
