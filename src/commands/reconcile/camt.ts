/**
 * Reads a statement of ISO 20022 (camt.053, and the reports camt.052 and camt.054) as a table: a row for each payment.
 * An entry that books several payments at once has a row for each, if their amounts add up to it; otherwise the entry
 * is one row. An entry that reverses another one says itself on which side it is (`CdtDbtInd`). Pending entries are no
 * rows. `NOTPROVIDED` is no reference.
 *
 * Tests: test/unit/commands/reconcile/camt.test.ts
 */
import { childAt, childrenOf, type Element, elementsOf, textAt } from '../../base/xml.ts';
import { usage } from '../../failure.ts';
import type { TableLine } from '../../requests/batch/engine/rows.ts';
import type { Layout } from './layout.ts';

const NAMES = [
  'date',
  'value_date',
  'mark',
  'decimal_amount',
  'currency',
  'identification',
  'remittance',
  'information',
];
const STATEMENT = /<(?:\w+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)[\s>]/;
/** The most characters of a mistake in the file that are shown. */
const MAX_FAULT = 100;

/** @param name of the file, for messages. @throws Failure usage if the text is no statement */
export function camtLayout(text: string, name: string): Layout {
  const entries = entriesIn(text, name);
  const isPending = (entry: Element) =>
    /^(?:PDNG|INFO)$/.test(textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts'));
  const pending = entries.filter(isPending).map(({ line }) => line);
  return {
    header: { line: 0, cells: NAMES, delimiter: ',' },
    rows: entries.filter((entry) => !isPending(entry)).flatMap(rowsOf),
    skipped: pending.length > 0 ? [{ lines: pending, why: 'not booked' }] : [],
    isOwn: false,
  };
}

/** @returns the entries of all statements in the file */
function entriesIn(text: string, name: string): Element[] {
  let fault: string | undefined;
  try {
    if (STATEMENT.test(text)) return [...elementsOf(text, 'Ntry')];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    fault = error.message.split('\n', 1)[0]?.slice(0, MAX_FAULT);
  }
  throw usage(
    'books-format',
    fault === undefined
      ? `${name} is XML, but no statement of ISO 20022 (camt.053).`
      : `${name} is not valid XML: ${fault}.`,
    'Export the statement again, as camt.053 or as CSV.',
    { sent: false },
  );
}

function rowsOf(entry: Element): TableLine[] {
  const details = childrenOf(entry, 'NtryDtls').flatMap((one) => childrenOf(one, 'TxDtls'));
  const total = amountOf(entry);
  const amounts = details.map((detail) => amountOf(detail));
  const isSplit =
    details.length > 1 &&
    amounts.every(({ currency, value }) => currency === total.currency && value !== '') &&
    Math.abs(
      amounts.reduce((sum, { value }, n) => sum + signed(details[n], entry) * Number(value), 0) -
        signed(undefined, entry) * Number(total.value),
    ) < 0.000_01;
  if (!isSplit) return [rowOf(entry, details, total)];
  return details.map((detail, n) => rowOf(entry, [detail], amounts[n] ?? total));
}

/** @returns 1 for money that comes in, -1 for money that goes out, as the payment or else its entry says */
function signed(detail: Element | undefined, entry: Element): number {
  return sideOf(detail, entry) === 'CRDT' ? 1 : -1;
}

function sideOf(detail: Element | undefined, entry: Element): string {
  return (detail && textAt(detail, 'CdtDbtInd')) || textAt(entry, 'CdtDbtInd');
}

interface Amount {
  value: string;
  /** ISO 4217 code. */
  currency: string;
}

function amountOf(element: Element): Amount {
  const amount =
    childAt(element, 'Amt') ??
    childAt(element, 'AmtDtls', 'TxAmt', 'Amt') ??
    childAt(element, 'AmtDtls', 'InstdAmt', 'Amt');
  return { value: amount?.text.trim() ?? '', currency: amount?.attributes.Ccy ?? '' };
}

function rowOf(
  entry: Element,
  details: readonly Element[],
  { value, currency }: Amount,
): TableLine {
  const [only] = details.length === 1 ? details : [];
  const texts = (names: readonly string[]) =>
    [entry, ...details]
      .flatMap((element) => textsIn(element, names))
      .filter((text) => text !== 'NOTPROVIDED')
      .join(' ');
  return {
    line: only?.line ?? entry.line,
    cells: [
      dayAt(entry, 'BookgDt'),
      dayAt(entry, 'ValDt'),
      sideOf(only, entry) === 'CRDT' ? 'CR' : 'DR',
      value,
      currency,
      texts(['EndToEndId', 'InstrId', 'TxId', 'PmtInfId', 'ChqNb']),
      texts(['Ustrd', 'Ref', 'RfrdDocNb', 'Nb']),
      texts(['AddtlTxInf', 'AddtlNtryInf']),
    ],
  };
}

const dayAt = (entry: Element, name: string) =>
  (textAt(entry, name, 'Dt') || textAt(entry, name, 'DtTm')).slice(0, 10);

/** @returns the texts of all elements with these names inside, but not those of payments inside an entry */
function textsIn({ name: outer, children }: Element, names: readonly string[]): string[] {
  return children.flatMap((child) => {
    if (outer === 'NtryDtls' && child.name === 'TxDtls') return [];
    return names.includes(child.name) ? [child.text.trim()] : textsIn(child, names);
  });
}
