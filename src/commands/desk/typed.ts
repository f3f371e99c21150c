/**
 * Runs a command of gw for a page, in this process, as if it were typed. So a page does nothing that no command does, and
 * every rule holds there.
 *
 * Tests: test/system/desk-commands.test.ts
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import { callHost } from '../../cli/dispatch/call-host.ts';
import { loadCommand, runWords } from '../../cli/dispatch/program.ts';
import { writtenJson } from '../../contract/envelope.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import type { RecordView } from '../../view/columns.ts';
import { type Html, html } from '../../view/html/html.ts';
import { panelHtml, tableHtml } from '../../view/html/parts.ts';
import { type Desk, RECORD_PATH, REPORT_PATH } from './desk.ts';

/** The most rows of a page. */
const MOST_ROWS = 1_000;

/** A command as it is typed. */
export interface Typed {
  /** `refund:propose` */
  id: string;
  /** Each with its value: `--amount=1000`. */
  flags?: readonly string[];
  /** Words that people gave: none of them becomes a flag. */
  words: readonly string[];
  /** false for a command that takes no profile. */
  takesProfile?: boolean;
}

/** @returns what it printed, and what it said beside that, a sentence each. @throws Failure as the command */
export async function printedBy(
  { context, profile, program }: Desk,
  { id, flags = [], words, takesProfile = true }: Typed,
): Promise<{ text: string; notes: string[] }> {
  const texts: string[] = [];
  const notes: string[] = [];
  const taken = {
    rows: (text: string) => texts.push(text),
    notes: (text: string) => notes.push(...text.split('\n').filter((line) => line.trim() !== '')),
  };
  const host = callHost(context.host, taken, context.host.interrupted);
  const own = takesProfile ? [`--profile=${profile.name}`] : [];
  const all = [...own, ...flags, '--', ...words];
  context.redactor.addCardNumbersOf(all);
  await runWords({ ...context, host }, program, id, all);
  return { text: texts.join(''), notes };
}

/** @returns the rows of a command, for a page, and its notes. @throws Failure as the command */
export async function rowsOf(
  desk: Desk,
  { flags = [], ...typed }: Typed,
): Promise<{ records: JsonObject[]; notes: string[] }> {
  const { text, notes } = await printedBy(desk, { ...typed, flags: ['--output=jsonl', ...flags] });
  const lines = text.split('\n').filter((line) => line !== '');
  const records = lines.slice(0, MOST_ROWS).map((line) => writtenJson(line) ?? null);
  const left = lines.length - records.length;
  const more = left > 0 ? [`${left} more rows are not shown. The command prints all.`] : [];
  return {
    records: records.filter(isObject).map((record) => desk.tokens.record(record)),
    notes: [...notes, ...more],
  };
}

/** @returns what a command prints, in its own view, with its notes: a panel for one record that has one, or a table */
export async function shownRows(desk: Desk, typed: Typed): Promise<Html> {
  const { records, notes } = await rowsOf(desk, typed);
  const view = loadCommand(desk.program, typed.id).prints as RecordView;
  const { host } = desk.context;
  const [first, second] = records;
  const panel = first && !second ? await view.panel?.(first, host.clock.now()) : undefined;
  const options = { path: RECORD_PATH, zone: timeZoneOf(host, undefined), caption: '' };
  const rows =
    first && panel
      ? panelHtml(first, panel, { path: RECORD_PATH, level: 1 })
      : html`<section class="card">${first ? tableHtml(records, view, options) : html`<p>Nothing.</p>`}</section>`;
  return html`${rows}${notes.map((note) => html`<p class="note">${linkedReports(note)}</p>`)}
`;
}

/** @returns the text, in which the command of a report leads to its page */
export function linkedReports(text: string): Html[] {
  return text.split(/`?(gw report [\w -]*\w)`?/).map((part, n) => {
    if (n % 2 === 0) return html`${part}`;
    return html`<a href="${REPORT_PATH}${encodeURIComponent(part.slice('gw report '.length))}">${part}</a>`;
  });
}
