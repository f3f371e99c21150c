/**
 * Learns what sources say of things. A lot of sources is read at once, and each row is written once, at its end: first
 * what others show, then what shows it.
 *
 *   plan, customer ──► subscription ──► purchase ──► refund, request
 *
 * What was joined cannot be taken apart. So if a source is gone, or tells of other things now, the things that it told
 * of forget everything, and all their sources are read again. Thus the rows are always those of a table that is written
 * again.
 *
 * A caller runs this in one transaction, and only one process does so at a time.
 */
import type { Work } from '../store/sql.ts';
import type { DueDocument } from './deferred.ts';
import type { Document, DocumentKind, Sources, Told } from './document.ts';
import { columnsOf } from './document-columns.ts';
import { byKind, Lot, type Thing } from './lot.ts';
import { isOwnedBy, linksOf, type Owner, rowOf, type Ties } from './row-of.ts';
import {
  type EventNews,
  withEvent,
  withoutEvent,
  withRecord,
  withReference,
  withRequest,
} from './sources.ts';
import { writeRows } from './write.ts';

/** What one source says of one thing. */
export interface ThingNews {
  kind: DocumentKind;
  /** null if the source names a customer or a subscription by its reference alone. */
  id: string | null;
  reference: string | null;
  owner: Owner;
  told: { record: Told } | { request: Told } | EventNews;
}

export interface ToldBySource {
  source: DueDocument;
  /** Nothing if the source is gone. */
  news: readonly ThingNews[];
}

export type ReadSources = (wanted: readonly DueDocument[]) => Work<ToldBySource[]>;

/** Rows are made in this order, since each shows something of earlier ones. */
const ORDER: readonly DocumentKind[] = [
  ...(['plan', 'customer', 'card', 'subscription', 'purchase'] as const),
  ...(['refund', 'request', 'event'] as const),
];

/** The kinds that show something of a kind. */
const SHOWN_BY: Partial<Record<DocumentKind, readonly DocumentKind[]>> = {
  plan: ['subscription'],
  customer: ['subscription'],
  subscription: ['purchase'],
  purchase: ['refund', 'request'],
};

/**
 * @param due sources that are new, changed or gone
 * @param read says what they tell now
 */
