/** What this ledger knows of the account before any row is looked up: from when on, in which currencies, which names. */
import { addDays } from '../../base/calendar.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { isKept, ledgerPlace } from '../../client/ledger/place.ts';
import type { Host } from '../../host/host.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { isOf, type Owner } from '../../things/owner.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { type Extent, GrowingExtent } from './book-facts.ts';
import { dayOf } from './compare.ts';
import { KnownNames } from './known-names.ts';

/** The newest records show the currencies of the account. */
const NEWEST = 100;

/** The days before those of a file that have the records of late rows. */
const LOOK_BACK_DAYS = 100;

const MONEY = ['purchase', 'refund'] as const;

/** @returns the ledger; undefined if nothing is kept, because opening it would make it */
export async function keptLedger(
  host: Host,
  { profile, ledger }: Pick<GatewayConnection, 'profile' | 'ledger'>,
): Promise<Ledger | undefined> {
  return isKept(host, await ledgerPlace(host, { profile })) ? ledger.open() : undefined;
}

/** @returns the first and the last day of purchases and refunds that are known, and the currencies of the newest */
export async function extentKnown(
  things: SearchIndex,
  scope: Owner,
  zone: TimeZone,
): Promise<Extent> {
  const extent = new GrowingExtent();
  for (const { at, currency } of await things.search({ kinds: MONEY, scope, limit: NEWEST }))
    extent.add([dayOf(at, zone) ?? []].flat(), currency);
  for await (const { at } of things.each({ kinds: MONEY, scope })) {
    extent.add([dayOf(at, zone) ?? []].flat(), null);
    break;
  }
  return extent.whole;
}

/** @returns the names of the purchases and refunds around the days; of all, if there are none */
export async function namesKnown(
  things: Pick<SearchIndex, 'each'>,
  owner: Owner<string>,
  { first, last }: Pick<Extent, 'first' | 'last'>,
): Promise<KnownNames> {
  const names = new KnownNames();
  const period = {
    since: first && addDays(first, -LOOK_BACK_DAYS),
    until: last && addDays(last, LOOK_BACK_DAYS),
  };
  for await (const thing of things.each({ kinds: MONEY, ...period }))
    if (isOf(thing, owner, 'named')) names.add(thing);
  return names;
}
