/**
 * Turns the output options of the user into a printer of records.
 *
 * Tests: test/unit/requests/look-up/get-many.test.ts, test/unit/events/event.test.ts,
 * test/scripts/output/formats.script
 */
import type { JsonObject } from '../base/json.ts';
import { quantity } from '../base/text.ts';
import type { RecordKind } from '../contract/record.ts';
import { fileExists } from '../failure.ts';
import type { Host } from '../host/host.ts';
import { timeZoneOf } from '../host/machine-zone.ts';
import { note } from '../host/note.ts';
import { redactJson } from '../host/redaction/redact.ts';
import { namedFields, pickedColumns, type RecordView } from './columns.ts';
import type { Filter } from './formats/jq.ts';
import { parseFields } from './picked-fields.ts';
import { createPrinter, type Format, type Printer, toView, usualFormat } from './printer.ts';
import { VIEWS } from './records/gateway-records.ts';
import { decimalNameOf } from './values.ts';

/** The user's choices for printing records. */
export interface OutputOptions {
  /** The format that the user named. Errors follow it. */
  readonly format: Format | undefined;
  /** Names of fields, separated by commas. */
  readonly fields: string | undefined;
  /** A jq expression. */
  readonly jq: string | undefined;
  /** Whether TSV and CSV begin with the names of their columns; undefined for the format's default. */
  readonly hasHeader: boolean | undefined;
  /** Whether CSV cells that a spreadsheet would run are marked. */
  readonly hasNoFormulas: boolean;
  /** true if CSV begins with what Excel needs; false if left out. */
  readonly isForExcel?: boolean;
  /** Path of the workbook to write, which must not exist yet; undefined for stdout. */
  readonly workbook?: string | undefined;
  /** The page to write in place of rows: its path, `-` for stdout. */
  readonly page?: string | undefined;
  /** The zone of times, in tables and as users type them; this machine's if undefined. */
  readonly timeZone?: string | undefined;
  /** true if the user wants no pager. */
  readonly isUnpaged: boolean;
}

export interface PrintOptions {
  /** The kind of the records; undefined for records that are not the gateway's. */
  kind?: RecordKind | RecordView;
  /** true if records of any kind of the gateway may be among them. */
  isMixed?: boolean;
  /** true if the user asked for exactly one record. */
  isSingle?: boolean;
  /** The note if there are no rows: why, and which command changes that. */
  ifNone?: string | undefined;
  /** true if the output must not be paged: it reports money that moved, or it goes on. */
  isUnpaged?: boolean;
  /** By whose clock a panel says what expires soon; this machine's if left out. */
  now?: () => Promise<Date>;
  /** true if results of requests in flight are still printed after the first interrupt: only the second one ends jq. */
  isSeenThrough?: boolean;
}

/** @returns the format of records; undefined for the default of the output */
export function formatOf({ format, jq }: OutputOptions): Format | undefined {
  return format ?? (jq === undefined ? undefined : 'json');
}

/** The parts of the host that printing records touches. */
export type PrintHost = Pick<
  Host,
  'clock' | 'env' | 'interrupted' | 'jq' | 'paged' | 'pass' | 'stderr' | 'stdout'
>;

/** @returns whether records are printed as a table */
export function isTable({ stdout }: Pick<Host, 'stdout'>, output: OutputOptions): boolean {
  return (formatOf(output) ?? usualFormat(stdout)) === 'table';
}

/** @returns whether a format shows a record whole, nested values included; in others it is a row or an id */
export function showsWholeRecords(format: Format | undefined): boolean {
  return format === 'json' || format === 'jsonl' || format === 'yaml';
}

/** @returns the filter for JSON, if `--jq` was given; the first interrupt ends it */
export function filterOf(
  { jq, interrupted, stderr }: Pick<Host, 'jq' | 'interrupted' | 'stderr'>,
  { jq: expression }: OutputOptions,
): Filter | undefined {
  return expression === undefined ? undefined : { expression, jq, interrupted, stderr };
}

/** @throws Failure usage if the options contradict each other, or name a field that does not exist */
export function openPrinter(
  host: PrintHost,
  output: OutputOptions,
  options: PrintOptions,
): Printer {
  const { kind, isSingle = false, ifNone } = options;
  const { isUnpaged = false, isSeenThrough = false } = options;
  const filter = filterOf(host, output);
  const fields = pickedFields(output, options);
  return createPrinter({
    format: formatOf(output),
    fields,
    filter: isSeenThrough && filter ? { ...filter, interrupted: undefined } : filter,
    hasHeader: output.hasHeader,
    hasNoFormulas: output.hasNoFormulas,
    isForExcel: output.isForExcel,
    timeZone: output.timeZone,
    host,
    kind,
    ifNone,
    single: isSingle,
    output: (isUnpaged || output.isUnpaged ? undefined : host.paged()) ?? host.stdout,
    notes: host.stderr,
    now: options.now ?? (async () => host.clock.now()),
    pass: host.pass,
  });
}

