/**
 * Compares one row of the books with its record. Missing fields of the row are not compared. A field that records of
 * the kind never have, such as a refund's reference (section 2.4), is `unchecked` unless this machine knows it. A
 * record without an amount or a clear outcome confirms neither, so it differs.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { amountOf, isSuccessful, isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { RecordKind } from '../../contract/record.ts';
import type { RowDifference } from '../../view/records/reconciled-row.ts';
import type { BookRow } from './book-row.ts';

/** A record of the gateway, and facts that only this machine knows. */
export interface FoundRecord {
  kind: RecordKind;
  /** In normal form. */
  record: JsonObject;
  /** ISO 4217 code: that of the record, or of the refunded purchase. */
  currency: string | undefined;
  /** The reference by which this machine found the id. */
  reference?: string | undefined;
}

export interface Comparison {
  differences: readonly RowDifference[];
  /** Fields of the row that cannot be compared. */
  unchecked: readonly string[];
}

/** The result for one field. */
type FieldVerdict = 'same' | 'unchecked' | RowDifference;

export function compareWithBooks(row: BookRow, found: FoundRecord): Comparison {
  const verdicts = [
    textVerdict('reference', row.reference, found.record.reference ?? found.reference),
    amountVerdict(row, found),
    textVerdict('currency', row.currency, found.currency),
    outcomeVerdict(row, found),
    textVerdict('message', row.message, found.record.message),
    flagVerdict(row, found),
  ];
  const said = [row.reference, row.amount, row.currency, row.outcome, row.message, row.isActive];
  const unchecked = verdicts.flatMap((verdict, i) =>
    verdict === 'unchecked' && said[i] !== undefined ? [fieldOf(row, i)] : [],
  );
  const differences = verdicts.filter((verdict) => typeof verdict === 'object');
  return { differences, unchecked };
}

const FIELDS = ['reference', 'amount', 'currency', 'successful', 'message', 'is_active'] as const;

function fieldOf({ outcome }: BookRow, place: number): string {
  const field = FIELDS[place] ?? '';
  return field === 'successful' ? (outcome?.field ?? field) : field;
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

/** The interface has negative amounts for refunds; some deployments and most books have positive ones. */
function amountVerdict({ amount, decimal }: BookRow, { kind, record }: FoundRecord): FieldVerdict {
  const file = amount ?? decimal;
  if (file === undefined) return 'same';
  if (kind === 'subscription') return 'unchecked';
  const gateway = amountOf(record);
  if (gateway === null || typeof file === 'string') return { field: 'amount', file, gateway };
  const isSame = kind === 'refund' ? Math.abs(file) === Math.abs(gateway) : file === gateway;
  return isSame ? 'same' : { field: 'amount', file, gateway };
}

function outcomeVerdict({ outcome }: BookRow, { kind, record }: FoundRecord): FieldVerdict {
  if (outcome === undefined) return 'same';
  if (kind === 'subscription') return 'unchecked';
  const found = outcomeOf(kind, record);
  if (outcome.isApproved ? found === 'approved' : isUnsuccessful(found)) return 'same';
  const { field, said: file } = outcome;
  if (found === 'unclear') return { field, file, gateway: null };
  if (typeof file === 'boolean') return { field, file, gateway: found === 'approved' };
  const words = isSuccessful(found) ? capitalised(found) : 'Declined';
  return { field, file, gateway: field === 'message' ? (record.message ?? words) : words };
}

function flagVerdict({ isActive: file }: BookRow, { record }: FoundRecord): FieldVerdict {
  const gateway = record.is_active;
  if (file === undefined || file === gateway) return 'same';
  return typeof gateway === 'boolean' ? { field: 'is_active', file, gateway } : 'unchecked';
}
