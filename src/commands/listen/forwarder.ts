/**
 * Passes events on to a local application: the bytes and headers as received, in order for each source.
 *
 * Each source has a lane. A lane passes on one event at a time: the next one waits until the application has taken the
 * one before.
 *
 *   add ─┬─► subscription S-1   [17] 18 21      attempt, taken: 18 is next
 *        ├─► subscription S-2   [19] 20         attempt, not taken: pause, attempt, pause, …
 *        └─► customer C-9       [22]            attempt, taken: the lane ends with its last event
 *                                 │
 *                                 └─ at most MAX_LANES_AT_ONCE attempts at the same time; pauses do not count
 *
 * An event that is not taken (no answer, or a status other than 2xx) is tried again while the listener runs, after
 * pauses that double up to a minute. Waiting events are also in the store, so the next start goes on with them. An
 * event whose success could not be recorded in time is passed on a second time; none is lost.
 *
 * If events must be confirmed, an attempt begins with that. An event that cannot be confirmed yet is tried again like
 * one that was not taken. One that is not true is withheld for good.
 */
import { once, setMaxListeners } from 'node:events';
import { backoffMs } from '../../base/backoff.ts';
import { createSlots } from '../../base/semaphore.ts';
import { FORWARDED_HEADER } from '../../contract/webhooks/names.ts';
import type { StoredEvent, Verification } from '../../events/event.ts';
import type { ForwardResult, WaitingForward } from '../../events/store/append-events.ts';
import type { EventStore } from '../../events/store/event-file.ts';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import type { BasicCredentials } from '../../host/http/check-basic-auth.ts';
import {
  type DeliveryResult,
  type DeliverySender,
  withCredentials,
} from '../../host/http/post-event.ts';
import { trustAdvice } from '../../host/http/transport-reason.ts';

export const MAX_LANES_AT_ONCE = 16;
export const FORWARD_BACKOFF = { firstMs: 500, maxMs: 60_000 };

export interface ForwarderParts {
  /** An http or https address. The store finds the events that wait for it by its text. */
  target: URL;
  /** Sent to the application, and kept nowhere. */
  credentials?: BasicCredentials | undefined;
  /** The id of the listener, by which it knows what comes back to it. */
  mark: string;
  store: Pick<EventStore, 'find' | 'settleForward'>;
  sender: Pick<DeliverySender, 'send'>;
  clock: Pick<Clock, 'sleep'>;
  /** 0 to 1, to spread the attempts. */
  random: () => number;
  /** Asks the gateway about an event; without it, events are passed on unconfirmed. */
  confirm?: ((event: StoredEvent) => Promise<Verification>) | undefined;
  /** Called when the application begins to fail, and when it takes events again. */
  notice(text: string): void;
}

export class Forwarder {
  readonly #parts: ForwarderParts;
  /** The events of each source; the first of them is being passed on. */
  readonly #lanes = new Map<string, WaitingEvent[]>();
  readonly #running = new Set<Promise<void>>();
  readonly #slots = createSlots(MAX_LANES_AT_ONCE);
  readonly #noRepeats = new AbortController();
  readonly #noAttempts = new AbortController();
  #isFailing = false;
  #isUnsure = false;
  #withheld = 0;
  #taken = 0;
  #takenEarlier = 0;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    // Each source adds a listener to these signals.
    setMaxListeners(0, this.#noRepeats.signal, this.#noAttempts.signal);
  }

