/**
 * Reads a statement of ISO 20022 (camt.053, and the reports camt.052 and camt.054) as a table: a row for each payment.
 * An entry that books several payments at once has a row for each, if their amounts add up to it; otherwise the entry
 * is one row. An entry that reverses another one says itself on which side it is (`CdtDbtInd`). Pending entries are no
 * rows. `NOTPROVIDED` is no reference.
 *
 * Tests: test/unit/commands/reconcile/camt.test.ts
 */
import { parser as parserOfXml } from 'sax';
import { usage } from '../../failure.ts';
import type { TableLine } from '../../requests/batch/engine/rows.ts';
import type { Layout } from './layout.ts';

/** An element, with its name without a prefix. */
interface Element {
  name: string;
  line: number;
  text: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
}

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
  const parser = parserOfXml(true);
  const entries: Element[] = [];
  const open: Element[] = [];
  let isStatement = false;
  let fault: string | undefined;
  parser.onerror = ({ message }) => {
    fault ??= message.split('\n', 1)[0]?.slice(0, MAX_FAULT);
    // The parser throws the error again unless somebody takes it.
    parser.resume();
  };
  parser.onopentag = ({ name: tag, attributes }) => {
    const local = tag.split(':').at(-1) ?? tag;
    isStatement ||= /^BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)$/.test(local);
    const isEntry = local === 'Ntry' && open.length === 0;
    if (!isEntry && open.length === 0) return;
    const texts = attributes as Record<string, string>;
    const line = parser.line + 1;
    const element = { name: local, line, text: '', attributes: texts, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const element = open.pop();
    if (element && open.length === 0) entries.push(element);
  };
  parser.write(text).close();
  if (fault === undefined && isStatement) return entries;
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
  const details = all(entry, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'));
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
    at(element, 'Amt') ??
    at(element, 'AmtDtls', 'TxAmt', 'Amt') ??
    at(element, 'AmtDtls', 'InstdAmt', 'Amt');
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

const all = ({ children }: Element, name: string) =>
  children.filter((child) => child.name === name);

function at(element: Element, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((one, name) => one && all(one, name)[0], element);
}

const textAt = (element: Element, ...path: readonly string[]) =>
  at(element, ...path)?.text.trim() ?? '';
