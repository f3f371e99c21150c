/**
 * Buttons of a page: a look-up, a receipt or a proposal. Each is a command of gw
 * (`typed.ts`), and none moves money.
 *
 * Tests: test/system/desk-commands.test.ts, test/system/desk.test.ts
 */
import { commandText } from '../../base/shell.ts';
import { lookUpOf } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { Failure, usage } from '../../failure.ts';
import { type Html, html } from '../../view/html/html.ts';
import { linesHtml } from '../../view/html/parts.ts';
import { type Desk, RECORD_PATH } from './desk.ts';
import type { Page } from './page-shell.ts';
import { commandHtml, copyButton } from './record-commands.ts';
import { printedBy, rowsOf } from './typed.ts';

/** The fields of a form as they arrived; an absent one is empty. */
export type Field = (name: string) => string;

/** @param hidden fields that nobody types @returns a form that asks for one of these */
export function actionForm(
  { token }: Desk,
  action: string,
  hidden: Readonly<Record<string, string>>,
  shown: Html,
): Html {
  const fields = Object.entries({ token, ...hidden });
  return html`<form class="fields" method="post" action="${action}">${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${shown}</form>`;
}

/**
 * Asks the gateway for a record, by the command that looks it up, so the ledger keeps the answer.
 * @returns the page, or the address of the record if there is nothing to say
 */
export async function lookUp(desk: Desk, field: Field): Promise<Page | string> {
  const operation = lookUpOf(field('kind') as RecordKind);
  const id = field('id');
  if (!operation || id === '')
    throw usage('id-invalid', 'This cannot be looked up.', 'Search for it, and open its page.');
  const { notes } = await rowsOf(desk, { id: operation.name.replace(' ', ':'), words: [id] });
  const location = `${RECORD_PATH}${encodeURIComponent(field('name'))}`;
  if (notes.length === 0) return location;
  const said = notes.map((note) => html`<p>${note}</p>`);
  const body = html`<section class="card alert" role="alert"><h1>Looked up</h1>${said}<p><a href="${location}">Show the record</a></p></section>`;
  return { title: 'Looked up', at: '/', body };
}

/** The lines of a receipt, to paste into a mail or to print. */
export async function receipt(desk: Desk, field: Field): Promise<Page> {
  const id = field('id');
  const { text, notes } = await printedBy(desk, { id: 'receipt', words: [id] });
  return {
    title: `Receipt ${id}`,
    at: '/',
    body: html`<section class="card"><h1>Receipt</h1><pre id="receipt" tabindex="0" aria-label="Receipt">${linesHtml(text.split('\n'))}</pre>${copyButton('receipt')}</section>
${notes.map((note) => html`<p class="note">${note}</p>`)}<p><a href="${RECORD_PATH}${encodeURIComponent(id)}">Back to the payment</a></p>
`,
  };
}

/** @param amount what is left, as a decimal; empty if it is not known @returns nothing unless the profile has the rule for two persons */
export function proposalForm(
  desk: Desk,
  { id, reference, currency, amount }: Record<'id' | 'reference' | 'currency' | 'amount', string>,
): Html | null {
  if (desk.profile.twoPersonsAbove === undefined) return null;
  const text = (name: string, label: string, value: string, more: Html | null = null) =>
    html`<label>${label}<input name="${name}" value="${value}" autocomplete="off" maxlength="500"${more}></label>`;
  const fields = html`${text('amount', `Amount${currency && `, ${currency}`}`, amount, html` required inputmode="decimal"`)}${text('reference', 'Reference', reference, html` required`)}${text('note', 'Why', '')}<button>Propose the refund</button>`;
  return html`<section class="card"><h2>Propose a refund</h2>${actionForm(desk, '/propose', { id, currency }, fields)}<p class="note">Nothing is sent. Another person approves it in the terminal.</p></section>
`;
}

/** @throws Failure guard unless the profile has the rule for two persons; and as `gw refund propose` */
export async function propose(desk: Desk, field: Field): Promise<Page> {
  const { name, twoPersonsAbove } = desk.profile;
  if (twoPersonsAbove === undefined)
    throw new Failure(
      'approval-required',
      `The desk proposes where another person approves, and the profile ${name} has no such rule.`,
      `\`gw profile set ${name} --two-persons-above 0.01\` sets it.`,
    );
  const given = {
    'decimal-amount': 'amount',
    currency: 'currency',
    reference: 'reference',
    note: 'note',
  };
  const flags = Object.entries(given).flatMap(([flag, from]) =>
    field(from) === '' ? [] : [`--${flag}=${field(from)}`],
  );
  const typed = { id: 'refund:propose', flags: ['--no-input', ...flags], words: [field('id')] };
  const {
    records: [proposal = {}],
    notes,
  } = await rowsOf(desk, typed);
  const command = commandText(['approve', String(proposal.code)], [['profile', name]]);
  return {
    title: 'Proposed',
    at: '/',
    body: html`<section class="card"><h1>Proposed: ${String(proposal.code)}</h1>${notes.map((note) => html`<p>${note}</p>`)}
<p>Give the other person this command:</p>${commandHtml(command ?? '', 'approve')}</section>
<p><a href="${RECORD_PATH}${encodeURIComponent(field('id'))}">Back to the payment</a></p>
`,
  };
}
