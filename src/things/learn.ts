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
import { byKind, type KnownThing, Lot } from './lot.ts';
import { isOwnedBy, linksOf, type Owner, rowOf, type Ties } from './row-of.ts';
import {
  type EventNews,
  withEvent,
  withoutEvent,
  withRecord,
  withReference,
  withRequest,
} from './sources.ts';
import type { Sources, Thing, ThingKind, Told } from './thing.ts';
import { columnsOf, isRowOf } from './thing-columns.ts';
import { type RowChange, writeRows } from './write.ts';

/** The values that one source has for one thing. */
export interface ThingNews {
  kind: ThingKind;
  /** null if the source names a customer or a subscription by its reference alone. */
  id: string | null;
  reference: string | null;
  owner: Owner;
  told: { record: Told } | { request: Told } | EventNews;
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
  customer: ['subscription'],
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
  let wanted = new Map(due.map((source) => [nameOfSource(source), source]));
  for (let isFirst = true, isSettled = false; !isSettled; isFirst = false) {
    const told = wanted.size > 0 ? yield* read([...wanted.values()]) : [];
    for (const one of told) learnt.set(nameOfSource(one.source), one);
    wanted = new Map();
    const forget = (things: readonly KnownThing[]) => {
      for (const source of things.flatMap((thing) => (thing.isForgotten ? [] : lot.forget(thing))))
        if (!learnt.has(nameOfSource(source))) wanted.set(nameOfSource(source), source);
    };
    yield* loadNamed(lot, told);
    if (isFirst) {
      yield* lot.loadHolders(due);
      forget(takeOut(lot, told));
    }
    const renamed = tellById(lot, [...learnt.values()]);
    const namesakes = renamed.flatMap(([thing, name]) =>
      lot.namesakes(thing, thing.kind, name).filter((other) => other !== thing),
    );
    isSettled = namesakes.every(({ isForgotten }) => isForgotten) && wanted.size === 0;
    forget(namesakes);
  }
  // These come last: a reference names the thing that has it at the end.
  for (const { source, news } of learnt.values())
    for (const one of news) if (one.id === null) tell(calledIn(lot, one), source, one);
  yield* writeLot(lot);
}

function nameOfSource({ kind, account, id }: DueSource): string {
  // A fingerprint has no spaces.
  return `${kind} ${account} ${id}`;
}

/** Reads the rows of what the sources name. */
function* loadNamed(lot: Lot, told: readonly ToldBySource[]): Work<void> {
  const news = told.flatMap((one) => one.news);
  for (const [kind, some] of byKind(news)) {
    yield* lot.load(
      kind,
      some.flatMap(({ id }) => id ?? []),
    );
    if (hasReferences(kind))
      yield* lot.loadCalled(
        kind,
        some.flatMap(({ reference }) => reference ?? []),
      );
  }
}

function hasReferences(kind: ThingKind): boolean {
  return kind === 'customer' || kind === 'subscription' || kind === 'plan';
}

/**
 * Removes an earlier form of these sources from the things in the lot.
 * @returns the things that must read their other sources again
 */
function takeOut(lot: Lot, told: readonly ToldBySource[]): KnownThing[] {
  const changed = new Map(told.map((one) => [nameOfSource(one.source), one]));
  return lot.all().filter((thing) => {
    const held = lot.sourcesOf(thing).flatMap((source) => changed.get(nameOfSource(source)) ?? []);
    // Tries all of them, since each removes what it can.
    return held.map((one) => isTakenOut(thing, one)).includes(false);
  });
}

/** @returns false if the source cannot be removed alone */
function isTakenOut(thing: KnownThing, { source, news }: ToldBySource): boolean {
  const { sources, kind } = thing;
  if (source.kind === 'event') {
    const number = Number(source.id);
    if (!isHidden(thing, number)) return false;
    change(thing, withoutEvent(sources, number));
    return true;
  }
  const before = source.kind === 'request' ? sources.requests[source.id] : sources.record;
  const now = news.find(
    ({ owner, ...one }) => one.kind === kind && one.id === thing.id && isOwnedBy(owner, thing),
  )?.told;
  const told = now && ('request' in now ? now.request : 'record' in now ? now.record : undefined);
  // The new form is joined in place of the earlier one. Only a reference would stay.
  return told !== undefined && (!hasReferences(kind) || told.reference === before?.reference);
}

