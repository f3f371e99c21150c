/**
 * `gw listen`: the options of the listener, and what it says of itself in the help.
 *
 * Tests: test/system/listen.test.ts, test/system/listen-verify.test.ts
 */
import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import {
  basicAuthFlag,
  forwardBasicAuthFlag,
  LISTENER_HOST,
  LISTENER_PORT,
} from '../../cli/flags/delivery-flags.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { interactionFlags, profileFlag } from '../../cli/flags/global-flags.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { listenOptionsOf } from './listen-options.ts';
import { runListen } from './run-listen.ts';

const end = inGroup('END');
const events = inGroup('EVENTS');
const output = inGroup('OUTPUT');
const receiver = inGroup('RECEIVER');

export default command({
  summary: 'Receive webhooks here, and print each as it arrives',
  description: `Stores every webhook before it answers. \`gw events\` shows them later.

    Runs until Ctrl-C, --until, --count or --timeout. The exit code is 0 if the events came,
    9 if the time ended first, 130 if you interrupted it.

    It says \`Listening\` and its address on stderr once it takes webhooks. A script waits for that:
    \`gw listen 2>l & until grep -q ^List l || ! kill -0 $!; do sleep 1; done\`.

    Webhooks are not signed, so anybody could send one. --basic-auth asks senders for a
    password. --verify asks the gateway about each event, and passes on only what it
    confirms.

    If a body is no event, or one that the interface names without its record, gw keeps it,
    shows it and answers 400. It neither counts it nor passes it on.

    gw refuses requests that a web page makes a browser send.

    Webhooks tell of subscriptions and their cards. A purchase or a refund of your own sends
    none, and a new subscription nothing yet. \`gw trigger charge:successful\` sends an event to try.`,
  examples: [
    'gw listen --profile sandbox',
    "gw listen --events 'charge:*' --forward-to http://127.0.0.1:3000/hooks --verify",
    'gw listen --until charge:successful --timeout 60 -o jsonl',
  ],
  flags: {
    port: receiver.option({
      description: 'Port to listen on; 0 picks a free one.',
      helpValue: '<port>',
      default: String(LISTENER_PORT),
    }),
    host: receiver.option({
      description: 'Address to listen on.',
      helpValue: '<address>',
      default: LISTENER_HOST,
    }),
    'allow-remote': receiver.toggle({
      description: 'Allow an address that other machines can reach.',
    }),
    path: receiver.option({
      description: 'Path that deliveries must use; a secret one keeps others out.',
      helpValue: '</path>',
      default: '/',
    }),
    ...basicAuthFlag('that deliveries must authenticate with', { helpGroup: 'RECEIVER' }),
    respond: receiver.option({
      description: 'Status to answer good deliveries with, to see how the gateway reacts.',
      helpValue: '<status>',
      default: '200',
    }),
    delay: receiver.option({
      description: 'Wait before each answer.',
      helpValue: '<seconds>',
      default: '0',
    }),
    events: events.option({
      description: 'Only these events; * matches any text. May be repeated.',
      helpValue: '<pattern>',
      choices: EVENT_NAMES,
      multiple: true,
    }),
    'forward-to': events.option({
      description:
        'Pass events on to an application, those of a subscription or card in order, until it accepts them.',
      helpValue: '<url>',
    }),
    ...forwardBasicAuthFlag('for that application', { helpGroup: 'EVENTS' }),
    verify: events.toggle({
      description: 'Ask the gateway about each event, and pass on only what it confirms.',
    }),
    until: end.option({
      description: 'Stop when this event arrives; * matches any text.',
      helpValue: '<pattern>',
      choices: EVENT_NAMES,
    }),
    count: end.option({
      description: 'Stop after this many events (with --until: events that match).',
      helpValue: '<integer>',
    }),
    timeout: end.option({ description: 'Stop after this time.', helpValue: '<seconds>' }),
    output: output.option({
      char: 'o',
      options: ['jsonl'],
      description: 'One JSON object per line, with headers and payload. Default: a readable line.',
    }),
    verbose: output.toggle({
      description: 'Show the payload below each line.',
      exclusive: ['output'],
    }),
    ...profileFlag,
    ...interactionFlags,
  },

  async run(context, { flags }) {
    // The time limit belongs to the listener, not to its requests.
    const { timeout: _, ...ofRequest } = flags;
    await runListen(context, {
      listener: listenOptionsOf(flags),
      request: requestOptions(context.host, ofRequest),
      username: flags['basic-auth'],
      forwardUsername: flags['forward-basic-auth'],
      isVerifying: flags.verify ?? false,
    });
  },
});
