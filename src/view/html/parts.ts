/**
 * Panels and tables of a page, from the descriptions that a terminal shows (`PanelContent`, `RecordView`). So a panel
 * or a column is described once.
 *
 * Names of records become links. A text that is longer than anybody reads is cut.
 *
 * Tests: test/unit/view/html/parts.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { Outcome } from '../../contract/normal.ts';
import { cut, toJson } from '../../host/redaction/safe.ts';
import {
  type Column,
  columnName,
  NO_VALUE,
  type PanelContent,
  type PanelLine,
  type PanelPart,
  type RecordView,
  shortId,
} from '../columns.ts';
import { inWords, otherRows, SIGNS } from '../panels/panel-rows.ts';
import { type Html, html } from './html.ts';

/** The most UTF-16 units of one text, and of one line of JSON. */
const MOST_TEXT = 1_000;
/** The most lines of a part in JSON. */
const MOST_LINES = 2_000;

/** @param path of the page of one record, which ends with the parameter that takes its name */
export type RecordPath = string;

/** @returns a link to the page of a record; the text alone for a name that no address takes */
function link(name: string, path: RecordPath, text = name): Html {
  if (name.length > MOST_TEXT) return html`${cut(text, MOST_TEXT)}`;
  return html`<a href="${path}${encodeURIComponent(name)}">${cut(text, MOST_TEXT)}</a>`;
}

/**
 * @param record the fields that the content leaves out are shown below its rows
 * @param level of the heading: 1 for the subject of the page, 2 for a part of it
 */
export function panelHtml(
  record: JsonObject,
  content: PanelContent,
  { path, level = 2 }: { path: RecordPath; level?: 1 | 2 },
): Html {
  const { outcome, head, title, rows, parts = [] } = content;
  const [first = '', ...others] = head.split(/ {2,}/);
  const heads = html`${outcome ? chipHtml(outcome, first) : headHtml(first)}${others.map((text) => html` ${headHtml(text)}`)}`;
  const name = title === undefined ? null : html`${cut(title, MOST_TEXT)}`;
  // The heading of a page is what a reader looks for first; a part of a page is called by its kind.
  const top =
    level === 1
      ? html`<h1 class="heads">${heads}</h1>${name && html`<p class="title">${name}</p>`}`
      : html`${name && html`<h2>${name}</h2>`}<p class="heads">${heads}</p>`;
  return html`<section class="card panel">${top}
${rowsHtml(rows, path)}${rowsHtml(otherRows(record, content), path)}${parts.map(partHtml)}</section>
`;
}

function headHtml(text: string): Html {
  return html`<span class="head">${cut(text, MOST_TEXT)}</span>`;
}

function rowsHtml(rows: readonly PanelLine[], path: RecordPath): Html | null {
  if (rows.length === 0) return null;
  const groups: { label: string; lines: PanelLine[] }[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && !row.label) last.lines.push(row);
    else groups.push({ label: row.label ?? '', lines: [row] });
  }
  return html`<dl>${groups.map(
    ({ label, lines }) =>
      html`<div><dt>${label}</dt>${lines.map((line) => lineHtml(line, path))}</div>`,
  )}</dl>
`;
}

function lineHtml(line: PanelLine, path: RecordPath): Html {
  const { outcome, age } = line;
  const text = cut(inWords(line, { blocks: true }), MOST_TEXT);
  const sign = outcome
    ? html`<span class="sign ${outcome}" aria-hidden="true">${SIGNS[outcome]}</span> `
    : null;
  const words = text.split(/ {2,}/).map((part, n) => {
    const linked = linkedText(part, line.name, path);
    return n === 0 ? linked : html` <span class="part">${linked}</span>`;
  });
  return html`<dd${outcome ? html` class="${outcome}"` : null}>${sign}${words}${age ? html` <span class="age">${age}</span>` : null}</dd>`;
}

