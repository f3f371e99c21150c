/** Maps a row of the table to a thing and back, in either store. */
import type { SqlValues } from '../store/sql.ts';
import { idsOf } from './sources.ts';
import type { IndexedThing, Sources, Thing, ThingRow } from './thing.ts';
import type { SearchableRow } from './words.ts';

/** The fields of a thing in the order of the table. A source has its own value of most of them. */
const FIELDS = [
  ...(['kind', 'id', 'at', 'seenAt', 'account', 'profile', 'environment', 'host'] as const),
  ...(['outcome', 'amount', 'currency', 'reference', 'who', 'email', 'lastFour'] as const),
  ...(['message', 'label', 'purchase', 'customer', 'subscription', 'plan', 'token'] as const),
  ...(['operator', 'note', 'endsOn', 'told', 'sources'] as const),
] satisfies readonly (keyof Thing)[];

/** The columns of a thing, in their order. */
export const STORED_COLUMNS: readonly string[] = [...FIELDS.map(columnOf), 'card_expiry', 'texts'];

/** The selected columns of a thing, with its place in the table. */
export const THING_COLUMNS = `
  things.doc AS doc, ${FIELDS.map((name) => `things.${columnOf(name)} AS "${name}"`)},
  things.texts AS texts`;

function columnOf(field: keyof Thing): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @returns the values of `STORED_COLUMNS` */
export function columnsOf(thing: IndexedThing): SqlValues {
  const { record, event } = thing.sources;
  const row: Record<string, string | number | null> = {};
  for (const [n, name] of FIELDS.entries())
    row[STORED_COLUMNS[n] ?? ''] =
      name === 'sources' ? JSON.stringify(idsOf(thing.sources)) : thing[name];
  // Charges are read by the thousand for it.
  row.card_expiry = record?.cardExpiry ?? event?.cardExpiry ?? null;
  row.texts = textsOf(thing);
  return row;
}

/** @returns JSON of the texts that find a thing beside its columns; null if there are none */
function textsOf({ keys, words, names, formerTokens }: IndexedThing): string | null {
  const texts = [keys, words, names, ...(formerTokens.length > 0 ? [formerTokens] : [])];
  return texts.some((list) => list.length > 0) ? JSON.stringify(texts) : null;
}

/** @param texts from `textsOf` @returns a row of the table as a search finds it */
export function searchable(row: Omit<Thing, 'sources'>, texts: string | null): SearchableRow {
  const [keys = [], words = [], names = [], formerTokens = []] = textsIn(texts);
  return { ...row, keys, words, names, formerTokens };
}

/** @param texts from `textsOf` @returns the tokens of the cards that a customer had; empty for other kinds */
export function formerTokensIn({ kind }: Pick<Thing, 'kind'>, texts: string | null): string[] {
  return kind === 'customer' ? (textsIn(texts)[3] ?? []) : [];
}

function textsIn(texts: string | null): string[][] {
  return JSON.parse(texts ?? '[]') as string[][];
}

/**
 * @param others values of the columns that are no fields of the thing
 * @param columns from `columnsOf`
 * @returns whether the row of a thing has these values
 */
export function isRowOf(thing: Thing, others: SqlValues, columns: SqlValues): boolean {
  const before: Readonly<Record<string, unknown>> = { ...thing, ...others };
  return STORED_COLUMNS.every((column, n) => before[FIELDS[n] ?? column] === columns[column]);
}

/** @param sources read from their own tables @returns the thing that a row stands for */
export function thingIn(found: ThingRow, sources: Sources): Thing {
  // Copying rows of this width with a spread takes longer than reading them.
  const thing: Partial<Record<keyof Thing, unknown>> = {};
  for (const name of FIELDS) thing[name] = found[name];
  thing.sources = sources;
  return thing as Thing;
}
