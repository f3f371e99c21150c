import { command } from '../../cli/dispatch/command.ts';
import { basicAuthFlag, setFlag } from '../../cli/flags/delivery-flags.ts';
import { idArg, option } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { runResend } from '../../events/send/run-resend.ts';
import { sendOptions } from '../../events/send/send-delivery.ts';

export default command({
  summary: 'Send a received event again, to an address of your choice',
  description: `Sends the bytes and headers as they arrived, without credentials. --set changes one field of
    what gw sends. The stored event stays the same.`,
  examples: [
    'gw events resend 17 --to http://127.0.0.1:3000/hooks',
    "gw events resend 17 --to http://127.0.0.1:3000/hooks --set 'payload.0.subscription.last_status=Failed (3), Aborted'",
  ],
  args: idArg('Id of the event.'),
  flags: {
    to: option({ description: 'Where to send it.', helpValue: '<url>', required: true }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
  },
  run: (context, { args, flags }) => runResend(context, args.id, sendOptions(context.host, flags)),
});
