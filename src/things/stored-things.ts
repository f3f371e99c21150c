/**
 * The table of things of a ledger, in a file or on a server.
 *
 * Tests: test/unit/things/search-cases.ts, test/unit/things/with-own-events.test.ts
 */
import { allRows, firstRow, onlyRow, type SqlStore, type Work } from '../store/sql.ts';
import { searchConditions } from './conditions.ts';
import { countDue } from './deferred.ts';
import { foldedForms } from './normalise.ts';
import type { Owner } from './owner.ts';
import { type HeldThing, KnownSources, type ReadSources } from './read-sources.ts';
import { called, foundThings } from './search.ts';
import { NO_SOURCES } from './sources.ts';
import { type SourceIds, THING_KINDS, type Thing, type ThingKind, type ThingRow } from './thing.ts';
import { THING_COLUMNS, thingIn } from './thing-columns.ts';
import {
  type IndexSources,
  MOST_COUNTED,
  type SearchFilter,
  type SearchIndex,
  type SearchQuery,
} from './thing-index.ts';
import {
  type CardExpiry,
  type ChargedDay,
  cardExpiriesOf,
  chargedDaysOf,
  type NewestCharge,
  newestChargesOf,
  type TotalsQuery,
  totalsOf,
} from './totals.ts';

const PAGE_ROWS = 1_000;
const OF_MONEY: readonly ThingKind[] = ['purchase', 'refund', 'request'];

export class StoredThings implements SearchIndex {
  readonly #store: Pick<SqlStore, 'read'>;
  readonly #read: ReadSources;

  /** @param read reads the sources of what is found */
  constructor(store: Pick<SqlStore, 'read'>, read: ReadSources) {
    this.#store = store;
    this.#read = read;
  }

  search(search: SearchQuery): Promise<Thing[]> {
    return this.#things(() => foundThings(search), search);
  }

  tied(names: readonly string[], filter: SearchFilter & { limit: number }): Promise<Thing[]> {
    return this.#things(() => called(names.flatMap(foldedForms), filter), filter);
  }

  /** @returns all things of these kinds that have one of these ids, in any account and in no order */
  withIds(kinds: readonly ThingKind[], ids: readonly string[]): Promise<Thing[]> {
    const text = `SELECT ${THING_COLUMNS} FROM gw.things WHERE kind = ANY (:kinds) AND id = ANY (:ids)`;
    return this.#things(() => allRows<ThingRow>(text, { kinds, ids }));
  }

  async *each(filter: SearchFilter): AsyncGenerator<Thing> {
    for (let above = -1; ; ) {
      const after = above;
      const things = await this.#things(function* () {
        const rows = yield* pageOf(filter, after);
        above = rows.at(-1)?.doc ?? above;
        return rows;
      }, filter);
      yield* things;
      if (things.length < PAGE_ROWS) return;
    }
  }

  /** @returns the things of these rows, with their sources as they are now */
  #things(
    find: () => Work<ThingRow[]>,
    { needs }: Pick<SearchFilter, 'needs'> = {},
  ): Promise<Thing[]> {
    const known = new KnownSources(this.#read);
    return this.#store.read(function* () {
      const rows = yield* find();
      if (needs === 'nothing') return rows.map((row) => thingIn(row, NO_SOURCES));
      const held = rows.map((row) =>
        // Copying rows of this width with a spread takes longer than reading them.
        Object.assign(row, {
          hasRecord: row.told === 'record',
          ids: JSON.parse(row.sources) as SourceIds,
        }),
      );
      let wanted = held;
      if (needs === 'card') {
        yield* known.readFor(held.map((row) => ({ ...identityOf(row), ids: {} })));
        wanted = held.filter((row) => !known.sourcesOf(row).record?.card);
      }
      yield* known.readFor(wanted);
      return held.map((row) => thingIn(row, known.sourcesOf(row)));
    });
  }

  sources(): Promise<IndexSources> {
    return this.#store.read(sourcesOf);
  }

  known(keys: readonly string[]): Promise<string[]> {
    return this.#store.read(() => knownKeys(keys));
  }

  keysFrom(beginnings: readonly string[]): Promise<string[]> {
    return this.#store.read(() => keysBegunWith(beginnings));
  }

  totals(query: TotalsQuery) {
    return this.#store.read(() => totalsOf(query));
  }

  newestCharges(scope: Owner): Promise<NewestCharge[]> {
    return this.#store.read(() => newestChargesOf(scope));
  }

  chargedDays(scope: Owner, time: Pick<TotalsQuery, 'from' | 'until'>): Promise<ChargedDay[]> {
    return this.#store.read(() => chargedDaysOf(scope, time));
  }

  cardExpiries(tokens: readonly string[], scope?: Owner): Promise<CardExpiry[]> {
    return this.#store.read(() => cardExpiriesOf(tokens, scope));
  }

  due(): Promise<number> {
    return this.#store.read(countDue);
  }
}

function identityOf({
  kind,
  id,
  account,
  profile,
  environment,
  hasRecord,
}: Omit<HeldThing, 'ids'>) {
  return { kind, id, account, profile, environment, hasRecord };
}

function* knownKeys(keys: readonly string[]): Work<string[]> {
  const rows = yield* allRows<{ key: string }>(
    `SELECT value AS key FROM json_array_elements_text(:keys::json) AS asked (value)
      WHERE EXISTS (SELECT 1 FROM gw.thing_keys WHERE key = value)`,
    { keys: JSON.stringify(keys) },
  );
  const known = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => known.has(key));
}

/** The most keys of one beginning: the words of the names of some hundred thousand people. */
const MOST_KEYS = 20_000;

function* keysBegunWith(beginnings: readonly string[]): Work<string[]> {
  const found: string[] = [];
  for (const from of beginnings) {
    const rows = yield* allRows<{ key: string }>(
      'SELECT DISTINCT key FROM gw.thing_keys WHERE key >= :from AND key < :to LIMIT :limit',
      { from, to: `${from}\u{10ffff}`, limit: MOST_KEYS },
    );
    found.push(...rows.map(({ key }) => key));
  }
  return found;
}

/** @param above the last `doc` of the page before @returns the next page, oldest first */
function* pageOf(filter: SearchFilter, above: number): Work<ThingRow[]> {
  const { where, values } = searchConditions(filter);
  return yield* allRows<ThingRow>(
    `SELECT ${THING_COLUMNS} FROM gw.things WHERE things.doc > :above AND ${where}
      ORDER BY things.doc LIMIT ${PAGE_ROWS}`,
    { ...values, above },
  );
}

function* sourcesOf(): Work<IndexSources> {
  const kinds: Record<string, number> = {};
  let oldest: { at: string; doc: number } | undefined;
  for (const kind of THING_KINDS) {
    const { count } = yield* onlyRow<{ count: number }>(
      `SELECT count(*) AS count
         FROM (SELECT 1 FROM gw.things WHERE kind = :kind LIMIT ${MOST_COUNTED + 1}) AS some_things`,
      { kind },
    );
    if (count > 0) kinds[kind] = count;
    if (!OF_MONEY.includes(kind)) continue;
    const first = yield* firstRow<{ at: string; doc: number }>(
      'SELECT at, doc FROM gw.things WHERE kind = :kind ORDER BY doc LIMIT 1',
      { kind },
    );
    if (first && !(oldest && oldest.doc <= first.doc)) oldest = first;
  }
  return { kinds, countedTo: MOST_COUNTED, oldest: oldest?.at ?? null };
}
