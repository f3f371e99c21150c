/**
 * Compares one row of the books with its record. Missing fields of the row are not compared. A field that records of
 * the kind never have, such as a refund's reference (section 2.4), is `unchecked` unless this machine knows it. A
 * record without a clear outcome does not confirm one, so it differs.
 *
 * A row is not a match before its amount is compared. Records of subscriptions have no amount (section 2.7): a row of
 * one is compared by its other fields, unless it has an amount.
 */
import { dayNumber } from '../../base/calendar.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { capitalised, dateOrNull } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { amountOf, isSuccessful, isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { RecordKind } from '../../contract/record.ts';
import { type BookRow, refundedIn } from './book-row.ts';
import type { RowDifference } from './reconciled-row.ts';

/** A record of the gateway, and facts that only this machine knows. */
export interface FoundRecord {
  kind: RecordKind;
  /** In normal form. */
  record: JsonObject;
  /** ISO 4217 code: that of the record, or of the refunded purchase. */
  currency: string | undefined;
  /** The reference by which this machine found the id. */
  reference?: string | undefined;
  /** The minor units of a purchase that were refunded, as this machine knows; left out if it knows of none. */
  refunded?: number | undefined;
  /** The ids of those refunds. */
  refunds?: readonly string[] | undefined;
  /** Whether the row has its name among other words, or is a refund by the name of its purchase: its reference is not the record's. */
  isByOther?: boolean;
}

/** The direction of a debit for the merchant: money that comes in, or money that goes out. */
export type DebitIs = 'in' | 'out';

/** The rules by which rows are compared. */
export interface ComparisonRules {
  /** The zone in which an instant of the gateway has its day. */
  zone: TimeZone;
  /** The most days between the dates of both sides. */
  withinDays: number;
  /** The direction of a debit; undefined if it is not known. */
  debitIs: DebitIs | undefined;
}

export interface Comparison {
  differences: readonly RowDifference[];
  /** Fields of the row that cannot be compared, and the amount if the row lacks it. */
  unchecked: readonly string[];
  /** Why the amount was not compared; undefined if it was, and of a subscription without one. */
  uncompared: string | undefined;
  /** The days from the record to the row, negative if the row is earlier; null within the rules, or without dates. */
  daysApart: number | null;
}

/** The result for one field. */
type FieldVerdict = 'same' | 'unchecked' | RowDifference;

/** @param row its decimal is read in the currency of the record, and its amount has the sign of its side */
export function compareWithBooks(
  row: BookRow,
  found: FoundRecord,
  rules: ComparisonRules,
): Comparison {
  const uncompared = whyUncompared(row, found, rules);
  const { record, reference } = found;
  const verdicts: readonly (readonly [field: string, verdict: FieldVerdict])[] = [
    [
      'reference',
      found.isByOther
        ? 'same'
        : textVerdict('reference', row.reference, record.reference ?? reference),
    ],
    ['amount', uncompared === undefined ? amountVerdict(row, found) : 'unchecked'],
    ['amount_refunded', refundedVerdict(row, found)],
    ['currency', textVerdict('currency', row.currency, found.currency)],
    [row.outcome?.field ?? '', outcomeVerdict(row, found)],
    ['message', textVerdict('message', row.message, record.message)],
    ['is_active', flagVerdict(row, found)],
  ];
  const differences = verdicts.flatMap(([, verdict]) =>
    typeof verdict === 'object' ? verdict : [],
  );
  const unchecked = verdicts.flatMap(([field, verdict]) => (verdict === 'unchecked' ? field : []));
  const daysApart = daysBetween(row, found, rules.zone);
  if (daysApart === undefined) unchecked.push('date');
  const isNear = Math.abs(daysApart ?? 0) <= rules.withinDays;
  return { differences, unchecked, uncompared, daysApart: isNear ? null : (daysApart ?? null) };
}

/** Case and surrounding space do not matter. */
function textVerdict(
  field: string,
  file: string | undefined,
  gateway: Json | undefined,
): FieldVerdict {
  if (file === undefined) return 'same';
  if (gateway === undefined || gateway === null || gateway === '') return 'unchecked';
  const [a, b] = [file, String(gateway)].map((text) => text.normalize().trim().toLowerCase());
  return a === b ? 'same' : { field, file, gateway };
}