/** @returns whether the rows are for a spreadsheet, which has money as decimals alone */
export function isSheet({ isForExcel = false, workbook }: OutputOptions): boolean {
  return isForExcel || workbook !== undefined;
}

/** @returns whether people will add up the columns: then a row of totals among the others would count twice */
export function isAddedUp(output: OutputOptions): boolean {
  return isSheet(output) || output.format === 'csv';
}

/** @throws Failure usage if a name is no field @returns the fields of `--fields`; undefined without it */
function pickedFields(
  output: OutputOptions,
  { kind, isMixed = false }: PrintOptions,
): string[] | undefined {
  const { fields } = output;
  if (fields === undefined) return undefined;
  const view = toView(kind);
  const others = isMixed ? Object.values(VIEWS) : [];
  const mayHave = [...(view.mayHave ?? []), ...others.flatMap((other) => other.fields)];
  const picked = parseFields(fields, { ...view, mayHave });
  return isSheet(output) ? withoutMinorUnits(picked) : picked;
}

/**
 * @returns a printer of rows, or one that collects them for the workbook that the user asked for
 * @throws Failure usage if the options contradict each other, or name a field that does not exist; at the end, if the
 *   file exists or cannot be written
 */
export function openRows(
  host: PrintHost & Pick<Host, 'files'>,
  output: OutputOptions,
  kind: RecordView,
): Printer {
  const { workbook } = output;
  if (workbook === undefined) return openPrinter(host, output, { kind });
  // An existing file is refused before the rows are read, which takes a while.
  if (host.files.size(workbook) > 0) throw fileExists(workbook);
  const picked = pickedFields(output, { kind });
  const names = picked ?? withoutMinorUnits(namedFields(kind));
  const shown: JsonObject[] = [];
  return {
    async add(record) {
      shown.push(redactJson(record) as JsonObject);
    },
    async end() {
      const { workbookOf } = await import('./formats/workbook.ts');
      const zone = timeZoneOf(host, output.timeZone);
      const sheet = { names, hasEmpty: picked !== undefined || !kind.omitsEmpty, zone };
      host.files.writeNew(workbook, await workbookOf(shown, sheet, kind));
      const rows = quantity(shown.length, kind.name, kind.plural);
      await note(host.stderr, `Wrote ${rows} to ${workbook}.`);
    },
  };
}

/** The head and the foot of a page: whoever adds the rows fills them in before the end. */
export interface PageText {
  title: string;
  merchant: string | null;
  /** Sentences about the rows. */
  notes: readonly string[];
}

/**
 * @returns a printer that collects rows for a page, which replaces an older one; undefined if the user asked for none
 * @throws Failure usage if a field does not exist; at the end, if the file cannot be written
 */
export function openPage(
  host: Pick<Host, 'env' | 'files' | 'stderr' | 'stdout'>,
  output: OutputOptions,
  kind: RecordView,
  said: PageText,
): Printer | undefined {
  const { page } = output;
  if (page === undefined) return undefined;
  const picked = pickedFields(output, { kind });
  const shown: JsonObject[] = [];
  return {
    async add(record) {
      shown.push(redactJson(record) as JsonObject);
    },
    async end() {
      const { rowsPage } = await import('./formats/rows-page.ts');
      const columns = picked ? pickedColumns(picked) : kind.columns;
      const zone = timeZoneOf(host, output.timeZone);
      const written = rowsPage(shown, { ...said, columns, zone });
      if (page === '-') return host.stdout.write(written);
      host.files.writePrivate(page, written);
      const rows = quantity(shown.length, kind.name, kind.plural);
      await note(host.stderr, `Wrote ${rows} to ${page}. Open it in a browser.`);
    },
  };
}

/** @returns the names with decimals in the place of amounts, since people add up the first column of money */
function withoutMinorUnits(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => decimalNameOf(name) ?? name))];
}

/** Writes finished text to stdout, through a pager if it is longer than a screen. */
export async function writePaged(
  host: Pick<Host, 'stdout' | 'paged'>,
  { isUnpaged }: OutputOptions,
  text: string,
): Promise<void> {
  const paged = isUnpaged ? undefined : host.paged();
  await (paged ?? host.stdout).write(text);
  await paged?.end();
}

/** Prints records that are all there already. */
export async function printRecords(
  host: PrintHost,
  output: OutputOptions,
  records: readonly JsonObject[],
  options: PrintOptions,
): Promise<void> {
  const printer = openPrinter(host, output, options);
  for (const record of records) await printer.add(record);
  await printer.end();
}
