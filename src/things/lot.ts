/**
 * The rows that a lot of sources reads and changes. Each is read once, and found by its id and by its reference.
 *
 * Tests: test/unit/things/one-row.test.ts, test/unit/things/rebuilt.test.ts
 */
import { allRows, type Work } from '../store/sql.ts';
import type { DueSource } from './deferred.ts';
import { fold } from './normalise.ts';
import { isOwnedBy, type Owner } from './owner.ts';
import type { HeldThing } from './read-sources.ts';
import { type Link, linksOf, type ThingIdentity } from './row-of.ts';
import { NO_SOURCES } from './sources.ts';
import type {
  IndexedThing,
  LinkedThing,
  SourceIds,
  Sources,
  Thing,
  ThingKind,
  ThingRow,
} from './thing.ts';
import { formerTokensIn, THING_COLUMNS, thingIn } from './thing-columns.ts';
import { keyOfEvent, keyOfName } from './words.ts';
import type { StoredRow } from './write.ts';

/** A thing, with the sources that its row in the table names. */
export interface KnownThing extends HeldThing {
  /** The row in the table; undefined for a thing that is new. Of the sources of `thing`, only the stop is read. */
  before: StoredRow | undefined;
  /** The sources as they stand in their tables; only those of a touched thing are read. */
  sources: Sources;
  /** true if its row must be made again. */
  isTouched: boolean;
  /** The row made anew; undefined if there is none, or while it is not made. */
  now: IndexedThing | undefined;
}

type ThingName = Pick<Thing, 'kind' | 'id'>;

export class Lot {
  readonly #things = new Map<string, KnownThing>();
  readonly #named = new Map<string, Set<KnownThing>>();
  /** Keys that were looked up, so that none is looked up twice. */
  readonly #asked = new Set<string>();

  all(): KnownThing[] {
    return [...this.#things.values()];
  }

  /** @returns the thing, which may be a new one */
  thing(owner: Omit<Owner, 'host'>, kind: ThingKind, id: string): KnownThing {
    const { account, profile, environment } = owner;
    const identity: ThingIdentity = { kind, id, account, profile, environment };
    return (
      this.#things.get(nameOf(identity)) ??
      this.#add({ ...identity, hasRecord: false, ids: {}, before: undefined })
    );
  }

  /**
   * @returns the thing that a link names: by its id, or else the first that has it as a reference, or the only one that
   *   has it as a token, or had it
   */
  linked(owner: Omit<Owner, 'host'>, link: Link): KnownThing | undefined {
    const known = this.#called(link)
      .filter(
        (one) => isOwnedBy(one, owner, 'same') && linkNamesOf(rowNow(one)).includes(link.name),
      )
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    if (link.isToken) return known.length === 1 ? known[0] : undefined;
    return known.find(({ id }) => id === link.name) ?? known[0];
  }

  /** @returns what a thing belongs to; a refund also to the customer of its purchase, which its record does not name */
  links(thing: KnownThing): Link[] {
    const links = linksOf(thing.kind, thing.sources);
    const [first] = links;
    const purchase = thing.kind === 'refund' && first && this.linked(thing, first);
    const customer = purchase && rowNow(purchase)?.customer;
    return customer ? [...links, { kind: 'customer', name: customer }] : links;
  }

  /** Finds the thing by the names of its row as it is now. */
  name(thing: KnownThing): void {
    for (const name of linkNamesOf(rowNow(thing))) {
      const key = `${thing.kind} ${name}`;
      this.#named.set(key, (this.#named.get(key) ?? new Set()).add(thing));
    }
  }

  #called({ kind, name }: Link): KnownThing[] {
    return [...(this.#named.get(`${kind} ${name}`) ?? [])];
  }

  /** Reads the things of which sources tell, and those that hold earlier forms of these sources. */
  *load(news: readonly ThingName[], sources: readonly DueSource[]): Work<void> {
    const ids = [...news];
    const keys: string[] = [];
    for (const { kind, id } of sources)
      if (kind === 'event') keys.push(keyOfEvent(Number(id)));
      else if (kind === 'request') keys.push(id);
      else ids.push({ kind, id });
    yield* this.#load(ids, keys);
  }

  /** Reads what these things belong to. The lot may have the same id of another account, so only their own count. */
  *loadLinks(things: readonly KnownThing[]): Work<void> {
    yield* this.#loadLinks(things);
    // The customer of a refund is known when its purchase is.
    yield* this.#loadLinks(things.filter(({ kind }) => kind === 'refund'));
  }

  *#loadLinks(things: readonly KnownThing[]): Work<void> {
    const others = things.flatMap((thing) =>
      this.links(thing).filter((link) => this.linked(thing, link)?.id !== link.name),
    );
    yield* this.#load(
      others.map(({ kind, name }) => ({ kind, id: name })),
      others.map(({ kind, name }) => keyOfName(kind, name)),
    );
  }