/** @returns why the amounts of both sides cannot be compared; undefined if they can */
function whyUncompared(
  { amount, decimal, side }: BookRow,
  { kind, record, currency }: FoundRecord,
  { debitIs }: ComparisonRules,
): string | undefined {
  const isWritten = amount !== undefined || decimal !== undefined;
  if (kind === 'subscription')
    return isWritten ? 'the record of a subscription has no amount' : undefined;
  if (!isWritten) return 'the row has no amount';
  const gateway = amountOf(record);
  if (gateway === null) return "the gateway's record has no amount";
  if (amount === undefined && currency === undefined)
    return 'neither the file nor the gateway says the currency of decimal_amount';
  const isOpen = side !== undefined && debitIs === undefined;
  // Another number differs on either side.
  return isOpen && amount !== undefined && Math.abs(amount) === Math.abs(gateway)
    ? 'gw cannot tell whether a debit is money in or out'
    : undefined;
}

/**
 * The interface has negative amounts for refunds; some deployments and most books have positive ones. On a bank's side,
 * money that comes in is no refund.
 */
function amountVerdict(
  { amount, decimal, side }: BookRow,
  { kind, record }: FoundRecord,
): FieldVerdict {
  const file = amount ?? decimal;
  if (file === undefined || kind === 'subscription') return 'same';
  const gateway = amountOf(record) ?? 0;
  if (typeof file === 'string') return { field: 'amount', file, gateway };
  const isSigned = kind !== 'refund' || side !== undefined;
  const wanted = kind === 'refund' ? -Math.abs(gateway) : gateway;
  const isSame = isSigned ? file === wanted : Math.abs(file) === Math.abs(gateway);
  return isSame ? 'same' : { field: 'amount', file, gateway };
}

/** A refund that was made after the file is none of its faults: it is missing in the file, if it is of a day of the file. */
function refundedVerdict(
  row: BookRow,
  { kind, currency, refunded = 0 }: FoundRecord,
): FieldVerdict {
  if (row.refunded === undefined || kind !== 'purchase') return 'same';
  const file = refundedIn(row, currency);
  if (file === undefined) return 'unchecked';
  return file <= refunded ? 'same' : { field: 'amount_refunded', file, gateway: refunded };
}

function outcomeVerdict(row: BookRow, { kind, record }: FoundRecord): FieldVerdict {
  const { outcome } = row;
  if (kind === 'subscription') return outcome === undefined ? 'same' : 'unchecked';
  const found = outcomeOf(kind, record);
  if (outcome === undefined) return unsaidVerdict(row, isUnsuccessful(found), record);
  if (outcome.isApproved ? found === 'approved' : isUnsuccessful(found)) return 'same';
  const { field, said: file } = outcome;
  if (found === 'unclear') return { field, file, gateway: null };
  if (typeof file === 'boolean') return { field, file, gateway: found === 'approved' };
  const words = isSuccessful(found) ? capitalised(found) : 'Declined';
  return { field, file, gateway: field === 'message' ? (record.message ?? words) : words };
}

/** Books have an amount without a word about the outcome where it was paid. */
function unsaidVerdict(
  { amount, decimal, message }: BookRow,
  isDecline: boolean,
  record: JsonObject,
): FieldVerdict {
  const saysPaid = message === undefined && (amount ?? decimal) !== undefined;
  if (!saysPaid || !isDecline) return 'same';
  return { field: 'message', file: null, gateway: record.message ?? 'Declined' };
}

function flagVerdict({ isActive: file }: BookRow, { record }: FoundRecord): FieldVerdict {
  const gateway = record.is_active;
  if (file === undefined || file === gateway) return 'same';
  return typeof gateway === 'boolean' ? { field: 'is_active', file, gateway } : 'unchecked';
}

/** @returns the days between the nearest dates; 0 for a row without dates; undefined if the record has none */
function daysBetween(
  { dates = [] }: BookRow,
  { record }: FoundRecord,
  zone: TimeZone,
): number | undefined {
  if (dates.length === 0) return 0;
  const days = [record.transaction_date, record.settlement_date].flatMap(
    (value) => dayOf(value, zone) ?? [],
  );
  const apart = dates.flatMap((date) => days.map((day) => dayNumber(date) - dayNumber(day)));
  const [nearest] = apart.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  return nearest;
}

/**
 * @param value a date of the gateway: ISO 8601, a day or an instant
 * @returns the day in the zone, `YYYY-MM-DD`; undefined if it is no date
 */
export function dayOf(value: Json | undefined, zone: TimeZone): string | undefined {
  const date = dateOrNull(value);
  if (date === null) return undefined;
  // A day without a time is that day in every zone.
  return /^\d{4}-\d\d-\d\d$/.test(date) ? date : zone.dayOf(Date.parse(date));
}
