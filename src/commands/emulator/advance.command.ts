import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { option } from '../../cli/flags/flag.ts';
import { dbFlag, printFlags } from '../../cli/flags/global-flags.ts';
import type { AdvancedDay } from '../../emulator/billing/advance.ts';
import { usage } from '../../failure.ts';
import { isTable, openPrinter } from '../../view/print-records.ts';
import { ADVANCED_DAY_VIEW, foldedDays, type Told, untoldText, withDay } from './advanced-day.ts';

const CLEAR_LINE = '\r\x1b[K';

export default command({
  summary: "Move the built-in test gateway's clock forward",
  description: `Runs each day up to the new time: bills, retries, handles expiring cards, and delivers
    webhooks. The clock never goes back.

    Prints the events of each day and how their deliveries ended.

    Start \`gw listen\` in another terminal before: reports do not know what nobody received.`,
  prints: ADVANCED_DAY_VIEW,
  examples: [
    'gw emulator advance 1d',
    'gw emulator advance 3m -o csv',
    'gw emulator advance --to 2026-12-31',
  ],
  args: {
    duration: {
      description: 'Days, weeks, months or years: 1d, 2w, 3m, 1y.',
    },
  },
  flags: {
    to: option({
      description: 'Day to advance to, at its beginning (UTC), or a time with its zone.',
      helpValue: '<time>',
    }),
    ...dbFlag,
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const output = outputOptions(flags);
    if ((args.duration === undefined) === (flags.to === undefined))
      throw usage(
        'duration-missing',
        'Give either a duration or --to.',
        'Examples: `gw emulator advance 1d`, `gw emulator advance --to 2026-12-31`.',
      );
    const { clock, stdout, stderr, interrupted } = context.host;
    const isInTable = isTable(context.host, output);
    // A table prints nothing until it is complete, so progress is shown meanwhile.
    const isSilent = isInTable && stdout.isTerminal && stderr.isTerminal && !stderr.isPlain;
    const folded: AdvancedDay[] | undefined =
      isInTable && output.fields === undefined ? [] : undefined;
    const printer = openPrinter(context.host, output, { kind: ADVANCED_DAY_VIEW });
    const show = async (day: AdvancedDay) => {
      if (folded) folded.push(day);
      else await printer.add(ADVANCED_DAY_VIEW.record(day));
    };
    const [{ advance }, { clockTime, later }, { listHooks }, { withState }] = await Promise.all([
      import('../../emulator/billing/advance.ts'),
      import('../../emulator/clock-time.ts'),
      import('../../emulator/deliveries/hooks.ts'),
      import('../../emulator/state.ts'),
    ]);
    let told: Told = { events: 0, delivered: 0 };
    await withState(context.host, flags.db, async (store) => {
      const now = store.read((tx) => tx.now);
      // A listener may end before the clock does, with the event that it waited for.
      const isHeard = listHooks(store).some(({ temporary }) => temporary === 1);
      const to =
        flags.to === undefined ? later(now, args.duration ?? '') : clockTime('--to', flags.to);
      try {
        for await (const day of advance({ store, clock, to, signal: interrupted })) {
          if (isSilent) await stderr.write(`\r${day.day}`);
          told = withDay(told, day);
          await show(day);
        }
      } finally {
        if (isSilent) await stderr.write(CLEAR_LINE);
        for (const row of foldedDays(folded ?? [])) await printer.add(row);
        await printer.end();
      }
      const { time, dialect } = store.read((tx) => ({ time: tx.now, dialect: tx.dialect }));
      const isListed = flags.db === undefined && dialect === 'deployed';
      const untold = untoldText(told, { isHeard, isListed });
      await stderr.write(`The clock of the test gateway is at ${time.toISOString()}.\n${untold}`);
    });
  },
});