  /** Callers add the events of one source in their order. */
  add({ id, source, attempts, isEarlier }: WaitingEvent): void {
    const event = { id, source, attempts, isEarlier };
    const lane = this.#lanes.get(source);
    if (lane) {
      lane.push(event);
      return;
    }
    const begun = [event];
    this.#lanes.set(source, begun);
    const run = this.#passOn(source, begun).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** The number of events that wait or are being passed on. */
  get waiting(): number {
    return [...this.#lanes.values()].flat().length;
  }

  /** The number of events that the application took. */
  get taken(): number {
    return this.#taken;
  }

  /** Those of the taken ones that an earlier run received. */
  get takenEarlier(): number {
    return this.#takenEarlier;
  }

  /** The number of events withheld for good, because the gateway contradicts or cannot confirm them. */
  get withheld(): number {
    return this.#withheld;
  }

  /** Starts no repeats, and after `graceMs` no attempts. It resolves when no attempt is running. */
  async close(graceMs: number): Promise<void> {
    this.#noRepeats.abort(new Error('closing'));
    const settled = new AbortController();
    await Promise.race([
      Promise.all(this.#running).finally(() => settled.abort()),
      this.#parts.clock.sleep(graceMs, settled.signal).catch(() => undefined),
    ]);
    this.#noAttempts.abort(new Error('closing'));
    await Promise.all(this.#running);
  }

  /** Passes on the events of one source, one after the other, until there are none or repeats have ended. */
  async #passOn(source: string, lane: WaitingEvent[]): Promise<void> {
    for (let first = lane[0]; first; first = lane[0]) {
      if (!(await this.#repeat(first))) return;
      lane.shift();
    }
    this.#lanes.delete(source);
  }

  /** @returns true when the event is settled; false once repeats have ended */
  async #repeat(event: WaitingEvent): Promise<boolean> {
    for (let pauses = event.attempts; ; pauses++) {
      // A new event does not wait behind the repeats of all others.
      if (await this.#slots(() => this.#attempt(event), pauses === 0)) return true;
      if (!(await this.#pause(pauses))) return false;
    }
  }

  /** @returns true if the event is settled: gone, withheld, or taken, even if that could not be recorded */
  async #attempt(forward: WaitingEvent): Promise<boolean> {
    const { store, sender, target, credentials, mark } = this.#parts;
    const { signal } = this.#noAttempts;
    if (signal.aborted) return false;
    const event = await store.find(forward.id);
    // The gateway that sent it has started over meanwhile.
    if (!event) return true;
    const known = await this.#confirm(event);
    if (known?.state === 'waiting') return false;
    if (known && known.state !== 'verified') {
      if (this.#withheld++ === 0) {
        const others = 'and neither are others that it does not confirm';
        this.#parts.notice(
          `The gateway does not confirm event ${forward.id}: it is not passed on, ${others}.`,
        );
      }
      await this.#settle(forward, { state: 'withheld', error: known.reason });
      return true;
    }
    const headers = [...event.headers, [FORWARDED_HEADER, mark]] as const;
    const url = withCredentials(target, credentials);
    const result = await sender.send({ url, headers, body: event.body }, signal);
    // An attempt that ended with the listener says nothing about the application.
    if (!signal.aborted || result.isTaken) this.#report(result);
    forward.attempts++;
    if (result.isTaken) this.#taken++;
    if (result.isTaken && forward.isEarlier) this.#takenEarlier++;
    await this.#settle(forward, {
      state: result.isTaken ? 'done' : 'waiting',
      error: result.isTaken ? null : result.reason,
    });
    return result.isTaken;
  }

  /** @returns undefined if no confirmation is needed; `waiting` also if the listener stops first */
  async #confirm(event: StoredEvent): Promise<Verification | undefined> {
    const { confirm, notice } = this.#parts;
    if (!confirm || event.verification?.state === 'verified') return undefined;
    const { signal } = this.#noAttempts;
    if (signal.aborted) return ENDING;
    const told = new AbortController();
    const cut = once(signal, 'abort', { signal: told.signal }).then(
      () => ENDING,
      () => ENDING,
    );
    const known = await Promise.race([confirm(event), cut]).finally(() => told.abort());
    const isUnsure = known.state === 'waiting';
    if (isUnsure !== this.#isUnsure && known !== ENDING) {
      this.#isUnsure = isUnsure;
      notice(
        isUnsure
          ? `The gateway cannot confirm events at the moment (${known.reason}). They wait while gw keeps asking.`
          : 'The gateway is confirming events again.',
      );
    }
    return known;
  }

  async #settle(
    { id, attempts }: WaitingEvent,
    outcome: Pick<ForwardResult, 'state' | 'error'>,
  ): Promise<void> {
    const { store, target, notice } = this.#parts;
    try {
      await store.settleForward({ target: target.href, id, attempts, ...outcome });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notice(`The result of passing on event ${id} could not be recorded: ${error.message}`);
    }
  }

  /** @param pauses the number of earlier pauses @returns whether to try again */
  async #pause(pauses: number): Promise<boolean> {
    const { clock, random } = this.#parts;
    const { signal } = this.#noRepeats;
    if (!signal.aborted)
      await clock.sleep(backoffMs(pauses, FORWARD_BACKOFF, random), signal).catch(() => undefined);
    return !signal.aborted;
  }

  #report({ isTaken, status, reason }: DeliveryResult): void {
    if (isTaken === !this.#isFailing) return;
    this.#isFailing = !isTaken;
    const { target, credentials, notice } = this.#parts;
    const advice =
      status === 401
        ? `It wants ${credentials ? 'another password' : 'a password'}: \`--forward-basic-auth USERNAME\` gives it one.`
        : trustAdvice(reason);
    notice(
      this.#isFailing
        ? `${target} did not accept an event (${reason}). gw keeps it and will try again.${advice ? ` ${advice}` : ''}`
        : `${target} is accepting events again.`,
    );
  }
}

const ENDING: Verification = { state: 'waiting', reason: 'the listener is stopping' };

interface WaitingEvent extends Pick<WaitingForward, 'id' | 'source' | 'attempts'> {
  /** true if an earlier run received it. */
  isEarlier: boolean;
}
