/** What the gateway says of events: each is asked about once at a time, and the answer is kept in the store. */
import { createSlots } from '../../base/semaphore.ts';
import { Failure } from '../../failure.ts';
import { cut, neutralise } from '../../host/redaction/safe.ts';
import type { Verification } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';
import type { ShownEvent } from '../show/event-view.ts';
import type { EventStore } from '../store/event-file.ts';

const MAX_AT_ONCE = 8;

export type Verify = (content: DeliveryContent) => Promise<Verification>;

interface VerificationParts {
  store: Pick<EventStore, 'verify'>;
  /** Asks the gateway whether an event is true. */
  verify: Verify;
  /** The X-Service-Mode that fits the profile; none to compare with where there is no profile. */
  mode: 'Live' | 'Sandbox' | undefined;
  /** A line for the person at the screen. */
  notice(text: string): void;
}

export class Verifications {
  readonly #parts: VerificationParts;
  readonly #slots = createSlots(MAX_AT_ONCE);
  /** What the gateway is being asked, by the id of the event. */
  readonly #asking = new Map<number, Promise<Verification>>();

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  /** @returns what the gateway says of the event, which is in the store then */
  of(shown: ShownEvent): Promise<Verification> {
    const { id } = shown.event;
    const asking =
      this.#asking.get(id) ??
      this.#slots(() => this.#learn(shown)).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  async #learn({ event, content }: ShownEvent): Promise<Verification> {
    const { store, verify, mode, notice } = this.#parts;
    const expected = otherMode(event.mode, mode);
    const found: Verification =
      expected === undefined
        ? await verify(content)
        : {
            state: 'contradicted',
            reason: `it is marked ${shortMode(event.mode)}, not ${expected}`,
          };
    // Nobody asks again about an event that is not passed on.
    const isLeft = found.state === 'waiting' && event.verification === null;
    const verification: Verification = isLeft ? { ...found, state: 'unverified' } : found;
    try {
      await store.verify(event.id, verification);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notice(
        `gw could not record that event ${event.id} is ${verification.state}: ${error.message}`,
      );
    }
    return verification;
  }
}

/** @returns the mode that was expected, when the event's own is another; an absent one is none */
export function otherMode(mode: string | null, expected: string | undefined): string | undefined {
  if (mode === null || expected === undefined) return undefined;
  return mode.toLowerCase() === expected.toLowerCase() ? undefined : expected;
}

/** @returns the mode of an event as it is named to a person */
export function shortMode(mode: string | null): string {
  return neutralise(cut(mode ?? '', 40));
}