/** @returns the text, in which the name of a record is a link */
function linkedText(text: string, name: string | undefined, path: RecordPath): Html {
  const at = name ? text.indexOf(name) : -1;
  if (!name || at < 0) return html`${text}`;
  return html`${text.slice(0, at)}${link(name, path)}${text.slice(at + name.length)}`;
}

function partHtml({ title, json }: PanelPart): Html {
  const lines = toJson(json, 2).split('\n');
  return html`<details><summary>${title}</summary><pre tabindex="0" aria-label="${title}">${linesHtml(lines)}</pre></details>`;
}

/** @returns a text of several lines, for a place that keeps them */
export function linesHtml(lines: readonly string[]): Html[] {
  return lines.slice(0, MOST_LINES).map((line) => html`${cut(line, MOST_TEXT)}${NEW_LINE}`);
}

/** A value of a template would be escaped. */
const NEW_LINE = html`
`;

/** A column with its cell in each row. */
interface Sized {
  column: Column;
  cells: readonly string[];
  /** The classes of its cells. */
  classes: string;
}

export interface TableOptions {
  path: RecordPath;
  zone: TimeZone;
  caption: string;
  /** Keeps columns without a value too: rows are added to the table later. */
  isWhole?: boolean;
}

/**
 * @param records in the form of the view
 * @param path of the page of the record in a row, to which the cell with its id leads
 * @returns a table without the columns that no record has a value for
 */
export function tableHtml(
  records: readonly JsonObject[],
  view: RecordView,
  { path, zone, caption, isWhole = false }: TableOptions,
): Html {
  const columns = view.columns
    .map(
      (column): Sized => ({
        column,
        classes: classOf(column),
        cells: records.map((record) => {
          const text = column.text(record);
          return text === undefined ? NO_VALUE : (column.shorten?.(text, zone) ?? text);
        }),
      }),
    )
    .filter(({ cells }) => isWhole || cells.some((cell) => cell !== NO_VALUE && cell !== ''));
  const rows = records.map((record, row) => {
    const look = view.outcome?.(record);
    const name = view.id(record);
    const cells = columns.map((sized) => cellHtml(sized, row, { path, name, look }));
    return html`<tr>${cells}</tr>
`;
  });
  const heads = columns.map(
    (one) => html`<th scope="col" class="${one.classes}">${one.column.header}</th>`,
  );
  const notes = columns.flatMap(({ column, cells }) => column.explain?.(cells) ?? []);
  return html`<div class="scroll"><table class="records"><caption>${caption}</caption><thead><tr>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>${[...new Set(notes)].map((note) => html`<p class="note">${note}</p>`)}
`;
}

function classOf(column: Column): string {
  const classes = [column.align === 'right' && 'number', column.isExtra && 'extra'];
  return [`c-${columnName(column)}`, ...classes].filter((name) => name).join(' ');
}

/** @param of the record in the row: the name by which it is found, and its outcome */
function cellHtml(
  sized: Sized,
  row: number,
  of: { path: RecordPath; name: string | undefined; look: Outcome | undefined },
): Html {
  const { column } = sized;
  const text = cut(sized.cells[row] ?? '', MOST_TEXT);
  const isNone = text === NO_VALUE;
  let shown = html`${text}`;
  const isName = of.name !== undefined && (column.header === 'id' || text === of.name);
  if (of.name && isName) shown = link(of.name, of.path, shortId(isNone ? of.name : text));
  else if (column.tinted && of.look && !isNone) shown = chipHtml(of.look, text);
  return html`<td class="${sized.classes}${isNone ? ' none' : ''}">${shown}</td>`;
}

/** @returns an outcome in words, with its sign and its colour */
function chipHtml(outcome: Outcome, text: string): Html {
  return html`<span class="chip ${outcome}"><span aria-hidden="true">${SIGNS[outcome]}</span>&nbsp;${cut(text, MOST_TEXT)}</span>`;
}
