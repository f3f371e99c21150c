/** The ledger, opened at the first question. No file is created if there is none. */

import type { GatewayConnection } from '../../client/connection/call.ts';
import type { LedgerChoice } from '../../client/ledger/place.ts';
import type { StoredEvent } from '../../events/event.ts';
import type { EventStore } from '../../events/store/event-file.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { Owner } from '../../things/owner.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { type KnownHost, openLedger } from './open-ledger.ts';

export class LazyLedger {
  readonly #host: KnownHost;
  readonly #choice: LedgerChoice;
  #ledger: Promise<Ledger | undefined> | undefined;
  #events: Promise<EventStore> | undefined;

  /** @param choice of the ledger, by the profile in use */
  constructor(host: KnownHost, choice: LedgerChoice) {
    this.#host = host;
    this.#choice = choice;
  }

  /** @returns undefined if nothing is kept. @throws Failure guard if the ledger cannot be used */
  async open(): Promise<Ledger | undefined> {
    this.#ledger ??= openLedger(this.#host, { needs: 'reads', ...this.#choice });
    const ledger = await this.#ledger;
    // An answer of the gateway may be kept by the next question.
    if (!ledger) this.#ledger = undefined;
    return ledger;
  }

  /** Like `open`, for queries that also look into events. */
  async known(): Promise<(KnownWithEvents & Pick<Ledger, 'things'>) | undefined> {
    const ledger = await this.open();
    if (!ledger) return undefined;
    return {
      things: ledger.things,
      find: (id) => ledger.find(id),
      remembered: (what, limit) => ledger.remembered(what, limit),
      events: async (numbers) =>
        numbers.length === 0 ? [] : (await this.#eventStore()).findAll(numbers),
    };
  }

  async close(): Promise<void> {
    const events = await this.#events?.catch(() => undefined);
    await events?.close();
    const ledger = await this.#ledger?.catch(() => undefined);
    await ledger?.close();
  }

  #eventStore(): Promise<EventStore> {
    this.#events ??= import('../../events/store/event-file.ts').then(({ openEvents }) =>
      openEvents(this.#host),
    );
    return this.#events;
  }
}

/** Reads what is known of things by their names. */
export interface NamedThings {
  things: Pick<SearchIndex, 'tied'>;
}

/** Also reads entries and records, and what webhooks said of records. */
export interface KnownWithEvents extends NamedThings, Pick<Ledger, 'find' | 'remembered'> {
  /** @returns those of the events that are still there, in order */
  events(numbers: readonly number[]): Promise<StoredEvent[]>;
}

/**
 * Reads what this machine knows of the account in use, after the answers so far are stored.
 * @returns undefined if nothing is kept
 * @throws Failure guard if the ledger cannot be used
 */
export async function withKnown<Found>(
  host: KnownHost,
  { profile, ledger }: Pick<GatewayConnection, 'profile' | 'ledger'>,
  read: (known: KnownWithEvents & Pick<Ledger, 'things'>, owner: Owner<string>) => Promise<Found>,
): Promise<Found | undefined> {
  await ledger.allSeen();
  const memory = new LazyLedger(host, { profile });
  try {
    const known = await memory.known();
    return known && (await read(known, await ledger.destination()));
  } finally {
    await memory.close();
  }
}
