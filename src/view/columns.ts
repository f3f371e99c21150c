/**
 * A view defines how records of a kind are shown in every format; a column is a part of it.
 *
 * Columns are for people and for tab-separated text; they may combine fields (amount and currency, outcome and
 * message). Fields are for CSV and for a record that is shown whole. The views are in `records`, one file for each
 * kind; the gateway's own records share a file.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { capitalised } from '../base/text.ts';
import type { TimeZone } from '../base/time-zone.ts';
import { isSuccessful, isUnsuccessful, type Outcome, saysVoid } from '../contract/normal.ts';
import type { Role } from './text/color.ts';
import { amountText, decimalIn, fieldAt, textOf } from './values.ts';

export interface Column {
  header: string;
  /** @returns undefined if the record does not say */
  text(record: JsonObject): string | undefined;
  /** Makes the text shorter for a cell of a table, and shows a time in the zone of the table. */
  shorten?(text: string, zone: TimeZone): string;
  align?: 'right';
  /** Set for free text, which a table may cut. Other texts stay whole: a cut id could be taken for another one. */
  cuttable?: true;
  /** Set if the text wraps in a table that is too narrow, and is not cut. */
  wraps?: true;
  /** Set if a table that is too narrow leaves the column out. */
  isExtra?: true;
  /** @returns a sentence that a reader of these cells needs, if any */
  explain?(cells: readonly string[]): string | undefined;
  /** Set if the cell has the colour of the record's outcome. */
  tinted?: true;
}

/**
 * A day (`YYYY-MM-DD`) and a time (`HH:MM:SS`) are read by every spreadsheet; a `date` may also be a month (`YYYY-MM`), an
 * instant (ISO 8601), or the name of another period.
 */
export type Moment = 'day' | 'time' | 'date';

export interface RecordView {
  /** The names in a sentence, for example `plan` and `plans`. */
  name: string;
  plural: string;
  columns: readonly Column[];
  /** Dotted names of all fields that the interface names, in its order; empty if every record has all of its fields. */
  fields: readonly string[];
  /** Further names that records may have and users may pick; if `fields` is empty, the names of all fields. */
  mayHave?: readonly string[];
  /** The fields of those fields that are objects in every record. */
  nested?: Readonly<Record<string, readonly string[]>>;
  /** true if rows are no records that other commands take: their columns then have names in a pipe too. */
  hasHeader?: true;
  /** true if records have no id: `-o id` would print nothing. */
  hasNoIds?: true;
  /** The fields that stand for another one, by its name: a user who picks that one gets them. */
  standIns?: ReadonlyMap<string, readonly string[]>;
  /** The fields that have a moment, which a workbook has as one. */
  moments?: Readonly<Record<string, Moment>>;
  /** true if a workbook leaves out columns without a value, because flags decide which there are; lists keep theirs. */
  omitsEmpty?: true;
  /** Further fields with money in minor units, which a workbook has as decimals, and CSV as both. */
  sums?: readonly string[];
  /** The heading of the decimal amount in a spreadsheet, if it is not the amount of one payment: `net`. */
  amountName?: string;
  /** @returns the id by which other commands find the record */
  id(record: JsonObject): string | undefined;
  /** true if gw itself publishes everything in the records: they are shown unchanged, card numbers included. */
  isPublished?: true;
  /** Absent if records have no outcome. */
  outcome?(record: JsonObject): Outcome | undefined;
  /**
   * @returns the content of the record's panel; without it, the panel shows all fields. @param now this machine's time
   */
  panel?(record: JsonObject, now: Date): Promise<PanelContent>;
}

/** @returns the column's name in the header of TSV, such as `card_token` */
export function columnName({ header }: Column): string {
  return header.replace(/[^\w.]+/g, '_').replace(/^_|_$/g, '');
}

/** A column that shows one field unchanged. */
export function fieldColumn(field: string, options: Partial<Column> = {}): Column {
  return {
    header: field.replaceAll('_', ' '),
    text: (record) => textOf(fieldAt(record, field)),
    ...options,
  };
}

export const cuttable = { cuttable: true } as const;
export const extra = { isExtra: true } as const;

const UNNAMED = / \(account currency\)$/;
/** This mark is as wide as a currency code, so digits stay below digits. */
const MARK = ' *  ';

