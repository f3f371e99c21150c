/** Asks the gateway about events. It asks about an event only once at a time, and keeps the answer in the store. */
import { createSlots } from '../../base/semaphore.ts';
import type { StoredEvent, Verification } from '../../events/event.ts';
import type { DeliveryContent } from '../../events/read/read-delivery.ts';
import type { ShownEvent } from '../../events/show/event-view.ts';
import type { EventStore } from '../../events/store/event-file.ts';
import { Failure } from '../../failure.ts';
import { cut, neutralise } from '../../host/redaction/safe.ts';

const MAX_AT_ONCE = 8;

/** The verdict on an event when the gateway has answered, and the event that it repeats. */
type Told = { verification: Verification } & Pick<StoredEvent, 'duplicateOf'>;

export type Verify = (content: DeliveryContent) => Promise<Verification>;

interface VerificationParts {
  store: Pick<EventStore, 'verify'>;
  /** Asks the gateway whether an event is true. */
  verify: Verify;
  /** The X-Service-Mode that fits the profile; undefined without a profile. */
  mode: 'Live' | 'Sandbox' | undefined;
  /** Whether an event that the gateway could not be asked about is asked about again, before it is passed on. */
  isAskingAgain: boolean;
  /** Prints a line for the user. */
  notice(text: string): void;
}

export class Verifications {
  readonly #parts: VerificationParts;
  readonly #slots = createSlots(MAX_AT_ONCE);
  /** The questions in progress, by event id. */
  readonly #asking = new Map<number, Promise<Told>>();

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  /** @returns the gateway's answer about the event, which is then in the store, and what it repeats */
  of(shown: ShownEvent): Promise<Told> {
    const { id } = shown.event;
    const asking =
      this.#asking.get(id) ??
      this.#slots(() => this.#learn(shown)).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  async #learn({ event, content }: ShownEvent): Promise<Told> {
    const { store, verify, mode, isAskingAgain, notice } = this.#parts;
    const expected = otherMode(event.mode, mode);
    const found: Verification =
      expected === undefined
        ? await verify(content)
        : {
            state: 'contradicted',
            reason: `it is marked ${shortMode(event.mode)}, not ${expected}`,
          };
    const isLeft = found.state === 'waiting' && !isAskingAgain;
    const verification: Verification = isLeft ? { ...found, state: 'unverified' } : found;
    try {
      return { verification, duplicateOf: await store.verify(event.id, verification) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notice(
        `gw could not record that event ${event.id} is ${verification.state}: ${error.message}`,
      );
    }
    return { verification, duplicateOf: event.duplicateOf };
  }
}

/** @returns the expected mode, if the event names another one; an event without a mode counts as expected */
export function otherMode(mode: string | null, expected: string | undefined): string | undefined {
  if (mode === null || expected === undefined) return undefined;
  return mode.toLowerCase() === expected.toLowerCase() ? undefined : expected;
}

/** @returns the mode of an event for people */
export function shortMode(mode: string | null): string {
  return neutralise(cut(mode ?? '', 40));
}
