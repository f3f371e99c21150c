/**
 * The rows of a report as a page to print or to send, with the columns that a table has and the lines that stand on
 * stderr.
 *
 * Tests: test/scripts/commands/report-customer.script
 */
import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { Column } from '../columns.ts';
import { html } from '../html/html.ts';
import { pageOf } from '../html/page.ts';

export interface RowsPage {
  title: string;
  /** The merchant's name; null if it is not known. */
  merchant: string | null;
  columns: readonly Column[];
  /** Sentences about the rows. */
  notes: readonly string[];
  /** The zone of times. */
  zone: TimeZone;
}

/** @returns the whole document; a column without any value is left out */
export function rowsPage(
  records: readonly JsonObject[],
  { title, merchant, columns, notes, zone }: RowsPage,
): string {
  const cellsOf = ({ text, shorten }: Column) =>
    records.map((record) => {
      const said = text(record) ?? '';
      return shorten?.(said, zone) ?? said;
    });
  const filled = columns
    .map((column) => ({ column, cells: cellsOf(column) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const looks = ({ align }: Column) => (align === 'right' ? 'number' : '');
  const head = filled.map(
    ({ column }) => html`<th class="${looks(column)}">${capitalised(column.header)}</th>`,
  );
  const rows = records.map(
    (_, n) =>
      html`<tr>${filled.map(({ column, cells }) => html`<td class="${looks(column)}">${cells[n] ?? ''}</td>`)}</tr>
`,
  );
  const [span, ...others] = notes;
  const body = html`<header><h1>${title}</h1>${merchant && html`<p>${merchant}</p>`}<p>${span ?? ''}</p></header>
<main><section><table><thead><tr>${head}</tr></thead>
<tbody>${rows}</tbody></table></section></main>
<footer>${others.map((note) => html`<p>${note}</p>`)}</footer>`;
  return pageOf(merchant === null ? title : `${merchant}: ${title}`, body);
}