/** @returns the beginning of an entry's id, which `gw journal show` takes; any other id unchanged */
export function shortId(id: string): string {
  return /^[\da-f]{32}$/.test(id) ? id.slice(0, 8) : id;
}

/** Money without a currency has a mark in a table, and a note below explains it. */
export const amountColumn: Column = {
  header: 'amount',
  text: amountText,
  align: 'right',
  shorten: (text) => text.replace(UNNAMED, MARK),
  explain: (cells) =>
    cells.some((cell) => cell.endsWith(MARK)) ? '* In the currency of the account.' : undefined,
};

/** A masked card number; a table shows its last four digits. */
export const cardNumberColumn: Column = fieldColumn('card_number', {
  header: 'card',
  shorten: (text) => (/[X*]/.test(text) && /\d{4}$/.test(text) ? `…${text.slice(-4)}` : text),
});

/** A date, or a date-time whose date a table shows. */
export function dayColumn(field: string, options: Partial<Column> = {}): Column {
  return fieldColumn(field, {
    shorten: (text) => text.replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1'),
    ...options,
  });
}

/**
 * The operator who sent each row. If the user sent all of them, the column is an extra; otherwise it is part of what
 * the user looks for.
 * @param operators of all rows
 * @param self name of the user
 */
export function operatorColumn(operators: readonly (string | null)[], self: string): Column {
  const isOfOthers = operators.some((operator) => operator !== null && operator !== self);
  return fieldColumn('operator', { header: 'sent by', ...(isOfOthers ? cuttable : extra) });
}

const HAS_OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * @param text a date-time without an offset is in UTC
 * @param shown writes an instant, in milliseconds since 1970 (UTC)
 * @returns a date-time as `shown` writes it; a date alone, and any other text, stays
 */
export function formatInstant(text: string, shown: (instant: number) => string): string {
  const utc = HAS_OFFSET.test(text) ? text : `${text}Z`;
  const instant = text.includes('T') ? Date.parse(utc) : Number.NaN;
  return Number.isNaN(instant) ? text : shown(instant);
}

/** @returns the instant as a gateway writes it, in UTC: `2026-04-01T00:00:00+00:00`; a date alone stays */
export function utcText(at: string): string {
  return formatInstant(at, (instant) =>
    new Date(instant).toISOString().replace(/\.\d{3}Z$/, '+00:00'),
  );
}

/** A date-time, shown to the minute in a table. A gateway may write it with any offset; rows compare only in one zone. */
export function timeColumn(field: string, options: Partial<Column> = {}): Column {
  return fieldColumn(field, {
    shorten: (text, { clockAt }) => formatInstant(text, clockAt),
    ...options,
  });
}

/** A void is shown as a void, whatever its flags say. */
export const VOIDED = 'VOIDED';

/**
 * @param record a record in normal form
 * @returns `Approved`, `Authorised`, `DECLINED: Insufficient Funds`, VOIDED, REJECTED or UNCLEAR, with the message if it
 *   adds something; undefined if the record has neither an outcome nor a message
 */
export function outcomeText(outcome: Outcome, record: JsonObject): string | undefined {
  if (saysVoid(record.message, record.refunded)) return VOIDED;
  const word = isSuccessful(outcome) ? capitalised(outcome) : outcome.toUpperCase();
  const message = textOf(record.message) ?? '';
  if (message === '') {
    const silent = outcome === 'unclear' && textOf(record.successful) === undefined;
    return silent ? undefined : word;
  }
  // Deployments say Approved of what they only authorised, too.
  const isSaid = [word.toLowerCase(), isSuccessful(outcome) && 'approved'].includes(
    message.toLowerCase(),
  );
  return isSaid ? word : `${word}: ${message}`;
}

/** @returns the outcome whose colour fits an item of a history, which may have other outcomes */
export function tintOf(outcome: Json): Outcome {
  if (outcome === 'not-done' || outcome === 'not-sent') return 'declined';
  if (isUnsuccessful(outcome)) return outcome === 'abandoned' ? 'declined' : outcome;
  return isSuccessful(outcome) ? outcome : 'unclear';
}

/** @returns the id of a record: the first of these fields that it has */
export function idFromFields(fields: readonly string[]): RecordView['id'] {
  return (record) => fields.map((field) => textOf(record[field])).find((text) => text);
}

