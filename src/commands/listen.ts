import { join } from 'node:path';
import { Flags } from '@oclif/core';
import { GwCommand } from '../dispatch/command.ts';
import { basicAuthFlag, LISTENER_HOST, LISTENER_PORT } from '../flags/delivery-flags.ts';
import { interactionFlags, profileFlag } from '../flags/global-flags.ts';
import { runListen } from '../operations/run-listen.ts';

export default class Listen extends GwCommand {
  static override summary = 'Receive web hooks on this machine, and print each event as it comes';
  static override description =
    'Every delivery is kept in the ledger before it is answered; `gw events` finds it again. Runs until ' +
    'Ctrl-C, or until what --until, --count and --timeout say: exit 0 when the events came, 9 when the time ' +
    'was over first, 130 when it was interrupted before. The interface knows no signature, so events are ' +
    'labelled unauthenticated unless the receiver asks for a password; --verify asks the gateway instead.';
  static override examples = [
    '<%= config.bin %> listen --profile sandbox',
    "<%= config.bin %> listen --events 'charge:*' --forward-to http://127.0.0.1:3000/hooks --verify",
    '<%= config.bin %> listen --until charge:successful --timeout 60 -o jsonl',
  ];
  static override flags = {
    port: Flags.string({
      description: 'Port to listen on; 0 for any free one.',
      helpValue: '<port>',
      default: String(LISTENER_PORT),
      helpGroup: 'RECEIVER',
    }),
    host: Flags.string({
      description: 'Address to listen on.',
      helpValue: '<address>',
      default: LISTENER_HOST,
      helpGroup: 'RECEIVER',
    }),
    'allow-remote': Flags.boolean({
      description: 'Permit an address that other machines reach.',
      helpGroup: 'RECEIVER',
    }),
    path: Flags.string({
      description: 'Path that deliveries have to name; a secret one keeps others out.',
      helpValue: '</path>',
      default: '/',
      helpGroup: 'RECEIVER',
    }),
    ...basicAuthFlag('that deliveries have to authenticate with', { helpGroup: 'RECEIVER' }),
    respond: Flags.string({
      description: 'Status to answer good deliveries with, to see what the gateway does then.',
      helpValue: '<status>',
      default: '200',
      helpGroup: 'RECEIVER',
    }),
    delay: Flags.string({
      description: 'Wait before each answer.',
      helpValue: '<seconds>',
      default: '0',
      helpGroup: 'RECEIVER',
    }),
    events: Flags.string({
      description: 'Only these events; * stands for any text. May be repeated.',
      helpValue: '<pattern>',
      multiple: true,
      helpGroup: 'EVENTS',
    }),
    'forward-to': Flags.string({
      description: 'Pass events on to an application, in order and until it takes them.',
      helpValue: '<url>',
      helpGroup: 'EVENTS',
    }),
    verify: Flags.boolean({
      description: 'Ask the gateway for the subscription of each event, and compare.',
      helpGroup: 'EVENTS',
    }),
    until: Flags.string({
      description: 'End when this event came; * stands for any text.',
      helpValue: '<pattern>',
      helpGroup: 'END',
    }),
    count: Flags.string({
      description: 'End when so many events came (with --until: such events).',
      helpValue: '<integer>',
      helpGroup: 'END',
    }),
    timeout: Flags.string({
      description: 'End after this time.',
      helpValue: '<seconds>',
      helpGroup: 'END',
    }),
    output: Flags.option({
      char: 'o',
      options: ['jsonl'] as const,
      description: 'One JSON object a line, with headers and payload. Default: a readable line.',
      helpGroup: 'OUTPUT',
    })(),
    verbose: Flags.boolean({
      description: 'Show the payload below each line.',
      helpGroup: 'OUTPUT',
      exclusive: ['output'],
    }),
    ...profileFlag,
    ...interactionFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Listen);
    await runListen(this.context, flags, join(this.config.root, 'dist', 'events-worker.cjs'));
  }
}