  /** Reads the things of some kinds that have one of the names as a key. @returns them */
  *loadLinked(kinds: readonly ThingKind[], names: readonly string[]): Work<KnownThing[]> {
    if (names.length === 0) return [];
    const linked = yield* this.#read(
      'SELECT DISTINCT doc FROM gw.thing_keys WHERE key = ANY (:keys)',
      {
        keys: distinct(names.map(fold)),
      },
    );
    return linked.filter(({ kind }) => kinds.includes(kind));
  }

  *#load(things: readonly ThingName[], keys: readonly string[]): Work<void> {
    const isNew = (name: string) => !this.#asked.has(name) && this.#asked.add(name);
    const wanted = things.filter(({ kind, id }) => isNew(`id ${kind} ${id}`));
    const names = keys.map(fold).filter((key) => isNew(`key ${key}`));
    if (wanted.length === 0 && names.length === 0) return;
    yield* this.#read(
      `SELECT doc FROM gw.things WHERE kind = ANY (:kinds) AND id = ANY (:ids)
        UNION SELECT doc FROM gw.thing_keys WHERE key = ANY (:names)`,
      {
        kinds: distinct(wanted.map(({ kind }) => kind)),
        ids: distinct(wanted.map(({ id }) => id)),
        names,
      },
    );
  }

  /** In one statement with its query of numbers, a server would read the whole table. */
  *#read(numbers: string, values: Readonly<Record<string, readonly string[]>>): Work<KnownThing[]> {
    const found = yield* allRows<{ doc: number }>(numbers, values);
    if (found.length === 0) return [];
    const rows = yield* allRows<ThingRow & Pick<StoredRow, 'cardExpiry'>>(
      `SELECT ${THING_COLUMNS}, card_expiry AS "cardExpiry" FROM gw.things WHERE doc = ANY (:docs)`,
      { docs: found.map(({ doc }) => doc) },
    );
    return rows.map(({ cardExpiry, ...found }): KnownThing => {
      const ids = JSON.parse(found.sources) as SourceIds;
      const { stop } = ids;
      const row = thingIn(found, stop ? { ...NO_SOURCES, stop } : NO_SOURCES);
      const thing = Object.assign(row, { formerTokens: formerTokensIn(found, found.texts) });
      const known = this.#things.get(nameOf(thing));
      // The values of this lot are newer.
      if (known?.before || known?.isTouched) return known;
      const { kind, id, account, profile, environment, told } = thing;
      const { doc, sources, texts } = found;
      const before = { doc, thing, ids: sources, texts, cardExpiry };
      const identity = { kind, id, account, profile, environment };
      return this.#add({ ...identity, hasRecord: told === 'record', ids, before });
    });
  }

  #add(known: HeldThing & Pick<KnownThing, 'before'>): KnownThing {
    const thing = { ...known, sources: NO_SOURCES, isTouched: false, now: undefined };
    this.#things.set(nameOf(thing), thing);
    this.name(thing);
    return thing;
  }
}

/** @returns the row of the thing as far as it is made; undefined if there is none */
export function rowNow({ isTouched, before, now }: KnownThing): LinkedThing | undefined {
  return isTouched ? now : before?.thing;
}

/** @returns the names by which links name the thing */
export function linkNamesOf(thing: LinkedThing | undefined): string[] {
  if (!thing) return [];
  const { kind, id, reference, token, formerTokens } = thing;
  const tokens = kind === 'customer' ? [token, ...formerTokens] : [];
  return [id, reference, ...tokens].filter((name) => name !== null);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function nameOf({ kind, id, account, profile, environment }: ThingIdentity): string {
  return JSON.stringify(
    account === null ? [kind, id, null, profile, environment] : [kind, id, account],
  );
}
