import { command } from '../cli/dispatch/command.ts';
import { basicAuthFlag, LISTENER_URL, setFlag } from '../cli/flags/delivery-flags.ts';
import { option } from '../cli/flags/flag.ts';
import { interactionFlags, printFlags } from '../cli/flags/global-flags.ts';
import { EVENT_NAMES } from '../contract/webhooks/names.ts';

export default command({
  summary: 'Send a sample of a webhook event',
  description: `Sends one of ${EVENT_NAMES.join(', ')} as the gateway would (X-Service-Mode: Sandbox). It is
    about the newest subscription of the built-in test gateway, or a made-up one.

    It charges nothing and does not change the built-in test gateway.`,
  examples: [
    'gw trigger charge:successful',
    'gw trigger charge:failed --to http://127.0.0.1:3000/hooks',
    'gw trigger charge:successful --set payload.0.response.response.amount=9900',
  ],
  args: {
    event: { description: 'The event. Asked for on a terminal if omitted.' },
  },
  flags: {
    to: option({
      description: 'Where to send it: `gw listen` listens at the default.',
      helpValue: '<url>',
      default: LISTENER_URL,
    }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
    'no-input': interactionFlags['no-input'],
  },
  async run(context, { args, flags }) {
    const { runTrigger } = await import('../events/send/run-trigger.ts');
    const { sendOptions } = await import('../events/send/send-delivery.ts');
    const options = sendOptions(context.host, flags);
    const { askedArgument } = await import('../requests/asked-argument.ts');
    const event = await askedArgument(context.host, {
      given: args.event,
      argument: 'EVENT',
      command: 'gw trigger',
      question: 'Event:',
      options: options.request,
      seen: `The events are ${EVENT_NAMES.join(', ')}.`,
      choices: async () => EVENT_NAMES.map((name) => ({ value: name, name })),
    });
    await runTrigger(context, event, options);
  },
});
