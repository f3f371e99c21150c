/** Maps a row of the table to a thing and back, in either store. */
import type { SqlValues } from '../store/sql.ts';
import type { FoundThing, Sources, Thing, Told } from './thing.ts';

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

/** @param columns from `columnsOf` @returns whether the row of a thing, whose sources have this text, has these values */
export function isRowOf(thing: Thing, sources: string, columns: SqlValues): boolean {
  return FIELDS.every(
    (name, n) => (name === 'sources' ? sources : thing[name]) === columns[STORED_COLUMNS[n] ?? ''],
  );
}

export function thingIn(found: FoundThing): Thing {
  // Copying rows of this width with a spread takes longer than reading them.
  const thing: Partial<Record<keyof Thing, unknown>> = {};
  for (const name of FIELDS) thing[name] = found[name];
  thing.sources = sourcesIn(found.sources, thing as Thing);
  return thing as Thing;
}

/** A source has here the places in `FIELDS`, in base 36, of what it says as the row does. */
const SAME = '=';
type Packed = Record<string, unknown> & { [SAME]?: string };

/** @returns JSON, the same for the same sources, without what a source does not say or what the row says as well */
function textOfSources(row: Thing): string {
  const { record, event, requests, ...others } = row.sources;
  const entries = Object.entries(requests).map(([id, told]) => [id, packed(told, row)]);
  return JSON.stringify({
    record: record && packed(record, row),
    event: event && packed(event, row),
    requests: Object.fromEntries(entries),
    notice: others.notice,
    events: others.events,
    since: others.since,
  });
}

function sourcesIn(text: string, row: Thing): Sources {
  const sources = JSON.parse(text) as Sources & Record<string, unknown>;
  const { record, event, requests } = sources as unknown as Record<string, Packed | undefined>;
  if (record) unpack(record, row);
  if (event) unpack(event, row);
  for (const told of Object.values(requests ?? {})) unpack(told as Packed, row);
  return sources;
}

function packed(told: Told, row: Thing): Packed {
  const said: Packed = { [SAME]: '' };
  for (const [name, value] of Object.entries(told).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const place = FIELDS.indexOf(name as keyof Thing);
    if (place >= 0 && value === row[name as keyof Thing] && value !== null)
      said[SAME] += place.toString(36);
    else if (isSaid(value)) said[name] = value;
  }
  return said;
}

function unpack(told: Packed, row: Thing): void {
  for (const place of told[SAME] ?? '') {
    const name = FIELDS[Number.parseInt(place, 36)];
    if (name) told[name] = row[name];
  }
  delete told[SAME];
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
