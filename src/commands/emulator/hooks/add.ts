import { command } from '../../../dispatch/command.ts';
import { dbFlag } from '../../../flags/db-flag.ts';
import { option } from '../../../flags/flag.ts';
import { withState } from '../../../operations/with-state.ts';

export default command({
  summary: 'Have web hooks delivered to an address',
  description: `Events of the account's subscriptions are sent there as they happen, from now on, by \`gw
    emulator advance\` and by a running \`gw emulator start\`. Any 2xx is success; anything else, a
    redirect too, is repeated after 1, 2, 4, 8 … minutes of the gateway's time. Meanwhile the later
    deliveries of the same hook and customer wait behind it, so that they come in order; those of
    other hooks and customers go on. Two days after its event a delivery is tried for the last time
    and abandoned: then the next one goes. One whose event is older than that by then has one attempt.
    Prints the id of the hook.`,
  examples: [
    'gw emulator hooks add http://127.0.0.1:3000/hooks',
    "gw emulator hooks add https://shop.example/hooks --events 'charge:*'",
  ],
  args: {
    url: { required: true, description: 'Address, https, or http on this machine.' },
  },
  flags: {
    events: option({
      description: 'Events to deliver, separated by commas; * stands for any text.',
      helpValue: '<events>',
      default: '*',
    }),
    account: option({
      description: 'Username of the account whose events they are.',
      helpValue: '<username>',
      default: 'TEST',
    }),
    ...dbFlag,
  },

  async run(context, { args, flags }) {
    const { stdout } = context.host;
    const { registerHook } = await import('../../../emulator/deliveries/hooks.ts');
    await withState(context, flags.db, async (store) => {
      const { events, account } = flags;
      const id = registerHook(store, { merchant: account, url: args.url, events });
      await stdout.write(`${id}\n`);
    });
  },
});
