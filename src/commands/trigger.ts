import { Args, Flags } from '@oclif/core';
import { EVENT_NAMES } from '../contract/webhook-events.ts';
import { GwCommand } from '../dispatch/command.ts';
import { basicAuthFlag, LISTENER_URL, setFlag } from '../flags/delivery-flags.ts';
import { printFlags } from '../flags/global-flags.ts';
import { runTrigger } from '../operations/run-trigger.ts';

export default class Trigger extends GwCommand {
  static override summary = 'Send a sample of a web hook event';
  static override description =
    `Sends one of ${EVENT_NAMES.join(', ')}, as the gateway would (X-Service-Mode: Sandbox), ` +
    'about the newest subscription of the embedded gateway, or a made-up one where it has none. Nothing is ' +
    'charged, and the embedded gateway is not changed.';
  static override examples = [
    '<%= config.bin %> trigger charge:successful',
    '<%= config.bin %> trigger charge:failed --to http://127.0.0.1:3000/hooks',
    '<%= config.bin %> trigger charge:successful --set payload.0.response.response.amount=9900',
  ];
  static override args = {
    event: Args.string({ required: true, ignoreStdin: true, description: 'The event.' }),
  };
  static override flags = {
    to: Flags.string({
      description: 'Where to send it. The default is where gw listen listens.',
      helpValue: '<url>',
      default: LISTENER_URL,
    }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Trigger);
    await runTrigger(this.context, args.event, flags);
  }
}
