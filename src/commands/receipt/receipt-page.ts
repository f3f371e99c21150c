/** A receipt for people: lines for a mail, or one page of HTML that loads nothing. */
import type { TimeZone } from '../../base/time-zone.ts';
import { moneyText } from '../../contract/money.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type Html, html } from '../../view/html/html.ts';
import { documentOf } from '../../view/html/page.ts';
import { type Receipt, refundedOf } from './receipt.ts';

/** The most refunds on a page; the sum includes all. */
const MOST_REFUNDS = 12;

interface Page {
  merchant: string | null;
  title: string;
  /** A value of several lines belongs to one label. */
  rows: readonly (readonly [label: string, lines: readonly string[]])[];
  note: string | undefined;
}

const OUTCOMES: Readonly<Record<Receipt['outcome'], readonly [title: string, sentence: string]>> = {
  approved: ['Receipt', 'Paid.'],
  authorised: ['Payment authorised', 'Authorised. Nothing was taken yet.'],
  declined: ['Payment declined', 'Declined. Nothing was paid.'],
  voided: ['Payment voided', 'Voided. Nothing was paid.'],
  rejected: ['Payment not accepted', 'Not accepted. Nothing was paid.'],
  unclear: ['Payment not confirmed', 'It is not certain whether this was paid.'],
};

const TEST = 'This is a test payment: no money moved.';

function pageOf(receipt: Receipt, zone: TimeZone): Page {
  const { merchant, id, reference, outcome, amount, currency, refunds, left } = receipt;
  const { isTest, warning } = receipt;
  const [title, sentence] = OUTCOMES[outcome];
  const money = (minor: number) => moneyText(minor, currency);
  const row = (label: string, text: string | null | undefined) =>
    text ? [[label, [text]] as const] : [];
  const shown = refunds.slice(0, MOST_REFUNDS).map((refund) => {
    const named = refund.reference === null ? '' : `, ${refund.reference}`;
    return `${money(refund.amount)} on ${timeText(refund.date, zone).slice(0, 10)}${named}`;
  });
  const more = refunds.length - shown.length;
  const given = [money(refundedOf(receipt)), ...shown, ...(more > 0 ? [`and ${more} more`] : [])];
  return {
    merchant,
    title,
    rows: [
      ...row('Date', receipt.date && `${timeText(receipt.date, zone)} (${zone.name})`),
      ...row('Amount', amount === null ? null : money(amount)),
      ...row('Outcome', sentence),
      ...row('Paid by', receipt.payer),
      ...row('Card', cardText(receipt)),
      ...row('Reference', reference),
      ...row('Payment', id),
      ...(refunds.length > 0 ? [['Refunded', given] as const] : []),
      ...row('Left', refunds.length === 0 || left === null ? null : money(left)),
    ],
    note: [isTest ? TEST : [], warning ?? []].flat().join(' ') || undefined,
  };
}

function timeText(date: string, zone: TimeZone): string {
  const instant = Date.parse(date);
  return Number.isNaN(instant) ? date : zone.clockAt(instant);
}

function cardText({ cardBrand, lastFour }: Receipt): string | null {
  if (lastFour === null) return cardBrand;
  return `${cardBrand === null ? '' : `${cardBrand} `}ending in ${lastFour}`;
}

/** @returns lines, each with its end */
export function receiptText(receipt: Receipt, zone: TimeZone): string {
  const { merchant, title, rows, note } = pageOf(receipt, zone);
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, n) => (n === 0 ? label : '').padEnd(width) + neutralise(text)),
  );
  const heads = merchant === null ? [title] : [neutralise(merchant), title];
  const all = [...heads, '', ...lines, ...(note ? ['', note] : [])];
  return all.map((line) => `${line}\n`).join('');
}

/** @returns a document that has no script and asks for nothing */
export function receiptHtml(receipt: Receipt, zone: TimeZone): string {
  const { merchant, title, rows, note } = pageOf(receipt, zone);
  const lines = (texts: readonly string[]) =>
    texts.map((text, n) => (n === 0 ? html`${text}` : html`<br>${text}`));
  const body = html`<h1>${merchant ?? title}</h1>
${merchant && html`<h2>${title}</h2>`}
<table>
${rows.map(
  ([label, texts]) => html`<tr><th scope="row">${label}</th><td>${lines(texts)}</td></tr>
`,
)}</table>
${
  note
    ? html`<p>${note}</p>
`
    : null
}`;
  const heading = merchant === null ? title : `${title}: ${merchant}`;
  return documentOf({ title: heading, style: STYLE, body, schemes: 'light' });
}

const STYLE: Html = html`
@page { size: auto; margin: 20mm; }
body { font: 12pt/1.4 sans-serif; max-width: 36em; margin: 2em auto; color: #000; background: #fff; }
h1 { font-size: 1.4em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1em; margin: 0 0 1em; font-weight: normal; }
table { border-collapse: collapse; width: 100%; break-inside: avoid; }
th { text-align: left; vertical-align: top; font-weight: normal; padding: .2em 1.5em .2em 0; width: 7em; }
td { padding: .2em 0; overflow-wrap: anywhere; }
@media print { body { margin: 0; } }
`;
