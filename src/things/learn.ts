/**
 * Learns what sources say of things. gw reads a lot of sources at once, and writes each row once, at the end. A row is
 * made after the rows whose values it shows:
 *
 *   plan, customer ──► subscription ──► purchase ──► refund, request
 *
 * Joined sources cannot be taken apart. If a source is gone, or now belongs to other things, gw drops all sources of
 * its things and reads them again. So the rows are always those of a table that is written again.
 *
 * A caller runs this in one transaction, and only one process does so at a time.
 */
import type { Work } from '../store/sql.ts';
import type { DueSource } from './deferred.ts';
import { eventNumbered, type KnownThing, Lot, namesOf, rowNow, sourcesOf } from './lot.ts';
import { isOf, type Owner } from './owner.ts';
import { type KnownTies, linksOf, thingRow } from './row-of.ts';
import { askedSources, joinedSources, NO_SOURCES, withoutEvent } from './sources.ts';
import type { Sources, Thing, ThingKind } from './thing.ts';
import { columnsOf, isRowOf } from './thing-columns.ts';
import { type RowChange, writeRows } from './write.ts';

/** The values that one source has for one thing. */
export interface ThingNews {
  kind: ThingKind;
  id: string;
  owner: Omit<Owner, 'host'>;
  told: Partial<Sources>;
}

export interface ToldBySource {
  source: DueSource;
  /** Empty if the source is gone. */
  news: readonly ThingNews[];
}

export type ReadSources = (wanted: readonly DueSource[]) => Work<ToldBySource[]>;

/** Rows are made in this order, since each shows values of earlier ones. */
const ORDER: readonly ThingKind[] = [
  ...(['plan', 'customer', 'card', 'subscription', 'purchase'] as const),
  ...(['refund', 'request', 'event'] as const),
];

/** The kinds that show values of a kind. */
const SHOWN_BY: Partial<Record<ThingKind, readonly ThingKind[]>> = {
  plan: ['subscription'],
  customer: ['subscription', 'purchase', 'request'],
  subscription: ['purchase'],
  purchase: ['refund', 'request'],
};

/**
 * @param due sources that are new, changed or gone
 * @param read reads their present values
 */
export function* learnSources(due: readonly DueSource[], read: ReadSources): Work<void> {
  const lot = new Lot();
  const learnt = new Map<string, ToldBySource>();
  function* readAll(wanted: readonly DueSource[]): Work<ToldBySource[]> {
    const told = wanted.length > 0 ? yield* read(wanted) : [];
    for (const one of told) learnt.set(nameOfSource(one.source), one);
    yield* lot.load(
      told.flatMap(({ news }) => news),
      wanted,
    );
    return told;
  }
  const told = yield* readAll(unique(due));
  const again = unique(takeOut(lot, told));
  yield* readAll(again.filter((source) => !learnt.has(nameOfSource(source))));
  for (const { owner, kind, id, told } of [...learnt.values()].flatMap(({ news }) => news)) {
    const thing = lot.thing(owner, kind, id);
    change(thing, joinedSources(told, thing.sources));
  }
  yield* writeLot(lot);
}

function nameOfSource({ kind, account, id }: DueSource): string {
  return JSON.stringify([kind, account, id]);
}

function unique(sources: readonly DueSource[]): DueSource[] {
  return [...new Map(sources.map((source) => [nameOfSource(source), source])).values()];
}

/**
 * Takes away what the things in the lot know from an earlier form of these sources.
 * @returns the sources to be read again: all those of a thing from which one cannot be taken away alone, and the first
 *   event of a thing whose first event was taken away
 */
