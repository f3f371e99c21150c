import { Args, Flags } from '@oclif/core';
import { dbFlag, EmulatorCommand } from '../../../dispatch/emulator-command.ts';

export default class EmulatorHooksAdd extends EmulatorCommand {
  static override summary = 'Have web hooks delivered to an address';
  static override description =
    "Events of the account's subscriptions are sent there as they happen, from now on, by `gw emulator " +
    'advance` and by a running `gw emulator start`. 200 and 201 are success; anything else is repeated ' +
    "for two days of the gateway's time. Prints the id of the hook.";
  static override examples = [
    '<%= config.bin %> emulator hooks add http://127.0.0.1:3000/hooks',
    "<%= config.bin %> emulator hooks add https://shop.example/hooks --events 'charge:*'",
  ];
  static override args = {
    url: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Address, https, or http on this machine.',
    }),
  };
  static override flags = {
    events: Flags.string({
      description: 'Events to deliver, separated by commas; * stands for any text.',
      helpValue: '<events>',
      default: '*',
    }),
    account: Flags.string({
      description: 'Username of the account whose events they are.',
      helpValue: '<username>',
      default: 'TEST',
    }),
    ...dbFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmulatorHooksAdd);
    const { stdout } = this.host;
    const { registerHook } = await import('../../../emulator/deliveries/hooks.ts');
    await this.withState(flags.db, async (store) => {
      const { events, account } = flags;
      const id = registerHook(store, { merchant: account, url: args.url, events });
      await stdout.write(`${id}\n`);
    });
  }
}
