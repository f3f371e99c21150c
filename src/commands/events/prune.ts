import { plural } from '../../base/plural.ts';
import { command } from '../../dispatch/command.ts';
import { openEventStore } from '../../events/sqlite-event-store.ts';
import { ageFlag } from '../../flags/global-flags.ts';
import { parseAge } from '../../flags/parse-age.ts';
import { ledgerPath } from '../../session/paths.ts';

export default command({
  summary: 'Forget events that were received long ago',
  description: `Removes the events, with their bodies and headers, from this machine. One that comes again is
    then taken for a new one. Events that wait to be passed on are kept, whatever their age.`,
  examples: ['gw events prune --older-than 1y', 'gw events prune --older-than 90d'],
  flags: ageFlag,

  async run(context, { flags }) {
    const ageMs = parseAge(flags['older-than']);
    const { clock, files, stderr } = context.host;
    const before = new Date(clock.now().getTime() - ageMs).toISOString();
    const store = await openEventStore(ledgerPath(files));
    try {
      const { events, waiting } = await store.prune(before);
      const kept =
        waiting === 0
          ? ''
          : ` ${waiting} of that age ${plural(waiting, 'is', 'are')} kept: waiting to be passed on.`;
      await stderr.write(
        `${events} ${plural(events, 'event', 'events')} from before ${before.slice(0, 10)} forgotten.${kept}\n`,
      );
    } finally {
      await store.close();
    }
  },
});
