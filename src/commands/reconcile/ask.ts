/**
 * Looks up one row of the books at the gateway, by the name in the row. If the gateway does not know that name, gw uses
 * the id that this ledger has for it. A row without a name may have one in its texts, which only this ledger can tell.
 * The interface looks purchases and refunds up by id (section 4). Some deployments look purchases up by reference too,
 * and none looks refunds up by their reference.
 */
import { quotedText } from '../../base/shell.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { isUnsuccessful } from '../../contract/normal.ts';
import { lookUpOf } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { Failure, invariant, usage } from '../../failure.ts';
import { fold } from '../../things/normalise.ts';
import { type BookRow, isNegative, nameOf, RECONCILED_KINDS } from './book-row.ts';
import type { ComparisonRules, FoundRecord } from './compare.ts';
import type { NamedRecord } from './known-names.ts';
import { oneOfSeveral } from './one-of-several.ts';

/** The connection and the ledger for look-ups. */
export interface LookUpContext {
  /** They tell which of several records a row means. */
  rules: Pick<ComparisonRules, 'zone' | 'withinDays'>;
  /** @throws Failure like a look-up */
  lookUp(kind: RecordKind, name: string): Promise<Reply>;
  /** @returns records of the account that this machine knows by an id or a reference */
  called(name: string): Promise<NamedRecord[]>;
  /** @returns for each name in the texts, the records of the account that this machine knows by it */
  named(texts: readonly string[]): Promise<(readonly NamedRecord[])[]>;
  /** @returns the refunds of a purchase, by its id, that this machine knows */
  refundsOf(purchase: string): Promise<readonly NamedRecord[]>;
  /** @returns the currency of the refunded purchase, if it is known */
  refundCurrency(refund: string): Promise<string | undefined>;
}

interface RecordName {
  kind: RecordKind;
  name: string;
  /** The name by which this machine knows it. */
  reference?: string | undefined;
}

/**
 * @returns the record, or undefined if there is none
 * @throws Failure if gw could not find out
 */
export async function ask(desk: LookUpContext, row: BookRow): Promise<FoundRecord | undefined> {
  const name = nameOf(row);
  if (name === '') return askByTexts(desk, row);
  refuseOtherKind(row, name);
  const meant = meantBy(row, await withRefunds(desk, row, await desk.called(name)));
  // The gateway tells its newest record of a reference, and the row may mean another one.
  const chosen = await chosenOf(desk, row, meant);
  if (chosen) return chosen;
  const isRefund = isOut(row) && meant.some(({ kind }) => kind === 'refund');
  const first = isRefund ? undefined : firstOf(row, name);
  const { found, refused } = first ? await tryOne(desk, first, row) : NOTHING;
  if (found) return found;
  const known = oneOf(meant, name);
  const isTried = known?.kind === first?.kind && known?.name === first?.name;
  if (known && !isTried) return foundBy(desk, row, known);
  // The row may stand on the wrong side.
  const isOther = !first && row.side !== undefined;
  const other = isOther ? await tryOne(desk, { kind: 'purchase', name }, row) : NOTHING;
  const byText = other.found ?? (await askByTexts(desk, row));
  if (byText) return byText;
  const fault = refused ?? other.refused;
  if (fault) throw fault;
  return undefined;
}

function refuseOtherKind({ kind }: BookRow, name: string): void {
  if (kind === undefined || isReconciled(kind)) return;
  const what = `${name} is the id of a ${kind}, but books have only purchases, refunds and subscriptions.`;
  throw usage('kind-not-reconciled', what, 'Remove the row, or correct its id.');
}

/** @returns the record of a reference of several, if the row tells which */
async function chosenOf(
  desk: LookUpContext,
  row: BookRow,
  meant: readonly NamedRecord[],
): Promise<FoundRecord | undefined> {
  const isAny = meant.length > 1 && (row.id === undefined || isOut(row));
  const record = isAny ? oneOfSeveral(row, meant, desk.rules) : undefined;
  return record && foundBy(desk, row, nameOfRecord(record));
}

/** @param known a record of this machine, which has a reference of its own if the row names its purchase */
async function foundBy(
  desk: LookUpContext,
  row: BookRow,
  known: RecordName,
): Promise<FoundRecord | undefined> {
  const { found } = await tryOne(desk, known, row);
  const isByOther = known.kind === 'refund' && ![known.name, known.reference].includes(nameOf(row));
  return found && { ...found, reference: known.reference, ...(isByOther && { isByOther }) };
}

/**
 * Processors give a refund the reference or the id of its purchase.
 * @returns the records; for a row of money that goes out, with the refunds of the purchases among them
 */
