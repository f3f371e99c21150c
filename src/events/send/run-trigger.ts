/** `gw trigger`: sends a sample of an event, in the form in which the embedded gateway would deliver it. */
import { randomUUID } from 'node:crypto';
import { nearest } from '../../base/nearest.ts';
import { EVENT_NAMES, type EventName, SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { emulatorPath } from '../../store/paths.ts';
import { receiverOf, type SendOptions, sendDelivery, withChanges } from './send-delivery.ts';

/**
 * @param event name of one of the six events
 * @throws Failure usage for any other name; as `receiverOf`, `withChanges` and `sendDelivery`
 */
export async function runTrigger(
  context: Context,
  event: string,
  options: SendOptions,
): Promise<void> {
  const name = eventNameOf(event);
  const receiver = await receiverOf(context, options);
  const { clock, files, version } = context.host;
  const { sampleBody } = await import('../../emulator/sample-event.ts');
  const sample = sampleBody({ name, path: emulatorPath(files), clock, seed: randomUUID() });
  const { changes: pairs, output } = options;
  const delivery = {
    event: name,
    headers: [
      ['Content-Type', 'application/json'],
      // A sample is never a live one.
      [SERVICE_MODE_HEADER, 'Sandbox'],
      ['User-Agent', `gw/${version} sample`],
    ] as const,
    body: Buffer.from(JSON.stringify(withChanges(sample, pairs))),
    isChanged: pairs.length > 0,
  };
  await sendDelivery(context, delivery, receiver, output);
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

function didYouMean(text: string): string {
  const word = text.toLowerCase();
  const meant =
    EVENT_NAMES.find((name) => name.split(':')[1] === word.replace(/^.*[:.]/, '')) ??
    nearest(word, EVENT_NAMES);
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}
