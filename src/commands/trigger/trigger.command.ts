/**
 * `gw trigger`: makes a sample of an event, and sends it.
 *
 * Tests: test/system/listen.test.ts, test/system/listen-repeats.test.ts
 */
import { randomUUID } from 'node:crypto';
import { nearest } from '../../base/nearest.ts';
import { command } from '../../cli/dispatch/command.ts';
import { basicAuthFlag, LISTENER_URL, setFlag } from '../../cli/flags/delivery-flags.ts';
import { option } from '../../cli/flags/flag.ts';
import { interactionFlags, printFlags } from '../../cli/flags/global-flags.ts';
import { parseFault } from '../../contract/faults.ts';
import {
  DELIVERY_HEADER,
  EVENT_NAMES,
  type EventName,
  SERVICE_MODE_HEADER,
} from '../../contract/webhooks/names.ts';
import { SHAPES, type ShapeName, shapesOf } from '../../contract/webhooks/shapes.ts';
import type { SampleOptions } from '../../emulator/sample-event.ts';
import {
  type OutgoingDelivery,
  receiverOf,
  sendDelivery,
  sendOptions,
  withChanges,
} from '../../events/send/send-delivery.ts';
import { SENT_VIEW } from '../../events/send/sent-view.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { chooseArgument } from '../../requests/asked-argument.ts';
import { emulatorPath } from '../../store/paths.ts';

export default command({
  summary: 'Send a sample of a webhook event',
  description: `Sends one of charge:pending, charge:successful, charge:retry, charge:failed,
    card:expiring, card:expired as the gateway would (X-Service-Mode: Sandbox). It is about
    the newest subscription of the built-in test gateway, or a made-up one. A single purchase or
    refund has no events.

    Shapes: ${Object.entries(SHAPES)
      .map(([name, { has, events }]) => `${name} of ${events.join(', ')} has ${has}`)
      .join('; ')}.

    Webhooks are not signed. A receiver knows the sender by a password: --basic-auth sends it.

    It charges nothing, and every listener of gw knows that it is a sample.`,
  prints: SENT_VIEW,
  examples: [
    'gw trigger charge:successful',
    'gw trigger charge:failed --subscription SUB-1 --shape no-id --to http://127.0.0.1:3000/hooks',
    'gw trigger charge:successful --set payload.0.response.response.amount=9900',
  ],
  args: {
    event: { description: 'The event.', asked: true, choices: EVENT_NAMES },
  },
  flags: {
    to: option({
      description: 'Where to send it: `gw listen` listens at the default.',
      helpValue: '<url>',
      default: LISTENER_URL,
    }),
    subscription: option({
      description: 'Subscription of the test gateway that it is about: an id or a reference.',
      helpValue: '<id>',
    }),
    customer: option({
      description: 'Customer of the test gateway that it is about: an id, a reference or an email.',
      helpValue: '<id>',
    }),
    shape: option({
      description: `Another shape that the interface describes: ${Object.keys(SHAPES).join(', ')}.`,
      helpValue: '<shape>',
      choices: Object.keys(SHAPES),
    }),
    ...setFlag,
    ...basicAuthFlag('for the address'),
    ...printFlags,
    ...interactionFlags,
  },
  async run(context, { args, flags }) {
    const options = sendOptions(context.host, flags);
    const event = await chooseArgument(context.host, {
      given: args.event,
      argument: 'EVENT',
      command: 'gw trigger',
      question: 'Event:',
      options: options.request,
      seen: `The events are ${EVENT_NAMES.join(', ')}.`,
      choices: async () => EVENT_NAMES.map((name) => ({ value: name, name })),
    });
    const name = eventNameOf(event);
    const { subscription, customer } = flags;
    const shape = flags.shape === undefined ? undefined : shapeOf(name, flags.shape);
    const sample = { name, shape, subject: { subscription, customer } };
    const receiver = await receiverOf(context, options);
    const delivery = await sampleOf(context.host, sample, options.changes);
    await sendDelivery(context.host, delivery, receiver, options.output);
  },
});

/** @returns a sample of an event, in the form in which the test gateway would deliver it */
async function sampleOf(
  { clock, files, version }: Pick<Host, 'clock' | 'files' | 'version'>,
  asked: Pick<SampleOptions, 'name' | 'shape' | 'subject'>,
  changes: readonly string[],
): Promise<OutgoingDelivery> {
  const { sampleBody } = await import('../../emulator/sample-event.ts');
  const sample = sampleBody({ ...asked, path: emulatorPath(files), clock, seed: randomUUID() });
  return {
    event: asked.name,
    headers: [
      ['Content-Type', 'application/json'],
      // A sample is never a live one.
      [SERVICE_MODE_HEADER, 'Sandbox'],
      [DELIVERY_HEADER, `sample-${randomUUID()}`],
      ['User-Agent', `gw/${version} sample`],
    ],
    body: Buffer.from(JSON.stringify(withChanges(sample, changes))),
    isChanged: changes.length > 0,
  };
}

function eventNameOf(text: string): EventName {
  const name = EVENT_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  throw usage(
    'event-unknown',
    `The gateway sends no event ${JSON.stringify(text)}.`,
    `${didYouMean(text)}The events are ${EVENT_NAMES.join(', ')}.`,
  );
}

function shapeOf(event: EventName, text: string): ShapeName {
  const shapes = shapesOf(event);
  const shape = shapes.find((known) => known === text);
  if (shape !== undefined) return shape;
  throw usage(
    'shape-unknown',
    `A sample of ${event} has no shape ${JSON.stringify(text)}.`,
    `It has: ${shapes.join(', ')}. Leave --shape out for the usual one.`,
  );
}

/** The events of other gateways, by their names. */
const FOREIGN: readonly (readonly [form: RegExp, name: EventName])[] = [
  [/expiring/, 'card:expiring'],
  [/expired/, 'card:expired'],
  [/succe|\.(?:paid|captured|completed)$|^paid$/, 'charge:successful'],
  [/(?:fail|declin|deni)(?:ed|ure)?$|action_required$/, 'charge:failed'],
  [/(?:created|pending|processing|upcoming)$/, 'charge:pending'],
  [/(?:retry|retried)$/, 'charge:retry'],
];

function didYouMean(text: string): string {
  if (parseFault(text))
    return `\`gw purchase create --test-fault ${text} --profile local\` makes that trouble. `;
  const word = text.toLowerCase();
  const meant =
    FOREIGN.find(([form]) => form.test(word))?.[1] ??
    EVENT_NAMES.find((name) => name.split(':')[1] === word.replace(/^.*[:.]/, '')) ??
    nearest(word, EVENT_NAMES);
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}
