import { randomBytes } from 'node:crypto';
import { Args, Flags } from '@oclif/core';
import { EVENT_NAMES } from '../contract/webhook-events.ts';
import { GwCommand } from '../dispatch/command.ts';
import {
  basicAuthFlag,
  basicCredentials,
  LISTENER_URL,
  parseTarget,
  setFlag,
} from '../flags/delivery-flags.ts';
import { printFlags } from '../flags/global-flags.ts';
import { sendDelivery, withChanges } from '../operations/send-delivery.ts';
import { emulatorPath } from '../session/paths.ts';
import { fixedRecords, parseEventName, sampleBody, sampleHeaders } from '../webhooks/samples.ts';

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
    const event = parseEventName(args.event);
    const target = parseTarget('to', flags.to);
    const credentials = await basicCredentials(this.context, flags['basic-auth']);
    const { clock, files, version } = this.host;
    const { newestSubscription } = await import('../emulator/newest-subscription.ts');
    const now = clock.now();
    const records = newestSubscription(emulatorPath(files), clock) ?? fixedRecords(now);
    const code = randomBytes(5).toString('hex').toUpperCase();
    const sample = sampleBody(event, records, now, code);
    const pairs = flags.set ?? [];
    const delivery = {
      event,
      headers: sampleHeaders(version),
      body: Buffer.from(JSON.stringify(withChanges(sample, pairs))),
      isChanged: pairs.length > 0,
    };
    await sendDelivery(this.context, delivery, target, credentials, flags);
  }
}
