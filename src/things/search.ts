/** Searches the things, the newest first: `doc` is the second of a thing's date and a number within it. */
import { allRows, type Engine, engine, type Work } from '../store/sql.ts';
import {
  hasPhrases,
  likeAll,
  matchAll,
  type Phrases,
  phrasesOf,
  searchConditions,
  type WantedThings,
} from './conditions.ts';
import { fold, foldedForms } from './normalise.ts';
import { type Days, outcomeOn } from './subscription-state.ts';
import type { ThingRow } from './thing.ts';
import { searchable, THING_COLUMNS } from './thing-columns.ts';
import type { SearchQuery } from './thing-index.ts';
import { keyOf, keyOfName, shownTextOf, textOf } from './words.ts';

const LAST_FOUR = /^\d{4}$/;
/** Each account can have one customer with a given reference. */
const MOST_OF_NAME = 10;
/** Kinds that are called by a reference of their own; a charge has that of its subscription. */
const WITH_REFERENCES = ['subscription', 'plan', 'customer'] as const;

type Limited = WantedThings & { limit: number };

/** @returns the same as `SearchIndex.search` */
export function* foundThings(search: SearchQuery): Work<ThingRow[]> {
  const { text: asked = '', limit, ...filter } = search;
  const text = fold(asked);
  if (text === '' && filter.reference !== undefined)
    return yield* called([keyOf(filter.reference)], { ...filter, limit });
  if (text === '' && filter.plans !== undefined)
    return yield* called(filter.plans.map(keyOf), { ...filter, limit });
  if (text === '') return yield* newest([], { ...filter, limit });
  const people = yield* peopleCalled(asked, { ...filter, limit });
  const first = firstOf([...people, ...(yield* exactly(asked, { ...filter, limit }))], limit);
  if (first.length === limit) return first;
  const rest = yield* newest(phrasesOf(asked), { ...filter, limit: limit + first.length });
  return firstOf([...first, ...rest], limit);
}

/** @returns the first of these rows, without repeats */
function firstOf(rows: readonly ThingRow[], limit: number): ThingRow[] {
  return [...new Map(rows.map((row) => [row.doc, row])).values()].slice(0, limit);
}

/** @param phrases one list for each word; a text must contain one phrase of each list */
function* newest(phrases: readonly Phrases[], { limit, ...filter }: Limited): Work<ThingRow[]> {
  if (phrases.length > 0) return yield* newestMatched(phrases, { limit, ...filter });
  const { where, values } = searchConditions(filter);
  return yield* allRows<ThingRow>(
    `SELECT ${THING_COLUMNS} FROM gw.things WHERE ${where} ORDER BY things.doc DESC LIMIT :limit`,
    { ...values, limit },
  );
}

/** Rows whose texts are looked at in one go. */
const MOST_LOOKED_AT = 1_000;

/**
 * The index of texts yields the newest first, and is read only as far as needed. That of a file has no places of words,
 * which would take as much again, and none knows which numbers a list shows, so the text of each row is made again and
 * looked at too.
 */
function* newestMatched(
  phrases: readonly Phrases[],
  { limit, ...filter }: Limited,
): Work<ThingRow[]> {
  const { from, where, values, doc } = matched(phrases, filter, yield* engine());
  const found: ThingRow[] = [];
  // Nearly every row has the words too, so the first page mostly is enough.
  for (let rows = limit, below = Number.MAX_SAFE_INTEGER; ; rows = MOST_LOOKED_AT) {
    const page = yield* allRows<ThingRow>(
      `SELECT ${THING_COLUMNS} FROM ${from} WHERE ${where} AND ${doc} < :below
        ORDER BY ${doc} DESC LIMIT :rows`,
      { ...values, below, rows },
    );
    found.push(...page.filter((row) => hasAll(row, phrases, filter.days)));
    below = page.at(-1)?.doc ?? 0;
    if (found.length >= limit || page.length < rows) return found.slice(0, limit);
  }
}

/** @returns the rows that an index of texts finds, in SQL, and the column that orders them */
function matched(phrases: readonly Phrases[], filter: WantedThings, store: Engine) {
  const doc = store === 'sqlite' ? 'things_text.rowid' : 'things.doc';
  const { where, values } = searchConditions(filter, doc);
  if (store === 'sqlite') {
    // A CROSS JOIN keeps its order. A period is a range of the index's row ids.
    const from = 'things_text CROSS JOIN gw.things ON things.doc = things_text.rowid';
    const match = matchAll(phrases, filter);
    return {
      from,
      where: `things_text MATCH :match AND ${where}`,
      values: { ...values, match },
      doc,
    };
  }
  const like = likeAll(phrases, filter.days);
  const all = { ...like.values, ...values };
  return { from: 'gw.things', where: `${like.where} AND ${where}`, values: all, doc };
}

