import { plural } from '../../base/plural.ts';
import { command } from '../../dispatch/command.ts';
import { ageFlag } from '../../flags/global-flags.ts';
import { parseAge } from '../../flags/parse-age.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';

export default command({
  summary: 'Forget old entries of the journal, and records not seen since',
  description: `What is forgotten is not recognised any more: a request that repeats a forgotten one is sent,
    and a batch whose lines are forgotten sends them again. Entries whose outcome is not known are
    kept, whatever their age.`,
  examples: ['gw journal prune --older-than 2y', 'gw journal prune --older-than 90d'],
  flags: ageFlag,

  async run(context, { flags }) {
    const ageMs = parseAge(flags['older-than']);
    const ledger = await openOwnLedger(context.host);
    try {
      const before = new Date(context.host.clock.now().getTime() - ageMs).toISOString();
      const { entries, records, unresolved } = await ledger.prune(before);
      const kept =
        unresolved === 0
          ? ''
          : ` ${unresolved} of that age ${plural(unresolved, 'is', 'are')} kept: the outcome is not known.`;
      await context.host.stderr.write(
        `${entries} ${plural(entries, 'entry', 'entries')} and ${records} ${plural(records, 'record', 'records')} from before ${before.slice(0, 10)} forgotten.${kept}\n`,
      );
    } finally {
      await ledger.close();
    }
  },
});