/** @returns true if the thing has only the number of this event */
function isHidden({ kind, id, sources }: KnownThing, number: number): boolean {
  const { event, notice, record, references = [] } = sources;
  if (!event || event.event === number || notice?.event === number) return false;
  if (!hasReferences(kind)) return true;
  if (record === undefined && event.record.id !== id) return false;
  return references.every((name) => name === record?.reference || name === event.reference);
}

/** Adds sources to the things with their ids. @returns things with a reference that is new to them */
function tellById(
  lot: Lot,
  learnt: readonly ToldBySource[],
): [thing: KnownThing, reference: string][] {
  const renamed: [KnownThing, string][] = [];
  for (const { source, news } of learnt)
    for (const one of news) {
      const { kind, id, reference, owner } = one;
      if (id === null) continue;
      const thing = lot.thing(owner, kind, id);
      tell(thing, source, one);
      if (!hasReferences(kind) || reference === null) continue;
      const sources = withReference(thing.sources, reference);
      if (sources === thing.sources) continue;
      change(thing, sources);
      lot.name(thing, reference);
      renamed.push([thing, reference]);
    }
  return renamed;
}

/** @returns the thing of news without an id: what has the reference, or else a thing that is named by it for now */
function calledIn(lot: Lot, { kind, reference, owner }: ThingNews): KnownThing {
  const name = reference ?? '';
  const known = lot.namesakes(owner, kind, name);
  return known.find(({ id }) => id !== name) ?? lot.thing(owner, kind, name);
}

function tell(thing: KnownThing, source: DueSource, { told }: ThingNews): void {
  const { sources } = thing;
  if ('record' in told) change(thing, withRecord(sources, told.record));
  else if ('request' in told) change(thing, withRequest(sources, source.id, told.request));
  else change(thing, withEvent(sources, told));
}

function change(thing: KnownThing, sources: Sources): void {
  thing.sources = sources;
  thing.isTouched = true;
}

/** Makes and writes the rows of changed things, and of things that show their values. */
function* writeLot(lot: Lot): Work<void> {
  for (const kind of ORDER) {
    const made = lot.all().filter((thing) => thing.kind === kind && thing.isTouched);
    yield* loadLinks(lot, made);
    for (const thing of made) thing.now = rowOf(thing, thing.sources, tiesOf(lot, thing));
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

function* loadLinks(lot: Lot, things: readonly KnownThing[]): Work<void> {
  const links = things.flatMap(({ kind, sources }) => linksOf(kind, sources));
  for (const [kind, some] of byKind(links))
    yield* lot.loadCalled(
      kind,
      some.map(({ name }) => name),
    );
}

function tiesOf(lot: Lot, thing: KnownThing): Ties {
  const ties: Ties = {};
  for (const { kind, name } of linksOf(thing.kind, thing.sources)) {
    const tied = lot.called(thing, kind, name);
    ties[kind] = tied?.isTouched ? tied.now : tied?.before?.thing;
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
    if (names.some(({ name }) => shown.get(name)?.some((one) => isOwnedBy(one, linked))))
      linked.isTouched = true;
  }
}

function namesOf(thing: Thing | undefined): string[] {
  return thing ? [thing.id, ...(thing.sources.references ?? [])] : [];
}

/** @returns whether a value changed that other things show */
function isShownAnew({ before, now }: KnownThing): boolean {
  return shownOf(before?.thing) !== shownOf(now);
}

function shownOf(thing: Thing | undefined): string {
  if (!thing) return '';
  const { who, email, lastFour, currency, amount, customer, plan, subscription } = thing;
  const { notice, references } = thing.sources;
  const shown = [who, email, lastFour, currency, amount, customer, plan, subscription];
  return JSON.stringify([...shown, notice, references]);
}
