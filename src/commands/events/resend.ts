import { Flags } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { idArg } from '../../flags/args.ts';
import { basicAuthFlag, setFlag } from '../../flags/delivery-flags.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { runResend } from '../../operations/run-resend.ts';

export default class EventsResend extends GwCommand {
  static override summary = 'Send a received event again, to an address of your choice';
  static override description =
    'Sends the bytes and headers as they were received, without credentials. With --set one field of the ' +
    'body is another; the event that is kept stays as it is.';
  static override examples = [
    '<%= config.bin %> events resend 17 --to http://127.0.0.1:3000/hooks',
    "<%= config.bin %> events resend 17 --to http://127.0.0.1:3000/hooks --set 'payload.0.subscription.last_status=Failed (3), Aborted'",
  ];
  static override args = idArg('Id of the event.');
  static override flags = {
    to: Flags.string({ description: 'Where to send it.', helpValue: '<url>', required: true }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EventsResend);
    await runResend(this.context, args.id, flags);
  }
}