function takeOut(lot: Lot, told: readonly ToldBySource[]): DueSource[] {
  const changed = new Map(told.map((one) => [nameOfSource(one.source), one]));
  return lot.all().flatMap((thing) => {
    const all = sourcesOf(thing);
    const held = all.flatMap((source) => changed.get(nameOfSource(source)) ?? []);
    // All are tried, since each takes out what it can.
    if (held.map((one) => isTakenOut(thing, one)).includes(false)) {
      change(thing, NO_SOURCES);
      return all;
    }
    const { since, events } = thing.sources;
    return since === undefined ? events.slice(0, 1).map(eventNumbered) : [];
  });
}

/** @returns false if the source cannot be removed alone */
function isTakenOut(thing: KnownThing, { source, news }: ToldBySource): boolean {
  const { sources, kind, id } = thing;
  if (source.kind === 'event') {
    const number = Number(source.id);
    const { event, heard, notice } = sources;
    if ([event, heard, notice].some((one) => one?.event === number)) return false;
    change(thing, withoutEvent(sources, number));
    return true;
  }
  // The new form is joined in place of the earlier one.
  return news.some((one) => one.kind === kind && one.id === id && isOf(one.owner, thing, 'same'));
}

function change(thing: KnownThing, sources: Sources): void {
  thing.sources = sources;
  thing.isTouched = true;
}

/** Makes and writes the rows of changed things, and of things that show their values. */
function* writeLot(lot: Lot): Work<void> {
  for (const kind of ORDER) {
    const made = lot.all().filter((thing) => thing.kind === kind && thing.isTouched);
    yield* lot.loadLinks(made);
    for (const thing of made) {
      thing.now = thingRow(thing, thing.sources, tiesOf(lot, thing));
      lot.name(thing);
    }
    yield* touchShown(lot, kind, made);
  }
  yield* writeRows(lot.all().flatMap(changesOf));
}

/** @returns how the row of a thing in the table changes; nothing if it stays the same */
function changesOf({ isTouched, before, now }: KnownThing): RowChange[] {
  if (!isTouched) return [];
  if (!now) return before ? [{ before, now }] : [];
  const columns = columnsOf(now);
  if (before && isRowOf(before.thing, before.sources, columns)) return [];
  return [{ before, now: { thing: now, columns } }];
}

function tiesOf(lot: Lot, thing: KnownThing): KnownTies {
  const ties: KnownTies = {};
  // What is known otherwise belongs to nothing by hearsay.
  const isSure = askedSources(thing.sources) !== undefined;
  for (const link of linksOf(thing.kind, thing.sources)) {
    const tied = lot.linked(thing, link);
    const row = tied && rowNow(tied);
    ties[link.kind] = isSure && row?.told === 'heard' ? undefined : row;
  }
  return ties;
}

/** Marks the things that are linked to these by their present or earlier names. */
function* touchShown(lot: Lot, kind: ThingKind, things: readonly KnownThing[]): Work<void> {
  const kinds = SHOWN_BY[kind];
  if (!kinds) return;
  const shown = new Map<string, KnownThing[]>();
  for (const thing of things.filter(isShownAnew))
    for (const name of new Set([...namesOf(thing.before?.thing), ...namesOf(thing.now)]))
      shown.set(name, [...(shown.get(name) ?? []), thing]);
  for (const linked of yield* lot.loadLinked(kinds, [...shown.keys()])) {
    const names = linksOf(linked.kind, linked.sources).filter((link) => link.kind === kind);
    if (names.some(({ name }) => shown.get(name)?.some((one) => isOf(one, linked, 'same'))))
      linked.isTouched = true;
  }
}

/** @returns whether what belongs to the thing shows something else of it now */
function isShownAnew({ before, now }: KnownThing): boolean {
  return shownOf(before?.thing) !== shownOf(now);
}

function shownOf(thing: Thing | undefined): string {
  if (!thing) return '';
  const { who, email, lastFour, currency, amount, customer, plan, subscription } = thing;
  const shown = [who, email, lastFour, currency, amount, customer, plan, subscription, thing.told];
  return JSON.stringify([...shown, thing.reference, thing.token, thing.sources.notice]);
}