/** @returns whether the text of a row has the words; a short number only where a list shows it, as last four digits are */
function hasAll(row: ThingRow, phrases: readonly Phrases[], days: Days | undefined): boolean {
  const thing = searchable(row, row.texts);
  const outcome = outcomeOn(row, days);
  const [short, others] = [true, false].map((is) => phrases.filter((one) => one.isShort === is));
  return (
    hasPhrases({ text: textOf(thing), outcome }, others ?? []) &&
    (short?.length === 0 || hasPhrases({ text: shownTextOf(thing), outcome }, short ?? []))
  );
}

/** @param names folded @returns the newest things that have one of these names */
export function* called(names: readonly string[], { limit, ...filter }: Limited): Work<ThingRow[]> {
  const [name = '', ...others] = names;
  if (others.length === 0) {
    // Follows the order of the index, so a name that many things have is not read to its end.
    const { where, values } = searchConditions(filter, 'thing_keys.doc');
    return yield* allRows<ThingRow>(
      `SELECT ${THING_COLUMNS}
         FROM gw.thing_keys /*sqlite CROSS */ JOIN gw.things ON things.doc = thing_keys.doc
        WHERE key = :name AND ${where} ORDER BY thing_keys.doc DESC LIMIT :limit`,
      { ...values, name, limit },
    );
  }
  const { where, values } = searchConditions(filter);
  return yield* allRows<ThingRow>(
    `SELECT ${THING_COLUMNS} FROM gw.things
      WHERE things.doc IN (SELECT doc FROM gw.thing_keys WHERE key = ANY (:names)) AND ${where}
      ORDER BY things.doc DESC LIMIT :limit`,
    { ...values, names, limit },
  );
}

/**
 * @param name folded
 * @returns whether it is the id of the thing, or its reference, which a charge has of its subscription
 */
export function isCalled(
  { kind, id, reference }: Pick<ThingRow, 'kind' | 'id' | 'reference'>,
  name: string,
): boolean {
  const isOwn = WITH_REFERENCES.some((one) => one === kind) && reference !== null;
  return fold(id) === name || (isOwn && fold(reference) === name);
}

/**
 * Finds things whose own id or reference this is, before the newest things that belong to it, because a subscription
 * may have more charges than a page has lines. Last four digits count as a name of what a card paid.
 */
function* exactly(asked: string, search: Limited): Work<ThingRow[]> {
  const [text = '', ...others] = foldedForms(asked);
  const lasting = yield* called(
    WITH_REFERENCES.map((kind) => keyOf(keyOfName(kind, text))),
    search,
  );
  // A payment with the card of a customer has its id, and not the reference that is asked for.
  const names = [keyOf(keyOfName('customer', text))];
  const customers = yield* called(names, { scope: search.scope, limit: MOST_OF_NAME });
  const ids = customers.map(({ id }) => keyOf(id));
  const named = yield* called([...new Set([text, ...others, ...ids])], search);
  const own = [...lasting, ...named.filter((one) => isCalled(one, text))];
  if (named.length >= search.limit || !LAST_FOUR.test(text))
    return firstOf([...own, ...named], search.limit);
  const ofCard = yield* newest([], { ...search, lastFour: text });
  const all = firstOf([...named, ...ofCard], search.limit).toSorted((a, b) => b.doc - a.doc);
  return firstOf([...own, ...all], search.limit);
}

/**
 * A customer may have more charges than a page has lines, and a name is a search for the customer. So customers come
 * first, at most half of the limit. Li comes before Ling.
 */
function* peopleCalled(asked: string, search: Limited): Work<ThingRow[]> {
  if ((search.kinds ?? []).length > 0) return [];
  const people = yield* newest(phrasesOf(asked), { ...search, kinds: ['customer'] });
  const forms = foldedForms(asked).map((form) => form.split(' '));
  const isWhole = ({ who }: ThingRow) => {
    const names = foldedForms(who ?? '').flatMap((form) => form.split(' '));
    return forms.some((words) => words.every((word) => names.includes(word)));
  };
  const sorted = [...people.filter(isWhole), ...people.filter((one) => !isWhole(one))];
  return sorted.slice(0, Math.ceil(search.limit / 2));
}
