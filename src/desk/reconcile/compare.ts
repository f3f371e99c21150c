/**
 * One row of the books against its record. What the row does not say is not compared; what the row
 * says and records of the kind never do (a refund's reference, section 2.4) is `unchecked`, unless this
 * machine knows it. A purchase or a refund that shows no amount, or no clear outcome, is no confirmation
 * of either: that differs.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { isSuccessful, isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { RowDifference } from '../../view/records/reconciled-row.ts';
import type { BookRow } from './book-row.ts';

/** A record of the gateway, and what this machine knows that the record does not say. */
export interface FoundRecord {
  kind: RecordKind;
  /** In normal form. */
  record: JsonObject;
  /** ISO 4217 code: the record's own, or that of the purchase that a refund is of. */
  currency: string | undefined;
  /** By which this machine knows it, where it was looked up by its id for that. */
  reference?: string | undefined;
}

export interface Comparison {
  differences: readonly RowDifference[];
  /** Fields that the row has and nothing can be compared with. */
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

/** Case and space around a text say nothing. */
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

/** The interface has a refund's amount below zero, some deployments and most books above. */
function amountVerdict({ amount: file }: BookRow, { kind, record }: FoundRecord): FieldVerdict {
  if (file === undefined) return 'same';
  if (kind === 'subscription') return 'unchecked';
  const gateway = record.amount ?? null;
  if (typeof gateway !== 'number') return { field: 'amount', file, gateway };
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
