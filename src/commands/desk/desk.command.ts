import { command } from '../../cli/dispatch/command.ts';
import { parsePort } from '../../cli/flags/delivery-flags.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';
import { USUAL_PORT } from './usual-port.ts';

/** The desk ends after so long without a request. */
const IDLE_MS = 3_600_000;

export default command({
  summary: 'Open the support desk: search and look up in a browser',
  description: `Opens a page in the browser of this machine, with what \`gw find\`, \`gw get\`, \`gw history\`,
    \`gw explain\`, \`gw report\` and \`gw events\` know. It needs no network.

    Search shows results while you type. An arrow walks through them, Enter opens one, / goes back to the search.
    Each search has an address that you can bookmark, or send to a colleague with a desk of their own.

    A record says how old it is. A button looks it up at the gateway, which changes nothing there.

    Today and Month have what \`gw report month --html\` has, and the charges that are due. Reports has every
    other report. A response code or the message of a bank, typed into the search, is explained.

    Events shows what \`gw listen\` keeps, as it comes. It sends an event again to addresses of
    \`gw listen --forward-to\` alone.

    The page moves no money: each record offers commands to copy, and a purchase its receipt. Where a profile has
    the rule --two-persons-above, a form proposes a refund, which another person approves in the terminal. The
    page shows no card token, and of a card the last four digits.

    gw serves the page to this machine alone. The address works once, for the browser that opens it first.
    A page of another site, and another user of this machine, get nothing.

    It runs until Ctrl-C, or until nobody asked for an hour.`,
  examples: [
    'gw desk --profile local',
    'gw desk ada byron --profile local',
    'gw desk 071-P-IE49OSAF --profile local --no-open',
  ],
  args: {
    text: { description: 'What to show first: an id, a name, or any words to search for.' },
  },
  takesMany: true,
  flags: {
    port: option({
      description: `Port to listen on; 0 picks a free one. Default: ${USUAL_PORT}, or a free one.`,
      helpValue: '<port>',
    }),
    'no-open': toggle({ description: 'Print the address, and open no browser.' }),
    ...profileFlag,
  },

  async run(context, { argv, flags }) {
    const { runDesk } = await import('./run-desk.ts');
    await runDesk(context, {
      profile: flags.profile,
      text: argv.join(' ').trim(),
      port: flags.port === undefined ? undefined : parsePort(flags.port, USUAL_PORT),
      opens: flags['no-open'] !== true,
      idleMs: IDLE_MS,
    });
  },
});
