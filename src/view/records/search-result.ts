/** How a document of the index is shown: what it is, when, how it ended, how much, whose, and what was said of it. */
import type { JsonObject } from '../../base/json.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { kindOfId } from '../../contract/record-id.ts';
import type { Document } from '../../index/document.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  extra,
  fieldColumn,
  type OwnView,
  operatorColumn,
  ownView,
  VOIDED,
} from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { textOf } from '../values.ts';

/** `journal show` takes the beginning of an id. */
const ENTRY_ID_CHARACTERS = 8;

export interface DocumentStyle {
  /** @returns `2026-03-24 10:00` for an instant in milliseconds since 1970 (UTC) */
  localTime(instant: number): string;
  /** The year that need not be said, `2026`. */
  year: string;
  /** The documents that are shown. */
  documents: readonly Document[];
  /** Name of the operator who looks. */
  self: string;
}

export function documentView(style: DocumentStyle): OwnView<Document> {
  const when: Column = fieldColumn('at', {
    header: 'when',
    shorten: (text) => shortTime(text, style),
  });
  const { documents } = style;
  const operators = documents.map(({ operator }) => operator);
  const hasOperators = operators.some((operator) => operator !== null);
  const hasProfiles = new Set(documents.map(({ profile }) => profile)).size > 1;
  return ownView<Document>({
    name: 'result',
    plural: 'results',
    mayHave: [
      'kind',
      'id',
      'at',
      'account',
      'profile',
      'environment',
      'host',
      'outcome',
      'amount',
      'currency',
      'reference',
      'who',
      'email',
      'message',
      'label',
      'purchase',
      'customer',
      'subscription',
      'plan',
      'seen_at',
      'last_four',
      'operator',
    ],
    columns: [
      fieldColumn('kind', documents.every(tellsItsKind) ? extra : {}),
      when,
      { header: 'outcome', text: outcomeText, tinted: true },
      amountColumn,
      { header: 'who', text: ({ who, email }) => textOf(who ?? email), ...cuttable },
      { header: 'what', text: whatText, ...cuttable },
      { header: 'id', text: ({ id }) => textOf(id), shorten: shortId },
      ...(hasProfiles ? [fieldColumn('profile')] : []),
      fieldColumn('last_four', { header: 'card', ...extra }),
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

/** @returns day and minute of a time of this year, else the date */
function shortTime(text: string, { localTime, year }: DocumentStyle): string {
  const isInstant = text.includes('T') && !Number.isNaN(Date.parse(text));
  if (!isInstant) return text;
  const time = localTime(Date.parse(text));
  const isThisYear = time.startsWith(`${year}-`);
  return isThisYear ? time.slice(year.length + 1) : time.slice(0, '2026-03-24'.length);
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
