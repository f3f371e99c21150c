/**
 * Learns what sources say of things. gw reads a lot of sources at once, and writes each row once, at the end. A row is
 * made after the rows whose values it shows:
 *
 *   plan, customer ──► subscription ──► purchase ──► refund, request
 *
 * A row is made again from all its sources as they are now, so the rows are always those of a table that is written
 * again. Of many events of a thing, gw reads those that decide its row.
 *
 * A caller runs this in one transaction, and only one process does so at a time.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/things/rebuilt.test.ts
 */
import type { Work } from '../store/sql.ts';
import type { DueSource } from './deferred.ts';
import { type KnownThing, Lot, linkNamesOf, rowNow } from './lot.ts';
import { KnownSources, type ReadSources } from './read-sources.ts';
import { type KnownTies, thingRow } from './row-of.ts';
import { askedSources } from './sources.ts';
import type { LinkedThing, ThingKind } from './thing.ts';
import { columnsOf } from './thing-columns.ts';
import { type RowChange, writeRows } from './write.ts';

/** Rows are made in this order, since each shows values of earlier ones. */
const ORDER: readonly ThingKind[] = [
  ...(['plan', 'customer', 'card', 'subscription', 'purchase'] as const),
  ...(['refund', 'request', 'event'] as const),
];

/** The kinds that show values of a kind. */
const SHOWN_BY: Partial<Record<ThingKind, readonly ThingKind[]>> = {
  plan: ['subscription'],
  customer: ['subscription', 'purchase', 'refund', 'request'],
  subscription: ['purchase'],
  purchase: ['refund', 'request'],
};

/**
 * @param due sources that are new, changed or gone
 * @param read reads their present values
 */
export function* learnSources(due: readonly DueSource[], read: ReadSources): Work<void> {
  const lot = new Lot();
  const known = new KnownSources(read, due);
  const news = yield* known.read(due);
  yield* lot.load(news, due);
  for (const { owner, kind, id } of news) lot.thing(owner, kind, id);
  yield* touch(known, lot.all());
  for (const kind of ORDER) {
    const made = lot.all().filter((thing) => thing.kind === kind && thing.isTouched);
    yield* lot.loadLinks(made);
    for (const thing of made) {
      thing.now = thingRow(thing, thing.sources, tiesOf(lot, thing));
      lot.name(thing);
    }
    yield* touchShown(known, lot, kind, made);
  }
  yield* writeRows(lot.all().flatMap(changesOf));
}

/** Marks the things whose rows are made again, and reads their sources. */
function* touch(known: KnownSources, things: readonly KnownThing[]): Work<void> {
  yield* known.readFor(things);
  for (const thing of things) {
    // The customer as it is now says whether it stops the subscription.
    const { stop: _, ...sources } = known.sourcesOf(thing);
    thing.sources = sources;
    thing.isTouched = true;
  }
}

/** @returns how the row of a thing in the table changes */
function changesOf({ isTouched, before, now }: KnownThing): RowChange[] {
  if (!isTouched) return [];
  if (!now) return before ? [{ before, now }] : [];
  return [{ before, now: { thing: now, columns: columnsOf(now) } }];
}

function tiesOf(lot: Lot, thing: KnownThing): KnownTies {
  const ties: KnownTies = {};
  // What is known otherwise belongs to nothing by hearsay.
  const isSure = askedSources(thing.sources) !== undefined;
  for (const link of lot.links(thing)) {
    const tied = lot.linked(thing, link);
    const row = tied && rowNow(tied);
    ties[link.kind] = isSure && row?.told === 'heard' ? undefined : row;
  }
  return ties;
}

/** Touches the things that are linked to these by their present or earlier names. */
function* touchShown(
  known: KnownSources,
  lot: Lot,
  kind: ThingKind,
  things: readonly KnownThing[],
): Work<void> {
  const kinds = SHOWN_BY[kind];
  if (!kinds) return;
  const shown = new Map<string, KnownThing[]>();
  for (const thing of things.filter(isShownAnew))
    for (const name of new Set([...linkNamesOf(thing.before?.thing), ...linkNamesOf(thing.now)]))
      shown.set(name, [...(shown.get(name) ?? []), thing]);
  const linked = (yield* lot.loadLinked(kinds, [...shown.keys()])).filter((one) => !one.isTouched);
  yield* touch(known, linked);
}

/** @returns whether what belongs to the thing shows something else of it now */
function isShownAnew({ before, now }: KnownThing): boolean {
  return shownOf(before?.thing) !== shownOf(now);
}

function shownOf(thing: LinkedThing | undefined): string {
  if (!thing) return '';
  const { who, email, lastFour, currency, amount, customer, plan, subscription } = thing;
  const shown = [who, email, lastFour, currency, amount, customer, plan, subscription, thing.told];
  const { reference, token, formerTokens, sources } = thing;
  return JSON.stringify([...shown, reference, token, formerTokens, sources.stop]);
}
