import type { AppendResult, NewEvent } from '../../../src/events/event.ts';
import {
  namesOfCustomer,
  readDelivery,
  referencesOf,
} from '../../../src/events/read/read-delivery.ts';
import type { EventStore } from '../../../src/events/store/event-file.ts';

export const contentOf = (value: unknown) =>
  readDelivery(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

/** The same with what is kept of it beside the rest. */
export function flatContentOf(value: unknown) {
  const { kept, ...rest } = contentOf(value);
  const { parts } = rest;
  return {
    ...kept,
    ...rest,
    references: parts.flatMap(referencesOf),
    customers: parts.flatMap(namesOfCustomer),
  };
}

/** @returns a delivery of a body as the event that a listener would keep */
export function newEvent(value: unknown, change: Partial<NewEvent> = {}): NewEvent {
  return {
    ...contentOf(value).kept,
    receivedAt: '2026-03-10T09:30:00.000Z',
    profile: null,
    mode: 'Sandbox',
    status: 200,
    authentication: 'none',
    headers: [['X-Service-Mode', 'Sandbox']],
    forwardTo: null,
    verification: null,
    ...change,
  };
}

/** Keeps deliveries in their order. */
export async function appendAll(
  store: Pick<EventStore, 'append'>,
  events: readonly NewEvent[],
): Promise<AppendResult[]> {
  const appended: AppendResult[] = [];
  for (const event of events) appended.push(await store.append(event));
  return appended;
}

/** A clock whose time passes when it is told to. */
export function manualClock() {
  const sleepers = new Set<{ ms: number; resolve: () => void }>();
  return {
    now: () => new Date('2026-03-10T09:30:00Z'),
    uptimeMs: () => 0,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { ms, resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    /** Pauses that somebody is waiting for. */
    pauses: () => [...sleepers].map(({ ms }) => ms),
    pass() {
      for (const { resolve } of sleepers) resolve();
      sleepers.clear();
    },
  };
}

/** Lets everything happen that needs no more than promises. */
export async function settle() {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}
