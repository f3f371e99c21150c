/**
 * Passes events on to a local application: the bytes and headers as received, in order per source.
 *
 * Each source has a lane, and a lane passes on one event at a time: the next one waits until the
 * application has taken the one before. An event that is not taken (no answer, or a status other
 * than 2xx) is tried again for as long as the listener runs, after pauses that double up to a minute.
 * What waits is in the store and not only here, so that the next start goes on with it; an event
 * whose success could not be written down in time is passed on a second time, and none is forgotten.
 *
 * Bounds: lanes that send at the same time, the pause, and the time for one attempt (send.ts).
 */
import { setMaxListeners } from 'node:events';
import { backoffMs } from '../../base/backoff.ts';
import type { EventStore, ForwardResult, WaitingForward } from '../../events/event-store.ts';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import type { DeliverySender } from '../delivery.ts';
import { createSlots } from '../slots.ts';

export const MAX_LANES_AT_ONCE = 16;
export const FORWARD_BACKOFF = { firstMs: 500, maxMs: 60_000 };

export interface ForwarderOptions {
  /** As it is kept in the store. */
  target: string;
  store: Pick<EventStore, 'find' | 'settleForwards'>;
  sender: Pick<DeliverySender, 'send'>;
  clock: Pick<Clock, 'sleep'>;
  /** 0 to 1, to spread the attempts. */
  random: () => number;
  /** Told when the application begins to fail, and when it takes events again. */
  notice(text: string): void;
}

export interface Forwarder {
  /** Events of one source are added in their order. */
  add(forward: WaitingForward): void;
  /** Events that wait or are under way. */
  readonly waiting: number;
  /** Starts no further attempt after `graceMs`, and no repeat at all; resolves when none is under way. */
  close(graceMs: number): Promise<void>;
}

interface Lane {
  /** The first one is under way. */
  events: WaitingForward[];
  run: Promise<void>;
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { target, store, sender, clock, random, notice } = options;
  const lanes = new Map<string, Lane>();
  const slots = createSlots(MAX_LANES_AT_ONCE);
  const noRepeats = new AbortController();
  const noAttempts = new AbortController();
  // Each lane listens.
  setMaxListeners(0, noRepeats.signal, noAttempts.signal);
  let waiting = 0;
  let isFailing = false;

  const report = ({ isTaken, reason }: { isTaken: boolean; reason: string }) => {
    if (isTaken === !isFailing) return;
    isFailing = !isTaken;
    notice(
      isFailing
        ? `${target} did not take an event (${reason}). It is kept and tried again.`
        : `${target} takes events again.`,
    );
  };

  const send = async ({ id }: WaitingForward) => {
    const event = await store.find(id);
    if (!event) throw new Error(`Event ${id} is promised to ${target} and is not in the store`);
    return sender.send(event.headers, event.body, noAttempts.signal);
  };

  const attempt = async (forward: WaitingForward): Promise<boolean> => {
    const result = await send(forward);
    // An attempt that the end of the listener cut short says nothing of the application.
    if (!noAttempts.signal.aborted || result.isTaken) report(result);
    forward.attempts++;
    const settled: ForwardResult = {
      target,
      id: forward.id,
      state: result.isTaken ? 'done' : 'waiting',
      attempts: forward.attempts,
      error: result.isTaken ? null : result.reason,
    };
    try {
      await store.settleForwards([settled]);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notice(`What became of event ${forward.id} could not be written down: ${error.message}`);
    }
    return result.isTaken;
  };

  const runLane = async (source: string, lane: Lane) => {
    for (let forward = lane.events[0]; forward; forward = lane.events[0]) {
      const current = forward;
      const isTaken = await slots(async () => !noAttempts.signal.aborted && attempt(current));
      if (isTaken) {
        lane.events.shift();
        waiting--;
        continue;
      }
      if (noRepeats.signal.aborted) return;
      const pause = backoffMs(current.attempts - 1, FORWARD_BACKOFF, random);
      const isOver = await clock.sleep(pause, noRepeats.signal).then(
        () => false,
        () => true,
      );
      if (isOver) return;
    }
    lanes.delete(source);
  };

  return {
    add(forward) {
      waiting++;
      const lane = lanes.get(forward.source);
      if (lane) {
        lane.events.push(forward);
        return;
      }
      const made: Lane = { events: [forward], run: Promise.resolve() };
      lanes.set(forward.source, made);
      made.run = runLane(forward.source, made);
    },
    get waiting() {
      return waiting;
    },
    async close(graceMs) {
      noRepeats.abort(new Error('closing'));
      const drained = Promise.all([...lanes.values()].map(({ run }) => run));
      const settled = new AbortController();
      await Promise.race([
        drained.finally(() => settled.abort()),
        clock.sleep(graceMs, settled.signal).catch(() => undefined),
      ]);
      noAttempts.abort(new Error('closing'));
      await drained;
    },
  };
}
