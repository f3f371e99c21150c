/** Maps a row of the table to a thing and back, in either store. */
import type { SqlValues } from '../store/sql.ts';
import { sourcesIn, textOfSources } from './sources.ts';
import type { FoundThing, Thing } from './thing.ts';

/** Columns by field of a thing, in the order of the table. */
const COLUMNS: Readonly<Record<keyof Thing, string>> = {
  kind: 'kind',
  id: 'id',
  at: 'at',
  seenAt: 'seen_at',
  account: 'account',
  profile: 'profile',
  environment: 'environment',
  host: 'host',
  outcome: 'outcome',
  amount: 'amount',
  currency: 'currency',
  reference: 'reference',
  who: 'who',
  email: 'email',
  lastFour: 'last_four',
  message: 'message',
  label: 'label',
  purchase: 'purchase',
  customer: 'customer',
  subscription: 'subscription',
  plan: 'plan',
  token: 'token',
  operator: 'operator',
  note: 'note',
  told: 'told',
  sources: 'sources',
};
const FIELDS = Object.keys(COLUMNS) as (keyof Thing)[];

/** The columns that hold the fields of a thing. */
export const STORED_COLUMNS = Object.values(COLUMNS);

/** The selected columns of a thing, with its place in the table. */
export const THING_COLUMNS = `
  things.doc AS doc, ${FIELDS.map((name) => `things.${COLUMNS[name]} AS "${name}"`)}`;

/** @returns the values of `STORED_COLUMNS` */
export function columnsOf(thing: Thing): SqlValues {
  const row: Record<string, string | number | null> = {};
  for (const name of FIELDS) {
    const value = name === 'sources' ? textOfSources(thing.sources, thing) : thing[name];
    row[COLUMNS[name]] = value;
  }
  return row;
}

/** @param columns from `columnsOf` @returns whether the row of a thing, whose sources have this text, has these values */
export function isRowOf(thing: Thing, sources: string, columns: SqlValues): boolean {
  return FIELDS.every((name) =>
    name === 'sources' ? sources === columns.sources : thing[name] === columns[COLUMNS[name]],
  );
}

export function thingIn(found: FoundThing): Thing {
  // Copying rows of this width with a spread takes longer than reading them.
  const thing: Partial<Record<keyof Thing, unknown>> = {};
  for (const name of FIELDS) thing[name] = found[name];
  thing.sources = sourcesIn(found.sources, thing as Thing);
  return thing as Thing;
}
