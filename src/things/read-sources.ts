/**
 * Reads the sources of things from their own tables: a row of the table of things holds only their ids.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/things/rebuilt.test.ts
 */
import type { Work } from '../store/sql.ts';
import type { DueSource } from './deferred.ts';
import { isOwnedBy, type Owner } from './owner.ts';
import type { ThingIdentity } from './row-of.ts';
import { joinedSources } from './sources.ts';
import type { SourceIds, Sources, ThingKind } from './thing.ts';

/** The values that one source has for one thing. */
export interface ThingNews {
  kind: ThingKind;
  id: string;
  owner: Omit<Owner, 'host'>;
  told: Partial<Sources>;
}

export interface SourceNews {
  source: DueSource;
  /** Empty if the source is gone. */
  news: readonly ThingNews[];
}

/** Reads what sources say now. */
export type ReadSources = (wanted: readonly DueSource[]) => Work<SourceNews[]>;

/** A thing as its row names its sources. */
export interface HeldThing extends ThingIdentity {
  /** Whether a record tells of it. */
  hasRecord: boolean;
  ids: SourceIds;
}

/** Sources that were read, each once. */
export class KnownSources {
  readonly #read: ReadSources;
  /** By `nameOfSource`. */
  readonly #known = new Set<string>();
  /** By `nameOfThing`. */
  readonly #news = new Map<string, ThingNews[]>();
  readonly #changed: ReadonlySet<string>;

  /** @param changed sources that are new, changed or gone since the things were written */
  constructor(read: ReadSources, changed: readonly DueSource[] = []) {
    this.#read = read;
    this.#changed = new Set(changed.map(nameOfSource));
  }

  /** @returns the news of those sources that were not read before */
  *read(wanted: readonly DueSource[]): Work<ThingNews[]> {
    const isNew = (name: string) => !this.#known.has(name) && this.#known.add(name);
    const sources = wanted.filter((source) => isNew(nameOfSource(source)));
    const told = sources.length > 0 ? yield* this.#read(sources) : [];
    const all = told.flatMap(({ news }) => news);
    for (const one of all) {
      const name = nameOfThing(one);
      const others = this.#news.get(name);
      if (others) others.push(one);
      else this.#news.set(name, [one]);
    }
    return all;
  }

  /** Reads the sources on which the rows of these things depend. */
  *readFor(things: readonly HeldThing[]): Work<void> {
    yield* this.read(things.flatMap((thing) => this.#needed(thing)));
    // An event that has changed, and is learnt in a later lot, may tell of the thing no more. Another decides then.
    const undecided = things.filter((thing) => !this.#isDecided(thing));
    yield* this.read(undecided.flatMap(({ ids }) => (ids.events ?? []).map(eventNumbered)));
  }

  /** @returns the sources of a thing, after `readFor` */
  sourcesOf(thing: HeldThing): Sources {
    const { events = [], heardEvents = [], stop } = thing.ids;
    const isKept = (number: number) => !this.#isChanged(number);
    const kept = { events: events.filter(isKept), heardEvents: heardEvents.filter(isKept) };
    return joinedSources([{ ...kept, ...(stop && { stop }) }, ...this.#toldOf(thing)]);
  }

  #toldOf(thing: HeldThing): Partial<Sources>[] {
    const news = this.#news.get(nameOfThing(thing)) ?? [];
    return news.filter(({ owner }) => isOwnedBy(owner, thing, 'same')).map(({ told }) => told);
  }

  /** @returns whether all events that decided the row still tell of the thing */
  #isDecided(thing: HeldThing): boolean {
    const { deciding } = thing.ids;
    if (!deciding) return true;
    const told = new Set(this.#toldOf(thing).flatMap(({ events = [] }) => events));
    return deciding.every((number) => told.has(number));
  }

  /** @returns of many events those that decide the row; all if one of them has changed, because another may decide then */
  #needed({ kind, account, id, hasRecord, ids }: HeldThing): DueSource[] {
    const { requests = [], events = [], deciding = events } = ids;
    const numbers = deciding.some((number) => this.#isChanged(number)) ? events : deciding;
    return [
      ...(hasRecord ? [{ kind, account, id } as DueSource] : []),
      ...requests.map((entry): DueSource => ({ kind: 'request', account: null, id: entry })),
      ...numbers.map(eventNumbered),
    ];
  }

  #isChanged(number: number): boolean {
    return this.#changed.size > 0 && this.#changed.has(nameOfSource(eventNumbered(number)));
  }
}

function eventNumbered(number: number): DueSource {
  return { kind: 'event', account: null, id: String(number) };
}

function nameOfSource({ kind, account, id }: DueSource): string {
  return `${kind} ${id} ${account}`;
}

function nameOfThing({ kind, id }: Pick<ThingNews, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
