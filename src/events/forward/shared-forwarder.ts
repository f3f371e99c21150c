/**
 * Passes on what several listeners keep in one ledger: each event by one of them, in order per source.
 *
 *   claim ──► sources that nobody else has, with the events of theirs that wait ──► forwarder
 *     ▲                                                                               │
 *     └────────────── a source is done, an event was kept here, or a second is over ──┘
 *
 * What is claimed is one's own for a while (`ForwardLeases`), and claimed anew long before that is over.
 * Where it cannot be, what is under way is cut off in time, so that nobody else has it as well. So the
 * events of a listener that is gone are passed on by another one after that while.
 *
 * An event that the application took while the ledger was away is noted as soon as it is back, before
 * anything else is passed on.
 */

import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import type { StoredEvent } from '../event.ts';
import type { EventStore, ForwardLeases, ForwardResult } from '../store/event-store.ts';
import { Forwarder, type ForwarderParts } from './forwarder.ts';

/** How often it is asked what others have kept, and left. */
const POLL_MS = 1_000;
const MAX_EVENTS_AT_ONCE = 256;
/** Sources of one listener; what is beyond is left to others. */
const MAX_SOURCES = 1_024;
/** So many times a lease is renewed while it lasts. */
const RENEWALS = 3;

export interface SharedForwarderParts
  extends Omit<ForwarderParts, 'store' | 'clock' | 'onSourceDone'> {
  store: Pick<EventStore, 'find' | 'settleForwards'>;
  leases: ForwardLeases;
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Told each time that the ledger fails, or does what it is asked. */
  ledger: { failed(error: Failure): void; worked(): void };
}

export class SharedForwarder {
  readonly #parts: SharedForwarderParts;
  /** Done with, and not written down yet. */
  readonly #unsettled = new Map<number, ForwardResult>();
  /** Sources that were passed on from here, and are let go of with the next claim. */
  readonly #ended = new Set<string>();
  readonly #closing = new AbortController();
  readonly #run: Promise<void>;
  #forwarder: Forwarder;
  /** Resolves when that which was cut off has ended. */
  #cut: Promise<void> = Promise.resolve();
  #watch = new AbortController();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #rest = new AbortController();
  #isNudged = false;
  #withheld = 0;
  #taken = 0;

  constructor(parts: SharedForwarderParts) {
    this.#parts = parts;
    this.#forwarder = this.#open();
    this.#run = this.#work();
  }

  /** An event was kept that is to be passed on. */
  add(): void {
    this.#isNudged = true;
    this.#rest.abort();
  }

  /** Events that wait here or are under way. */
  get waiting(): number {
    return this.#forwarder.waiting;
  }

  /** Events that the application took from here. */
  get taken(): number {
    return this.#taken + this.#forwarder.taken;
  }

  /** Events that were found not to be true. */
  get withheld(): number {
    return this.#withheld + this.#forwarder.withheld;
  }