/** @returns the names of a view's fields, in the order of a record; empty if they are not known beforehand */
export function namedFields({ fields, mayHave = [] }: RecordView): readonly string[] {
  return fields.length > 0 ? fields : mayHave;
}

/** The view of records that gw makes from a `Source`, each with all of its fields. */
export interface OwnView<Source> extends RecordView {
  /** @returns the record as it is printed in JSON, in the order of its fields */
  record(source: Source): JsonObject;
}

type OwnParts<Source, Computed> = Partial<Pick<RecordView, 'id'>> &
  Omit<RecordView, 'fields' | 'mayHave' | 'id'> & {
    fields?: readonly FieldOf<keyof (Source & Computed) & string>[];
    mayHave?: readonly FieldOf<keyof (Source & Computed) & string>[];
    /** @returns the fields that the source itself does not have in this form */
    computed?(source: Source): Computed;
  };

/**
 * Defines such a view. Its records have the fields that it names, as `computed` or else the source has them. The id is
 * in the field `id` unless the view says otherwise.
 */
export function ownView<Source extends object, Computed extends object = object>({
  computed,
  ...parts
}: OwnParts<Source, Computed>): OwnView<Source> {
  const view = { fields: [], id: idFromFields(['id']), ...parts };
  const names = namedFields(view).map((field) => [field, sourceNameOf(field)] as const);
  return {
    ...view,
    record: (source) => recordOf(names, computed?.(source) ?? {}, source),
  };
}

/** The JSON name of a source's field: `last_four` for `lastFour`. */
type FieldOf<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${FieldOf<Rest>}`
  : Name;

/** @returns `lastFour` for `last_four` */
function sourceNameOf(field: string): string {
  return field.replace(/_./g, ([, letter = '']) => letter.toUpperCase());
}

/**
 * @param names each field with its name in a source
 * @param sources the first that has a field counts
 * @returns the record with those of the fields that a source has, in their order; a sum that no number holds exactly is
 *   a text
 */
function recordOf(
  names: readonly (readonly [field: string, sourceName: string])[],
  ...sources: object[]
): JsonObject {
  const record: JsonObject = {};
  for (const [field, sourceName] of names) {
    let value = valueIn(sources, field);
    if (value === undefined) value = valueIn(sources, sourceName);
    if (value !== undefined) record[field] = typeof value === 'bigint' ? exact(value) : value;
  }
  return record;
}

function valueIn(sources: readonly object[], name: string): Json | bigint | undefined {
  for (const source of sources) {
    const value = (source as Record<string, Json | bigint | undefined>)[name];
    if (value !== undefined) return value;
  }
  return undefined;
}

function exact(sum: bigint): number | string {
  const number = Number(sum);
  return Number.isSafeInteger(number) ? number : String(sum);
}

/** The view of records of no known kind, which have no columns of their own: all their fields are shown. */
export const PLAIN_VIEW: RecordView = {
  name: 'record',
  plural: 'records',
  hasHeader: true,
  columns: [],
  fields: [],
  id: idFromFields(['id', 'token']),
};

/** @returns a column for each picked field, showing the interface's value unchanged */
export function pickedColumns(fields: readonly string[]): Column[] {
  return fields.map((field) =>
    fieldColumn(field, {
      header: field,
      text: (record) => textOf(fieldAt(record, field)) ?? decimalIn(record, field),
      ...(field === 'id' ? {} : cuttable),
    }),
  );
}

export interface PanelContent {
  outcome?: Outcome | undefined;
  /** The text without the sign. */
  head: string;
  title?: string | undefined;
  rows: readonly PanelLine[];
  /** Fields that the rows already show; a field that contains others stands for all of them. */
  shown: readonly string[];
  /** Parts below everything else. */
  parts?: readonly PanelPart[];
}

/** JSON that is shown unchanged and indented under a title. */
export interface PanelPart {
  title: string;
  json: Json;
}

/** A line of a panel. */
export interface PanelLine {
  /** Absent if the label of the row above applies. */
  label?: string;
  text: string;
  /** Draws the sign of this outcome. */
  outcome?: Outcome | undefined;
  /** The time since it was last seen, if it is not current. */
  age?: string | undefined;
  /** The colour of the text if it has no outcome. */
  role?: Role | undefined;
  /** The word in the text by which other commands find what the line is about; a page makes it a link. */
  name?: string | undefined;
}

export const NO_VALUE = '-';
