/**
 * What a column and a view are: how records of a kind are shown in every format.
 *
 * Columns are for people and for tab-separated text; they may combine fields (amount and currency,
 * outcome and message). Fields are for CSV and for a record that is shown whole. The views are in
 * `records`, one file a kind, those of the gateway's records together.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { isUnsuccessful, type Outcome, saysVoid } from '../contract/normal.ts';
import type { Role } from './text/color.ts';
import { amountText, fieldAt, textOf } from './values.ts';

export interface Column {
  header: string;
  /** @returns undefined when the record does not say */
  text(record: JsonObject): string | undefined;
  /** Makes the text shorter for a cell of a table. */
  shorten?(text: string): string;
  align?: 'right';
  /** Free text that a table may cut. All else is whole: a cut id could be taken for another one. */
  cuttable?: true;
  /** Where a table has too little room for it, it goes on below instead of being cut. */
  wraps?: true;
  /** Left out of a table that has no room for it beside its text. */
  isExtra?: true;
  /** @returns what has to be known to read these cells of a table, in a sentence */
  explain?(cells: readonly string[]): string | undefined;
  /** Coloured by the record's outcome. */
  tinted?: true;
}

export interface RecordView {
  /** For example `plan`; `plans`. */
  name: string;
  plural: string;
  columns: readonly Column[];
  /**
   * Dotted names of all fields that the interface names, in its order; none where every record has
   * all of its fields.
   */
  fields: readonly string[];
  /** Names that records may have besides, or of all fields where `fields` has none: they can be picked. */
  mayHave?: readonly string[];
  /** true where rows are no records that other commands take: in a pipe, their columns are named. */
  hasHeader?: true;
  /** true where records have no id: `-o id` would print nothing. */
  hasNoIds?: true;
  /** What other commands take to find the record again. */
  id(record: JsonObject): string | undefined;
  /** true where all that a record has is published by gw itself: it is shown as it is, card numbers too. */
  isPublished?: true;
  /** Absent where records have no outcome. */
  outcome?(record: JsonObject): Outcome;
  /** @returns what a card of the record has; absent where a card of all its fields does. @param now this machine's time */
  card?(record: JsonObject, now: Date): Promise<CardContent>;
}

/** @returns what the column is called in the header of TSV, `card_token` */
export function columnName({ header }: Column): string {
  return header.replace(/[^\w.]+/g, '_').replace(/^_|_$/g, '');
}

/** A column that shows one field as it is. */
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
/** Of its own width, so that digits stand below digits where others have a code. */
const MARK = ' *  ';

/** In a table, money of which no currency is named has a mark, and what it means is said below. */
export const amountColumn: Column = {
  header: 'amount',
  text: amountText,
  align: 'right',
  shorten: (text) => text.replace(UNNAMED, MARK),
  explain: (cells) =>
    cells.some((cell) => cell.endsWith(MARK)) ? '* In the currency of the account.' : undefined,
};

/** A masked card number, of which the last four digits do in a table. */
export const cardNumberColumn: Column = fieldColumn('card_number', {
  header: 'card',
  shorten: (text) => (/[X*]/.test(text) && /\d{4}$/.test(text) ? `…${text.slice(-4)}` : text),
});

/** A date, or a date-time of which a table shows the date. */
export function dayColumn(field: string, options: Partial<Column> = {}): Column {
  return fieldColumn(field, {
    shorten: (text) => text.replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1'),
    ...options,
  });
}

/**
 * Who sent what is listed. Where nobody but oneself is among them it is an extra; names of others are what is looked
 * for.
 * @param operators of all that is listed
 * @param self name of whoever looks
 */
export function operatorColumn(operators: readonly (string | null)[], self: string): Column {
  const isOfOthers = operators.some((operator) => operator !== null && operator !== self);
  return fieldColumn('operator', { header: 'sent by', ...(isOfOthers ? cuttable : extra) });
}

/** @returns the date and minute of a date-time in UTC, `2026-07-29 10:24` */
export const minuteOf = (text: string) =>
  text.replace('T', ' ').slice(0, '2026-07-29 10:24'.length);