  /** Passes on for up to `graceMs` what is taken at once, and leaves the rest to others. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort(new Error('closing'));
    this.#rest.abort();
    await this.#run;
    this.#forwarder.stopRepeats();
    const over = new AbortController();
    const end = this.#parts.clock.sleep(graceMs, over.signal).catch(() => undefined);
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    do await Promise.race([this.#forwarder.drained(), end]);
    while (!isOver && (await this.#turn()) > 0);
    over.abort();
    await this.#forwarder.cut();
    this.#watch.abort();
    await this.#leave();
  }

  async #work(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const taken = await this.#turn();
      const isFailing = taken < 0;
      this.#rest = new AbortController();
      if (this.#closing.signal.aborted || (this.#isNudged && !isFailing)) continue;
      await this.#parts.clock.sleep(POLL_MS, this.#restSignal(isFailing)).catch(() => undefined);
    }
  }

  /** A ledger that fails is asked again in a moment, whatever happens meanwhile. */
  #restSignal(isFailing: boolean): AbortSignal {
    return isFailing ? this.#closing.signal : this.#rest.signal;
  }

  /** @returns how many events were taken; less than none where the ledger fails */
  async #turn(): Promise<number> {
    const { ledger } = this.#parts;
    this.#isNudged = false;
    try {
      await this.#settleAll();
      await this.#renew();
      const taken = await this.#claim();
      ledger.worked();
      return taken;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      ledger.failed(error);
      return -1;
    }
  }

  async #claim(): Promise<number> {
    await this.#cut;
    const { leases, target, confirm } = this.#parts;
    const forwarder = this.#forwarder;
    const held = forwarder.sources;
    const ended = [...this.#ended].filter((source) => !held.includes(source));
    const askedAt = this.#now();
    const taken = await leases.claim({
      target: target.href,
      limit: held.length < MAX_SOURCES ? MAX_EVENTS_AT_ONCE : 0,
      isConfirming: confirm !== undefined,
      ...{ held, ended },
    });
    for (const source of ended) this.#ended.delete(source);
    // Cut off meanwhile: they are claimed again when that has ended.
    if (forwarder !== this.#forwarder) return taken.length;
    if (held.length === 0 && taken.length > 0) this.#holdFrom(askedAt);
    for (const forward of taken) forwarder.add(forward);
    return taken.length;
  }

  async #renew(): Promise<void> {
    const { leases, target } = this.#parts;
    const forwarder = this.#forwarder;
    const held = forwarder.sources;
    const askedAt = this.#now();
    if (held.length === 0 || askedAt - this.#renewedAt < leases.heldMs / RENEWALS) return;
    const isOurs = await leases.renew(target.href, held);
    if (forwarder !== this.#forwarder) return;
    if (isOurs) this.#holdFrom(askedAt);
    else this.#cutOff();
  }

  /** All that is held is held from a time on, in milliseconds. */
  #holdFrom(askedAt: number): void {
    const { clock, leases } = this.#parts;
    this.#renewedAt = askedAt;
    this.#watch.abort();
    this.#watch = new AbortController();
    void clock.sleep(askedAt + leases.heldMs - this.#now(), this.#watch.signal).then(
      () => this.#cutOff(),
      () => undefined,
    );
  }

  get #isHeld(): boolean {
    // The time of day goes on while a machine sleeps, and timers do not.
    return this.#now() < this.#renewedAt + this.#parts.leases.heldMs;
  }

  /** Others may pass it on now. */
  #cutOff(): void {
    const old = this.#forwarder;
    this.#withheld += old.withheld;
    this.#taken += old.taken;
    this.#renewedAt = Number.NEGATIVE_INFINITY;
    this.#forwarder = this.#open();
    if (this.#closing.signal.aborted) this.#forwarder.stopRepeats();
    this.#cut = Promise.all([this.#cut, old.cut()]).then(() => undefined);
  }

  #open(): Forwarder {
    const store = {
      find: (id: number) => this.#find(id),
      settleForwards: (results: readonly ForwardResult[]) => this.#settle(results),
    };
    const onSourceDone = (source: string) => {
      this.#ended.add(source);
      this.add();
    };
    return new Forwarder({ ...this.#parts, store, onSourceDone });
  }

  async #find(id: number): Promise<StoredEvent | undefined | 'later'> {
    if (!this.#isHeld) return 'later';
    try {
      await this.#settleAll();
      const event = await this.#parts.store.find(id);
      return this.#isHeld ? event : 'later';
    } catch (error) {
      this.#noteFailure(error);
      return 'later';
    }
  }

  async #settle(results: readonly ForwardResult[]): Promise<void> {
    const final = results.filter(({ state }) => state !== 'waiting');
    // How often an event was tried in vain is of no interest to whoever has it by now.
    if (final.length === 0 && !this.#isHeld) return;
    try {
      await this.#parts.store.settleForwards(results);
    } catch (error) {
      this.#noteFailure(error);
      for (const result of final) this.#unsettled.set(result.id, result);
    }
  }

  async #settleAll(): Promise<void> {
    if (this.#unsettled.size === 0) return;
    const results = [...this.#unsettled.values()];
    await this.#parts.store.settleForwards(results);
    for (const { id } of results) this.#unsettled.delete(id);
  }

  /** Lets go of everything. What cannot be written down is left as it is, and told. */
  async #leave(): Promise<void> {
    const { leases, notice, target, confirm } = this.#parts;
    const ended = [...this.#ended, ...this.#forwarder.sources];
    const claim = { target: target.href, limit: 0, isConfirming: confirm !== undefined };
    try {
      await this.#settleAll();
      if (ended.length > 0) await leases.claim({ ...claim, held: [], ended });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const ids = [...this.#unsettled.keys()];
      if (ids.length > 0)
        notice(
          `The results of passing on events ${ids.join(', ')} could not be recorded: ${error.message}`,
        );
    }
  }

  #noteFailure(error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    this.#parts.ledger.failed(error);
  }

  #now(): number {
    return this.#parts.clock.now().getTime();
  }
}