export function* learnSources(due: readonly DueDocument[], read: ReadSources): Work<void> {
  const lot = new Lot();
  const learnt = new Map<string, ToldBySource>();
  let wanted = new Map(due.map((source) => [nameOfSource(source), source]));
  for (let isFirst = true, isSettled = false; !isSettled; isFirst = false) {
    const told = wanted.size > 0 ? yield* read([...wanted.values()]) : [];
    for (const one of told) learnt.set(nameOfSource(one.source), one);
    wanted = new Map();
    const forget = (things: readonly Thing[]) => {
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
  // These come last: a reference names what has it by now.
  for (const { source, news } of learnt.values())
    for (const one of news) if (one.id === null) tell(calledIn(lot, one), source, one);
  yield* writeLot(lot);
}

function nameOfSource({ kind, account, id }: DueDocument): string {
  return JSON.stringify([kind, account, id]);
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

function hasReferences(kind: DocumentKind): boolean {
  return kind === 'customer' || kind === 'subscription' || kind === 'plan';
}

/**
 * Takes away what the things in the lot know from an earlier form of these sources.
 * @returns the things for which the other sources must be read again
 */
function takeOut(lot: Lot, told: readonly ToldBySource[]): Thing[] {
  const changed = new Map(told.map((one) => [nameOfSource(one.source), one]));
  return lot.all().filter((thing) => {
    const held = lot.sourcesOf(thing).flatMap((source) => changed.get(nameOfSource(source)) ?? []);
    // All are tried, since each takes out what it can.
    return held.map((one) => isTakenOut(thing, one)).includes(false);
  });
}

/** @returns false if the source cannot be taken out alone */
function isTakenOut(thing: Thing, { source, news }: ToldBySource): boolean {
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

/** @returns true if nothing of the thing comes from this event but its number */
function isHidden({ kind, id, sources }: Thing, number: number): boolean {
  const { event, notice, record, references = [] } = sources;
  if (!event || event.event === number || notice?.event === number) return false;
  if (!hasReferences(kind)) return true;
  if (record === undefined && event.record.id !== id) return false;
  return references.every((name) => name === record?.reference || name === event.reference);
}

/** Tells what is known by id. @returns things with a reference that is new to them */
function tellById(lot: Lot, learnt: readonly ToldBySource[]): [thing: Thing, reference: string][] {
  const renamed: [Thing, string][] = [];
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
function calledIn(lot: Lot, { kind, reference, owner }: ThingNews): Thing {
  const name = reference ?? '';
  const known = lot.namesakes(owner, kind, name);
  return known.find(({ id }) => id !== name) ?? lot.thing(owner, kind, name);
}

function tell(thing: Thing, source: DueDocument, { told }: ThingNews): void {
  const { sources } = thing;
  if ('record' in told) change(thing, withRecord(sources, told.record));
  else if ('request' in told) change(thing, withRequest(sources, source.id, told.request));
  else change(thing, withEvent(sources, told));
}

function change(thing: Thing, sources: Sources): void {
  thing.sources = sources;
  thing.isTouched = true;
}

/** Makes the rows of what has changed and of what shows it, and writes them. */
function* writeLot(lot: Lot): Work<void> {
  for (const kind of ORDER) {
    const made = lot.all().filter((thing) => thing.kind === kind && thing.isTouched);
    yield* loadLinks(lot, made);
    for (const thing of made) thing.now = rowOf(thing, thing.sources, tiesOf(lot, thing));
    yield* touchShown(lot, kind, made.filter(isShownAnew));
  }
  const touched = lot.all().filter((thing) => thing.isTouched);
  yield* writeRows(touched.filter(({ before, now }) => !isSameRow(before?.document, now)));
}

function* loadLinks(lot: Lot, things: readonly Thing[]): Work<void> {
  const links = things.flatMap(({ kind, sources }) => linksOf(kind, sources));
  for (const [kind, some] of byKind(links))
    yield* lot.loadCalled(
      kind,
      some.map(({ name }) => name),
    );
}

function tiesOf(lot: Lot, thing: Thing): Ties {
  const ties: Ties = {};
  for (const { kind, name } of linksOf(thing.kind, thing.sources)) {
    const tied = lot.called(thing, kind, name);
    ties[kind] = tied?.isTouched ? tied.now : tied?.before?.document;
  }
  return ties;
}

/** Touches what is linked to these things by their present names or by earlier ones. */
function* touchShown(lot: Lot, kind: DocumentKind, things: readonly Thing[]): Work<void> {
  const kinds = SHOWN_BY[kind];
  if (!kinds) return;
  const shown = new Map<string, Thing[]>();
  for (const thing of things)
    for (const name of new Set([...namesOf(thing.before?.document), ...namesOf(thing.now)]))
      shown.set(name, [...(shown.get(name) ?? []), thing]);
  for (const linked of yield* lot.loadLinked(kinds, [...shown.keys()])) {
    const names = linksOf(linked.kind, linked.sources).filter((link) => link.kind === kind);
    if (names.some(({ name }) => shown.get(name)?.some((one) => isOwnedBy(one, linked))))
      linked.isTouched = true;
  }
}

function namesOf(document: Document | undefined): string[] {
  return document ? [document.id, ...(document.sources.references ?? [])] : [];
}

/** @returns whether what belongs to the thing shows something else of it now */
function isShownAnew({ before, now }: Thing): boolean {
  return shownOf(before?.document) !== shownOf(now);
}

function shownOf(document: Document | undefined): string {
  if (!document) return '';
  const { who, email, lastFour, currency, amount, customer, plan, subscription } = document;
  const { notice, references } = document.sources;
  const shown = [who, email, lastFour, currency, amount, customer, plan, subscription];
  return JSON.stringify([...shown, notice, references]);
}

function isSameRow(one: Document | undefined, other: Document | undefined): boolean {
  if (!one || !other) return one === other;
  return JSON.stringify(columnsOf(one)) === JSON.stringify(columnsOf(other));
}
