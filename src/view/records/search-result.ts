/** How a document of the index is shown: what it is, when, how it ended, how much, whose, and what was said of it. */
import type { JsonObject } from '../../base/json.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { kindOfId } from '../../contract/record-id.ts';
import type { Document } from '../../index/document.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  early,
  fieldColumn,
  last,
  late,
  NOT_SAID,
  type OwnView,
  operatorColumn,
  ownView,
  VOIDED,
  vital,
} from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { textOf } from '../values.ts';

/** Cells in which the kind beside names and references leaves nothing to read. */
const NARROW_CELLS = 100;
/** `journal show` takes the beginning of an id. */
const ENTRY_ID_CHARACTERS = 8;

export interface DocumentStyle {
  /** @returns `2026-03-24 10:00` for an instant in milliseconds since 1970 (UTC) */
  localTime(instant: number): string;
  /** Cells of a line. */
  columns: number;
  /** The year that need not be said where there is little room, `2026`. */
  year: string;
  /** The documents that are shown. */
  documents: readonly Document[];
  /** Name of the operator who looks. */
  self: string;
}

export function documentView(style: DocumentStyle): OwnView<Document> {
  const isNarrow = style.columns < NARROW_CELLS;
  const when: Column = fieldColumn('at', {
    header: 'when',
    ...last,
    shorten: (text) => shortTime(text, style),
    brief: [(cells) => withoutYear(cells, style.year)],
  });
  const { documents } = style;
  const operators = documents.map(({ operator }) => operator);
  const hasOperators = operators.some((operator) => operator !== null);
  const hasProfiles = new Set(documents.map(({ profile }) => profile)).size > 1;
  return ownView<Document>({
    name: 'result',
    plural: 'results',
    columns: [
      ...(isNarrow && documents.every(tellsItsKind) ? [] : [fieldColumn('kind', late)]),
      when,
      { header: 'outcome', text: outcomeText, tinted: true },
      amountColumn,
      { header: 'who', text: ({ who, email }) => textOf(who ?? email), ...cuttable, ...late },
      { header: 'what', text: whatText, ...cuttable },
      { header: 'id', text: ({ id }) => textOf(id), shorten: shortId, ...vital },
      ...(hasProfiles ? [fieldColumn('profile', late)] : []),
      fieldColumn('last_four', { header: 'card', ...early }),
      ...(hasOperators ? [operatorColumn(operators, style.self)] : []),
    ],
    id: lookedUpAs,
    outcome: tintOf,
    record: documentRecord,
  });
}

/** @returns the document as it is printed in JSON */
export function documentRecord(document: Document): JsonObject {
  const { seenAt, lastFour, operator, ...same } = document;
  return { ...same, seen_at: seenAt, last_four: lastFour, operator };
}

/**
 * @param record as `documentRecord` gives it
 * @returns what `gw get` takes: the record's own id, or the one that a request or an event is about
 */
export function lookedUpAs(record: JsonObject): string | undefined {
  const { kind, id, purchase, subscription, customer } = record;
  if (kind === 'request') return textOf(purchase);
  if (kind === 'event') return textOf(purchase) ?? textOf(subscription) ?? textOf(customer);
  return textOf(id);
}

/** By its id; requests and events have other ids, and say what they are. */
function tellsItsKind({ kind, id }: Document): boolean {
  return kind === 'request' || kind === 'event' || kindOfId(id) === kind;
}

function shortTime(text: string, { localTime }: DocumentStyle): string {
  const isInstant = text.includes('T') && !Number.isNaN(Date.parse(text));
  return isInstant ? localTime(Date.parse(text)) : text;
}

/** @returns times of this year without it; where there is another year, the days of all of them */
function withoutYear(times: readonly string[], year: string): string[] {
  const isThisYear = times.every((time) => time.startsWith(`${year}-`) || time === NOT_SAID);
  if (!isThisYear) return times.map((time) => time.slice(0, '2026-03-24'.length));
  return times.map((time) => (time === NOT_SAID ? time : time.slice(year.length + 1)));
}

const BAD = new Set([
  'declined',
  'unclear',
  'rejected',
  'unknown',
  'sending',
  'abandoned',
  'expired',
  'bad',
  'contradicted',
]);

/** What needs a look stands out without a colour too. */
function outcomeText({ outcome, message }: JsonObject): string | undefined {
  if (saysVoid(message)) return VOIDED;
  const text = textOf(outcome);
  return text !== undefined && BAD.has(text) ? text.toUpperCase() : text;
}

function tintOf({ outcome }: JsonObject): Outcome {
  const text = textOf(outcome) ?? '';
  if (text === 'approved' || text === 'done' || text === 'active') return 'approved';
  return BAD.has(text) && text !== 'unclear' ? 'declined' : 'unclear';
}

function whatText(record: JsonObject): string | undefined {
  const { kind, reference, label, message, outcome, who, email } = record;
  const isSaidAlready = saysVoid(message) || textOf(message)?.toLowerCase() === textOf(outcome);
  const said = isSaidAlready ? undefined : reasonIn(textOf(message) ?? '');
  const parts = [
    textOf(reference),
    kind === 'customer' && textOf(who) !== undefined ? textOf(email) : undefined,
    // Why something failed is asked before what it was.
    ...(BAD.has(textOf(outcome) ?? '') ? [said, textOf(label)] : [textOf(label), said]),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(', ') || undefined;
}
function shortId(id: string): string {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(id)
    ? id.slice(0, ENTRY_ID_CHARACTERS)
    : id;
}
