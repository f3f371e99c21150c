/** The rows that a lot of sources reads and changes. Each is read once, and found by its id and by its references. */
import { all, type Work } from '../store/sql.ts';
import type { DueSource } from './deferred.ts';
import { fold } from './normalise.ts';
import { type Identity, isOwnedBy, keyOfEvent, keyOfReference, type Owner } from './row-of.ts';
import { isEmpty, NO_SOURCES } from './sources.ts';
import type { FoundThing, IndexedThing, Sources, Thing, ThingKind } from './thing.ts';
import { THING_COLUMNS, thingIn } from './thing-columns.ts';
import type { StoredRow } from './write.ts';

/** A thing with its sources in their present form. */
export interface KnownThing extends Identity {
  /** The row in the table; undefined for a thing that is new. */
  before: (StoredRow & { thing: Thing; sources: string }) | undefined;
  sources: Sources;
  /** true if its row must be made again. */
  isTouched: boolean;
  /** true if it dropped its sources in this lot, to read them again. */
  isForgotten: boolean;
  /** The new row; undefined if there is none, or it is not made yet. */
  now: IndexedThing | undefined;
}

export class Lot {
  readonly #things = new Map<string, KnownThing>();
  readonly #named = new Map<string, Set<KnownThing>>();
  /** Keys that were looked up, so that none is looked up twice. */
  readonly #asked = new Set<string>();

  all(): KnownThing[] {
    return [...this.#things.values()];
  }

  /** @returns the thing, which may be a new one */
  thing(owner: Owner, kind: ThingKind, id: string): KnownThing {
    const { account, profile, environment } = owner;
    const identity: Identity = { kind, id, account, profile, environment };
    return (
      this.#things.get(nameOf(identity)) ??
      this.#add({ ...identity, before: undefined, sources: NO_SOURCES })
    );
  }

  /** @returns the thing that a link or a source names: by its id, or else the first that has it as a reference */
  called(owner: Owner, kind: ThingKind, name: string): KnownThing | undefined {
    const known = this.namesakes(owner, kind, name);
    return known.find(({ id }) => id === name) ?? known[0];
  }

  /** @returns all that have the name as id or reference, in the order of their ids */
  namesakes(owner: Owner, kind: ThingKind, name: string): KnownThing[] {
    return [...(this.#named.get(`${kind} ${name}`) ?? [])]
      .filter((one) => isOwnedBy(one, owner) && !isEmpty(one.sources) && isCalled(one, name))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Adds a name by which the thing is found. */
  name(thing: KnownThing, name: string): void {
    const key = `${thing.kind} ${name}`;
    const known = this.#named.get(key);
    if (known) known.add(thing);
    else this.#named.set(key, new Set([thing]));
  }

  /** Removes all sources of a thing. @returns these sources */
  forget(thing: KnownThing): DueSource[] {
    const told = this.sourcesOf(thing);
    thing.isForgotten = true;
    thing.isTouched = true;
    thing.sources = NO_SOURCES;
    return told;
  }

  /** @returns the sources of the thing */
  sourcesOf({ kind, account, id, sources }: KnownThing): DueSource[] {
    const requests = Object.keys(sources.requests);
    return [
      ...(sources.record ? [{ kind, account, id } as DueSource] : []),
      ...requests.map((entry): DueSource => ({ kind: 'request', account: null, id: entry })),
      ...sources.events.map((n): DueSource => ({ kind: 'event', account: null, id: String(n) })),
    ];
  }

  /** Reads the things of a kind with these ids. */
  *load(kind: ThingKind, ids: Iterable<string>): Work<void> {
    const wanted = this.#unasked(`id ${kind}`, ids);
    if (wanted.length > 0)
      yield* this.#read('gw.things WHERE kind = :kind AND id = ANY (:wanted)', { kind, wanted });
  }

  /** Reads the things of a kind that have such a name. */
  *loadCalled(kind: ThingKind, names: Iterable<string>): Work<void> {
    const all = [...names];
    yield* this.load(kind, all);
    if (kind === 'customer' || kind === 'subscription' || kind === 'plan')
      yield* this.#loadByKeys(all.map((name) => keyOfReference(kind, name)));
  }

  /** Reads the things with these sources. */
  *loadHolders(sources: readonly DueSource[]): Work<void> {
    const keys = sources.flatMap(({ kind, id }) =>
      kind === 'event' ? [keyOfEvent(Number(id))] : kind === 'request' ? [id] : [],
    );
    yield* this.#loadByKeys(keys);
    for (const [kind, some] of byKind(sources))
      if (kind !== 'event' && kind !== 'request')
        yield* this.load(
          kind,
          some.map(({ id }) => id),
        );
  }

  /** Reads the things of some kinds that have one of the names as a key. @returns them */
  *loadLinked(kinds: readonly ThingKind[], names: readonly string[]): Work<KnownThing[]> {
    if (names.length === 0) return [];
    return yield* this.#read(`${BY_KEY} AND kind = ANY (:kinds)`, { keys: folded(names), kinds });
  }

  *#loadByKeys(keys: readonly string[]): Work<void> {
    const wanted = this.#unasked('key', folded(keys));
    if (wanted.length > 0) yield* this.#read(BY_KEY, { keys: wanted });
  }

  #unasked(what: string, names: Iterable<string>): string[] {
    const wanted = [...new Set(names)].filter((name) => !this.#asked.has(`${what} ${name}`));
    for (const name of wanted) this.#asked.add(`${what} ${name}`);
    return wanted;
  }

  *#read(where: string, values: Readonly<Record<string, string | readonly string[]>>) {
    const rows = yield* all<FoundThing & StoredRow>(
      `SELECT ${THING_COLUMNS}, things.keys AS keys, things.text AS text FROM ${where}`,
      values,
    );
    return rows.map(({ keys, text, ...found }): KnownThing => {
      const thing = thingIn(found);
      const known = this.#things.get(nameOf(thing));
      // The values of this lot are newer.
      if (known?.before || known?.isTouched) return known;
      const { kind, id, account, profile, environment, sources } = thing;
      const before = { doc: found.doc, keys, text, thing, sources: found.sources };
      return this.#add({ kind, id, account, profile, environment, before, sources });
    });
  }

  #add(known: Identity & Pick<KnownThing, 'before' | 'sources'>): KnownThing {
    const thing: KnownThing = { ...known, isTouched: false, isForgotten: false, now: undefined };
    this.#things.set(nameOf(thing), thing);
    for (const name of [thing.id, ...(thing.sources.references ?? [])]) this.name(thing, name);
    return thing;
  }
}

const BY_KEY = `gw.thing_keys /*sqlite CROSS */ JOIN gw.things ON things.doc = thing_keys.doc
  WHERE key = ANY (:keys)`;

/** A row that has several of the keys comes several times, and is the same thing. */
function folded(names: readonly string[]): string[] {
  return [...new Set(names.map(fold))];
}

function isCalled({ id, sources }: KnownThing, name: string): boolean {
  return id === name || (sources.references?.includes(name) ?? false);
}

function nameOf({ kind, id, account, profile, environment }: Identity): string {
  return JSON.stringify(
    account === null ? [kind, id, null, profile, environment] : [kind, id, account],
  );
}

/** @returns the items of each kind */
export function byKind<Item extends { kind: ThingKind }>(
  items: readonly Item[],
): Map<Item['kind'], Item[]> {
  const groups = new Map<Item['kind'], Item[]>();
  for (const item of items) {
    const known = groups.get(item.kind);
    if (known) known.push(item);
    else groups.set(item.kind, [item]);
  }
  return groups;
}
