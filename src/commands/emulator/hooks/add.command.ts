import { command } from '../../../cli/dispatch/command.ts';
import { option } from '../../../cli/flags/flag.ts';
import { dbFlag } from '../../../cli/flags/global-flags.ts';

export default command({
  summary: 'Deliver webhooks to an address',
  description: `Prints the id of the hook. The built-in test gateway delivers events while \`gw emulator
    advance\` or \`gw emulator start\` runs.

    Only subscriptions have events: their charges, and cards that expire. A single purchase or
    refund has none.

    A username and a password in the address are sent with each delivery (Basic authentication).

    Any 2xx is success. After any other answer, the gateway delivers again after 1, 2, 4, 8 …
    minutes of its own time. It gives up two days after the event.

    Later deliveries for the same hook and customer wait, so that they arrive in order.`,
  examples: [
    'gw emulator hooks add http://127.0.0.1:3000/hooks',
    "gw emulator hooks add https://shop.example/hooks --events 'charge:*'",
    'gw emulator hooks add http://user:password@127.0.0.1:3000/hooks',
  ],
  args: {
    url: { required: true, description: 'Address that begins with http:// or https://.' },
  },
  flags: {
    events: option({
      description: 'Events to deliver, separated by commas; * matches any text.',
      helpValue: '<events>',
      default: '*',
    }),
    account: option({
      description: 'Username of the account whose events to deliver.',
      helpValue: '<username>',
      default: 'TEST',
    }),
    ...dbFlag,
  },

  async run(context, { args, flags }) {
    const { stdout } = context.host;
    const [{ registerHook }, { withState }] = await Promise.all([
      import('../../../emulator/deliveries/hooks.ts'),
      import('../../../emulator/state.ts'),
    ]);
    await withState(context.host, flags.db, async (store) => {
      const { events, account } = flags;
      const id = registerHook(store, { merchant: account, url: args.url, events });
      await stdout.write(`${id}\n`);
    });
  },
});
