import { command } from '../dispatch/command.ts';
import { basicAuthFlag, LISTENER_HOST, LISTENER_PORT } from '../flags/delivery-flags.ts';
import { option, toggle } from '../flags/flag.ts';
import { interactionFlags, profileFlag } from '../flags/global-flags.ts';
import { runListen } from '../operations/run-listen.ts';

export default command({
  summary: 'Receive web hooks on this machine, and print each event as it comes',
  description: `Every delivery is kept on disk before it is answered; \`gw events\` finds it again. Runs
    until Ctrl-C, or until what --until, --count and --timeout say: exit 0 when the events came, 9
    when the time was over first, 130 when it was interrupted before. The interface knows no
    signature, so events are labelled unauthenticated unless the receiver asks for a password;
    --verify asks the gateway instead, and then only what it confirms is passed on. A body that is no
    event, or one of the six events without what it is about (no objects in the payload, a charge
    without its subscription or its response), is a bad delivery: kept and shown, answered 400, not
    counted and not passed on. Requests that a web page has a browser send are refused.`,
  examples: [
    'gw listen --profile sandbox',
    "gw listen --events 'charge:*' --forward-to http://127.0.0.1:3000/hooks --verify",
    'gw listen --until charge:successful --timeout 60 -o jsonl',
  ],
  flags: {
    port: option({
      description: 'Port to listen on; 0 for any free one.',
      helpValue: '<port>',
      default: String(LISTENER_PORT),
      helpGroup: 'RECEIVER',
    }),
    host: option({
      description: 'Address to listen on.',
      helpValue: '<address>',
      default: LISTENER_HOST,
      helpGroup: 'RECEIVER',
    }),
    'allow-remote': toggle({
      description: 'Permit an address that other machines reach.',
      helpGroup: 'RECEIVER',
    }),
    path: option({
      description: 'Path that deliveries have to name; a secret one keeps others out.',
      helpValue: '</path>',
      default: '/',
      helpGroup: 'RECEIVER',
    }),
    ...basicAuthFlag('that deliveries have to authenticate with', { helpGroup: 'RECEIVER' }),
    respond: option({
      description: 'Status to answer good deliveries with, to see what the gateway does then.',
      helpValue: '<status>',
      default: '200',
      helpGroup: 'RECEIVER',
    }),
    delay: option({
      description: 'Wait before each answer.',
      helpValue: '<seconds>',
      default: '0',
      helpGroup: 'RECEIVER',
    }),
    events: option({
      description: 'Only these events; * stands for any text. May be repeated.',
      helpValue: '<pattern>',
      multiple: true,
      helpGroup: 'EVENTS',
    }),
    'forward-to': option({
      description: 'Pass events on to an application, in order and until it takes them.',
      helpValue: '<url>',
      helpGroup: 'EVENTS',
    }),
    verify: toggle({
      description: 'Ask the gateway for what each event names, and pass on only what it confirms.',
      helpGroup: 'EVENTS',
    }),
    until: option({
      description: 'End when this event came; * stands for any text.',
      helpValue: '<pattern>',
      helpGroup: 'END',
    }),
    count: option({
      description: 'End when so many events came (with --until: such events).',
      helpValue: '<integer>',
      helpGroup: 'END',
    }),
    timeout: option({
      description: 'End after this time.',
      helpValue: '<seconds>',
      helpGroup: 'END',
    }),
    output: option({
      char: 'o',
      options: ['jsonl'],
      description: 'One JSON object a line, with headers and payload. Default: a readable line.',
      helpGroup: 'OUTPUT',
    }),
    verbose: toggle({
      description: 'Show the payload below each line.',
      helpGroup: 'OUTPUT',
      exclusive: ['output'],
    }),
    ...profileFlag,
    ...interactionFlags,
  },

  run: (context, { flags }) => runListen(context, flags),
});
