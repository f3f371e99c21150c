import { Failure, usage } from '../../failure.ts';
import type { StoredEvent } from '../event.ts';
import type { EventStore } from './event-store.ts';

/** @throws Failure usage when the text is no id of an event, notFound when there is no such event */
export async function findEvent(store: EventStore, id: string): Promise<StoredEvent> {
  const number = /^#?([1-9]\d{0,14})$/.exec(id)?.[1];
  if (number === undefined) {
    throw usage(
      'event-id-invalid',
      `${JSON.stringify(id)} is not an event id.`,
      'Event ids are numbers. Run `gw events list` to see them.',
    );
  }
  const event = await store.find(Number(number));
  if (event) return event;
  throw new Failure('notFound', `No event has the id ${number}.`, {
    code: 'event-not-found',
    next: 'Run `gw events list` to see the events received here.',
  });
}
