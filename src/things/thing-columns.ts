/** Maps a row of the table to a thing and back, in either store. */
import type { SqlValues } from '../store/sql.ts';
import type { FoundThing, Sources, Thing } from './thing.ts';

/** The fields of a thing in the order of the table. A source has its own value of most of them. */
const FIELDS = [
  ...(['kind', 'id', 'at', 'seenAt', 'account', 'profile', 'environment', 'host'] as const),
  ...(['outcome', 'amount', 'currency', 'reference', 'who', 'email', 'lastFour'] as const),
  ...(['message', 'label', 'purchase', 'customer', 'subscription', 'plan', 'token'] as const),
  ...(['operator', 'note', 'told', 'sources'] as const),
] satisfies readonly (keyof Thing)[];

/** The columns that hold the fields of a thing. */
export const STORED_COLUMNS: readonly string[] = FIELDS.map(columnOf);

/** The selected columns of a thing, with its place in the table. */
export const THING_COLUMNS = `
  things.doc AS doc, ${FIELDS.map((name) => `things.${columnOf(name)} AS "${name}"`)}`;

function columnOf(field: keyof Thing): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @returns the values of `STORED_COLUMNS` */
export function columnsOf(thing: Thing): SqlValues {
  const row: Record<string, string | number | null> = {};
  for (const [n, name] of FIELDS.entries())
    row[STORED_COLUMNS[n] ?? ''] = name === 'sources' ? textOfSources(thing) : thing[name];
  return row;
}

/**
 * @param columns from `columnsOf`
 * @returns whether the row of a thing, whose sources have this text, has these values
 */
export function isRowOf(thing: Thing, sources: string, columns: SqlValues): boolean {
  return FIELDS.every(
    (name, n) => (name === 'sources' ? sources : thing[name]) === columns[STORED_COLUMNS[n] ?? ''],
  );
}

export function thingIn(found: FoundThing): Thing {
  // Copying rows of this width with a spread takes longer than reading them.
  const thing: Partial<Record<keyof Thing, unknown>> = {};
  for (const name of FIELDS) thing[name] = found[name];
  thing.sources = JSON.parse(found.sources) as Sources;
  return thing as Thing;
}

/** @returns JSON, the same for the same sources, without what a source does not say */
function textOfSources({ sources }: Thing): string {
  const { record, event, heard, requests, notice, events, heardEvents, since } = sources;
  const all = { record, event, heard, requests, notice, events, heardEvents, since };
  return JSON.stringify(all, (_, value) => (value === null ? undefined : value));
}