/** A date-time in UTC, of which a table shows the minute. */
export function timeColumn(field: string, options: Partial<Column> = {}): Column {
  return fieldColumn(field, { shorten: minuteOf, ...options });
}

/** A void is shown as a void, whatever its flags say. */
export const VOIDED = 'VOIDED';

/**
 * @param record a record in normal form
 * @returns `Approved`, `DECLINED: Insufficient Funds`, VOIDED, REJECTED or UNCLEAR, with the message where it adds
 *   something; undefined when the record has neither an outcome nor a message
 */
export function outcomeText(outcome: Outcome, record: JsonObject): string | undefined {
  if (saysVoid(record.message, record.refunded)) return VOIDED;
  const word = outcome === 'approved' ? 'Approved' : outcome.toUpperCase();
  const message = textOf(record.message) ?? '';
  if (message === '') {
    const silent = outcome === 'unclear' && textOf(record.successful) === undefined;
    return silent ? undefined : word;
  }
  return message.toLowerCase() === word.toLowerCase() ? word : `${word}: ${message}`;
}

/** @returns by what something that happened is tinted, which may have other outcomes */
export function tintOf(outcome: Json): Outcome {
  return outcome === 'approved' || isUnsuccessful(outcome) ? outcome : 'unclear';
}

/** @returns the id of a record: the first of these fields that it has */
export function firstOf(fields: readonly string[]): RecordView['id'] {
  return (record) => fields.map((field) => textOf(record[field])).find((text) => text);
}

/** The view of records that gw makes of `Source`, each with all of its fields. */
export interface OwnView<Source> extends RecordView {
  /** @returns the record as it is printed in JSON, in the order of its fields */
  record(source: Source): JsonObject;
}

/** Their id is in the field `id` unless the view says otherwise. */
export function ownView<Source>(
  parts: Omit<OwnView<Source>, 'fields' | 'id'> & Partial<Pick<RecordView, 'fields' | 'id'>>,
): OwnView<Source> {
  return { fields: [], id: firstOf(['id']), ...parts };
}

/** A field as JSON has it, by its name in a source: `last_four` of `lastFour`. */
type FieldOf<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${FieldOf<Rest>}`
  : Name;

/** @returns the record with these fields of its source, in their order */
export function recordOf<Source extends object>(
  source: Source,
  fields: readonly FieldOf<keyof Source & string>[],
): JsonObject {
  const values = new Map<string, Json>(Object.entries(source));
  const nameOf = (field: string) => field.replace(/_./g, ([, letter = '']) => letter.toUpperCase());
  return Object.fromEntries(fields.map((field) => [field, values.get(nameOf(field)) ?? null]));
}

/** For records of no known kind: they have no columns of their own, so all their fields are shown. */
export const PLAIN_VIEW: RecordView = {
  name: 'record',
  plural: 'records',
  hasHeader: true,
  columns: [],
  fields: [],
  id: firstOf(['id', 'token']),
};

/** @returns a column for each picked field, showing the interface's value as it is. */
export function pickedColumns(fields: readonly string[]): Column[] {
  return fields.map((field) =>
    fieldColumn(field, { header: field, ...(field === 'id' ? {} : cuttable) }),
  );
}

export interface CardContent {
  outcome?: Outcome | undefined;
  /** In words, without the sign. */
  head: string;
  title?: string | undefined;
  rows: readonly CardRow[];
  /** Fields of the record that the rows have already; of a field that holds others, all of them. */
  shown: readonly string[];
  /** After everything else. */
  parts?: readonly CardPart[];
}

/** What is shown as it is, indented, under its title. */
export interface CardPart {
  title: string;
  json: Json;
}

/** A line of a card. */
export interface CardRow {
  /** Nothing under the label of the row above. */
  label?: string;
  text: string;
  /** Its sign is drawn. */
  outcome?: Outcome | undefined;
  /** How long ago it was seen, where it is not as of now. */
  age?: string | undefined;
  /** How its text is coloured, where it has no outcome. */
  role?: Role | undefined;
}

export const NOT_SAID = '-';
