/**
 * The lease of a process on what it is sending: as long as it is put off, others take that for under way.
 *
 * A lease that is over is never taken up again, since others may have gone by it: what was sent under it
 * stays unknown to them until its outcome is written, and what comes next has a sender of its own. So
 * a machine that slept can tell, by its own clock, that it may not send what it meant to.
 *
 *   intended ──► held ──► put off while anything is unsettled ──► nothing is waited for
 *                  │
 *                  └──► over: a new one with the next intent
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import type { Server } from '../../store/postgres/server.ts';

const LEASE_SECONDS = 30;
/** Until when a lease lasts that is taken now; for SQL. */
export const LEASE_UNTIL = `now() + interval '${LEASE_SECONDS} seconds'`;
const RENEW_MS = 10_000;
/** What the clock of this machine may be slower than that of the server, and bytes may need to leave. */
const MARGIN_MS = 5_000;

/** One name under which this process sends. */
export interface Sender {
  readonly id: string;
  /** Whether others take what was sent under it for under way. */
  isHeld(): boolean;
}

class Name implements Sender {
  readonly id = randomUUID();
  readonly #clock: Pick<Clock, 'now'>;
  #from: number | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** @param from when this machine asked for it, in milliseconds: the server gave it no earlier */
  putOff(from: number): void {
    this.#from = from;
  }

  end(): void {
    this.#from = undefined;
  }

  get isMade(): boolean {
    return this.#from !== undefined;
  }

  isHeld(): boolean {
    if (this.#from === undefined) return false;
    const age = this.#clock.now().getTime() - this.#from;
    return age >= 0 && age < LEASE_SECONDS * 1_000 - MARGIN_MS;
  }
}

export class Lease {
  readonly #server: Pick<Server, 'run'>;
  readonly #clock: Clock;
  readonly #unsettled = new Set<string>();
  readonly #senders: string[] = [];
  #name: Name;
  #waiting: AbortController | undefined;

  constructor(server: Pick<Server, 'run'>, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    this.#name = this.#newName();
  }

  /** Names under which this process sends, and has sent. */
  get senders(): readonly string[] {
    return this.#senders;
  }

  /**
   * Has a statement written that makes or puts off the lease.
   * @param write is given the sender; returns whether the lease was not over
   * @returns the sender, or undefined when it was: the next one is another
   */
  async under(write: (sender: Sender) => Promise<boolean>): Promise<Sender | undefined> {
    const name = this.#name;
    const from = this.#clock.now().getTime();
    if (await write(name)) {
      name.putOff(from);
      return name;
    }
    this.#end(name);
    return undefined;
  }

  /** An entry is under way: the lease is put off until it is settled. */
  hold(entry: string): void {
    this.#unsettled.add(entry);
    if (!this.#waiting) void this.#renewing();
  }

  /** The outcome of an entry is written, or will not be by this process. */
  release(entry: string): void {
    this.#unsettled.delete(entry);
    if (this.#unsettled.size === 0) this.#stop();
  }

  close(): void {
    this.#unsettled.clear();
    this.#stop();
  }

  #stop(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
  }

  #newName(): Name {
    const name = new Name(this.#clock);
    this.#senders.push(name.id);
    return name;
  }

  #end(name: Name): void {
    name.end();
    if (this.#name === name) this.#name = this.#newName();
  }

  async #renewing(): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    while (!waiting.signal.aborted) {
      // Ends when it is stopped.
      await this.#clock.sleep(RENEW_MS, waiting.signal).catch(() => undefined);
      if (!waiting.signal.aborted) await this.#renew();
    }
  }

  /** What fails is tried again in time, or the lease runs out: both are known. */
  async #renew(): Promise<void> {
    const name = this.#name;
    if (!name.isMade) return;
    const from = this.#clock.now().getTime();
    try {
      const held = await this.#server.run(
        `UPDATE gw.senders SET seen_at = now(), lease_until = ${LEASE_UNTIL}
          WHERE id = $1 AND lease_until >= now() RETURNING id`,
        [name.id],
      );
      if (held.length > 0) name.putOff(from);
      else this.#end(name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
}