async function withRefunds(
  desk: LookUpContext,
  row: BookRow,
  records: readonly NamedRecord[],
): Promise<readonly NamedRecord[]> {
  if (!isOut(row)) return records;
  const purchases = new Set(records.filter(({ kind }) => kind === 'purchase').map(({ id }) => id));
  const refunds = await Promise.all([...purchases].map((id) => desk.refundsOf(id)));
  const ids = new Set(records.map(({ id }) => id));
  return [...records, ...refunds.flat().filter(({ id }) => !ids.has(id))];
}

/** A bank's reference often has a name among other words. An id tells more than the reference beside it. */
async function askByTexts(desk: LookUpContext, row: BookRow): Promise<FoundRecord | undefined> {
  const { id, reference = '', texts = [] } = row;
  const written = [...(/\s/.test(reference) ? [reference] : []), ...texts];
  if (id !== undefined || written.length === 0) return undefined;
  const records = await Promise.all(
    (await desk.named(written)).map((each) => withRefunds(desk, row, each)),
  );
  const named = records.flatMap((each) => meantBy(row, each));
  const whole = fold(written.join(' '));
  const byId = named.filter((record) => whole.includes(fold(record.id)));
  const meant = byId.length > 0 ? byId : named;
  const one = oneOfSeveral(row, meant, desk.rules);
  const known = oneOf(one ? [one] : meant, written.map(quotedText).join(', '));
  if (!known) return undefined;
  const { found } = await tryOne(desk, known, row);
  return found && { ...found, reference: known.reference, isByOther: true };
}

interface LookUpAttempt {
  found?: FoundRecord;
  /** Some gateways refuse a look-up of a text that is not an id. */
  refused?: Failure;
}

const NOTHING: LookUpAttempt = {};

async function tryOne(
  desk: LookUpContext,
  { kind, name }: RecordName,
  row: BookRow,
): Promise<LookUpAttempt> {
  try {
    const { records } = await desk.lookUp(kind, name);
    const [record] = records;
    invariant(record, 'a look-up that succeeded has a record');
    return { found: { kind, record, currency: await currencyOf(desk, kind, record) } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'notFound') return NOTHING;
    if (error.kind === 'rejected' && row.kind === undefined) return { refused: error };
    throw error;
  }
}

async function currencyOf(
  desk: LookUpContext,
  kind: RecordKind,
  { currency, id }: Reply['records'][0],
) {
  if (typeof currency === 'string' && currency !== '') return currency;
  return kind === 'refund' && typeof id === 'string' ? desk.refundCurrency(id) : undefined;
}

/** A row with a negative amount is a refund, and refunds cannot be looked up by reference. */
function firstOf(row: BookRow, name: string): RecordName | undefined {
  const { kind } = row;
  if (kind === undefined && isNegative(row)) return undefined;
  return { kind: kind ?? 'purchase', name };
}

/** @returns the records of one name that the row may mean */
function meantBy(row: BookRow, named: readonly NamedRecord[]): readonly NamedRecord[] {
  const isOutgoing = isOut(row);
  // A bank's side may be wrong, and only then is money that goes out a purchase.
  const ofKind = row.kind ?? (isOutgoing && row.side === undefined ? 'refund' : undefined);
  const wanted = isOutgoing && ofKind === 'purchase' ? undefined : ofKind;
  const fitting = named.filter(
    ({ kind }) => isReconciled(kind) && (wanted === undefined || kind === wanted),
  );
  // A declined or rejected purchase is often followed by an approved one.
  const approved = fitting.filter(({ outcome }) => !isUnsuccessful(outcome));
  const meant = approved.length > 0 ? approved : fitting;
  // Merchants give a refund the reference of its purchase.
  const ofSign = meant.filter(({ kind }) => kind === (isOutgoing ? 'refund' : 'purchase'));
  return ofSign.length > 0 ? ofSign : meant;
}

const isOut = (row: BookRow) => row.kind === 'refund' || isNegative(row);

/** @throws Failure usage if there are several records */
function oneOf(meant: readonly NamedRecord[], name: string): RecordName | undefined {
  const records = new Map(meant.map((record) => [`${record.kind} ${record.id}`, record]));
  if (records.size > 1) {
    const ids = [...records.values()].map(({ id }) => id).join(', ');
    throw usage(
      'reference-ambiguous',
      `${name} names several records here: ${ids}.`,
      'Use the id of the one you mean.',
    );
  }
  const [record] = records.values();
  return record && nameOfRecord(record);
}

function nameOfRecord({ kind, id, reference }: NamedRecord): RecordName {
  return { kind: kind as RecordKind, name: id, reference: reference ?? undefined };
}

function isReconciled(kind: string): boolean {
  return (RECONCILED_KINDS as readonly string[]).includes(kind);
}

/** @returns the operation that looks this kind up */
export function lookUpOperation(kind: RecordKind) {
  const operation = lookUpOf(kind);
  invariant(operation, `a ${kind} is looked up`);
  return operation;
}
