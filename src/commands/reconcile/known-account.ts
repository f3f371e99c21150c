/**
 * The facts that this ledger has of the account before any row is looked up: its days, currencies and names.
 *
 * Tests: test/unit/commands/reconcile/reconciliation.test.ts
 */
import { addDays } from '../../base/calendar.ts';
import { pagesOf } from '../../base/pages.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { hasLedger, ledgerPlace } from '../../client/ledger/place.ts';
import type { Host } from '../../host/host.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { isOwnedBy } from '../../things/owner.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';
import { whatCounts } from '../../things/what-counts.ts';
import { keyOf } from '../../things/words.ts';
import { type Extent, emptyExtent, widen } from './book-facts.ts';
import { RECONCILED_KINDS } from './book-row.ts';
import { dayOf } from './compare.ts';
import { KnownNames, type NamedRecord } from './known-names.ts';

/** The newest records show the currencies of the account. */
const NEWEST = 100;

/** The days around those of a file that have the records of early and late rows. */
const AROUND_DAYS = 100;

const NAMES_AT_ONCE = 1_000;

/** The most records of one name to read: three years of daily charges. */
const MAX_KNOWN = 1_100;

const MONEY = ['purchase', 'refund'] as const;
const PAYMENTS = [...MONEY, 'request', 'event'] as const;

export class KnownAccount {
  readonly #host: Host;
  readonly #gateway: Pick<GatewayConnection, 'profile' | 'ledger'>;
  readonly #file: Pick<Extent, 'first' | 'last'>;
  #names: Promise<KnownNames> | undefined;

  /** @param file the days of the file, around which names in texts are known */
  constructor(
    host: Host,
    gateway: Pick<GatewayConnection, 'profile' | 'ledger'>,
    file: Pick<Extent, 'first' | 'last'>,
  ) {
    this.#host = host;
    this.#gateway = gateway;
    this.#file = file;
  }

  /** @returns the first and the last day of purchases and refunds that are known, and the currencies of the newest */
  async extent(zone: TimeZone): Promise<Extent> {
    const extent = emptyExtent();
    const ledger = await this.#ledger();
    if (!ledger) return extent;
    const { things } = ledger;
    const scope = await this.#gateway.ledger.destination();
    for (const { at, currency } of await things.search({ kinds: MONEY, scope, limit: NEWEST }))
      widen(extent, [dayOf(at, zone)], currency);
    for await (const { at } of things.each({ kinds: MONEY, scope })) {
      widen(extent, [dayOf(at, zone)], null);
      break;
    }
    return extent;
  }

  /** @returns records that have exactly this id or reference */
  async called(name: string): Promise<NamedRecord[]> {
    return (await this.#tied(name, RECONCILED_KINDS)).filter((thing) => isCalled(thing, name));
  }

  /** @returns whether a record of the account has exactly one of these ids or references */
  async isAnyCalled(names: readonly string[]): Promise<boolean> {
    const ledger = await this.#ledger();
    for await (const some of pagesOf(new Set(names), NAMES_AT_ONCE)) {
      const known = new Set(await ledger?.things.known(some.map(keyOf)));
      for (const name of some)
        if (known.has(keyOf(name)) && (await this.called(name)).length > 0) return true;
    }
    return false;
  }

  /** @returns the refunds of a purchase that were made, as this ledger knows */
  async refundsOf(purchase: string): Promise<NamedRecord[]> {
    return (await this.#tied(purchase, ['refund'])).filter(
      (thing) => thing.purchase === purchase && whatCounts(thing) === 'refunds',
    );
  }

  /** @returns the newest decline of an id or reference; undefined if something else may have moved money under it */
  async declined(name: string): Promise<Thing | undefined> {
    const things = (await this.#tied(name, PAYMENTS)).filter((thing) => isCalled(thing, name));
    const counted = things.filter((thing) => whatCounts(thing) !== undefined);
    return counted.every((thing) => whatCounts(thing) === 'declines') ? counted[0] : undefined;
  }

  /** @returns for each name in the texts, the purchases and refunds that have it */
  async named(texts: readonly string[]): Promise<(readonly NamedRecord[])[]> {
    this.#names ??= this.#readNames();
    return (await this.#names).in(texts);
  }

  async #readNames(): Promise<KnownNames> {
    const names = new KnownNames();
    const ledger = await this.#ledger();
    if (!ledger) return names;
    const owner = await this.#gateway.ledger.destination();
    const { first, last } = this.#file;
    const since = first && addDays(first, -AROUND_DAYS);
    const until = last && addDays(last, AROUND_DAYS);
    for await (const thing of ledger.things.each({ kinds: MONEY, since, until }))
      if (isOwnedBy(thing, owner, 'named')) names.add(thing);
    return names;
  }

  /** @returns the things of the account that have the name, or are linked to it; newest first */
  async #tied(name: string, kinds: readonly ThingKind[]): Promise<Thing[]> {
    const ledger = await this.#ledger();
    if (!ledger) return [];
    const tied = await ledger.things.tied([name], { kinds, limit: MAX_KNOWN });
    const owner = await this.#gateway.ledger.destination();
    return tied.filter((thing) => isOwnedBy(thing, owner, 'named'));
  }

  #ledger(): Promise<Ledger | undefined> {
    return keptLedger(this.#host, this.#gateway);
  }
}

const isCalled = ({ id, reference }: Thing, name: string) => id === name || reference === name;

/** @returns the ledger; undefined if nothing is kept, because opening it would make it */
export async function keptLedger(
  host: Host,
  { profile, ledger }: Pick<GatewayConnection, 'profile' | 'ledger'>,
): Promise<Ledger | undefined> {
  return hasLedger(host, await ledgerPlace(host, { profile })) ? ledger.open() : undefined;
}
