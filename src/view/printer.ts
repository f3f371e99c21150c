/**
 * Prints records.
 *
 * A command adds records as they arrive and ends the printer after the last, also when it stops early: JSON is only
 * complete after `end`. Every format but the table writes each record at once and keeps nothing, so a list of any
 * length takes the same memory. A table needs all of its rows to know its widths.
 *
 * | format | a record becomes |
 * |---|---|
 * | table | a panel when it is the only one asked for (`single`), else a row; picked fields of one: a line each |
 * | tsv | a line, columns separated by tabs, the same on every line; `hasHeader` says whether there is a header |
 * | json | the one object when `single`, else an element of an array; `[]` when there are none |
 * | jsonl | one line of JSON |
 * | yaml | the one map when `single`, else an item of a sequence (see view/formats/yaml.ts) |
 * | csv | a row, the first one after a header (see view/formats/csv.ts) |
 * | id | a line with its id, or nothing when it has none |
 *
 * Picked fields hold the interface's values in every format; columns of a kind may be friendlier. Fields that are named
 * like secrets are hidden whatever the gateway sent (host/redaction/redact.ts).
 */
import type { JsonObject } from '../base/json.ts';
import { count, quantity } from '../base/text.ts';
import type { ListCounts } from '../contract/envelope.ts';
import type { RecordKind } from '../contract/record.ts';
import { usage } from '../failure.ts';
import type { Host, Output, PagedOutput } from '../host/host.ts';
import { timeZoneOf } from '../host/machine-zone.ts';
import { redactJson } from '../host/redaction/redact.ts';
import { neutralise, toJson } from '../host/redaction/safe.ts';
import { columnName, PLAIN_VIEW, pickedColumns, type RecordView } from './columns.ts';
import type { Filter } from './formats/jq.ts';
import { pickFields } from './picked-fields.ts';
import { VIEWS } from './records/gateway-records.ts';
import { flatten, textOf } from './values.ts';

export type Format = 'table' | 'json' | 'jsonl' | 'csv' | 'tsv' | 'yaml' | 'id';

export interface PrinterOptions {
  /** `usualFormat` if left out. */
  format?: Format | undefined;
  /** Dotted names, see parseFields; undefined for all fields or the kind's columns. */
  fields?: readonly string[] | undefined;
  /** The kind of the records, or a view for records that are not the interface's. */
  kind?: RecordKind | RecordView | undefined;
  /** true if the user asked for exactly one record. */
  single?: boolean | undefined;
  /** The jq expression that filters JSON. */
  filter?: Filter | undefined;
  /** Whether columns have names. By default CSV has them, and TSV if the view says so. */
  hasHeader?: boolean | undefined;
  /** true keeps a spreadsheet from reading a CSV cell as a formula. */
  hasNoFormulas?: boolean | undefined;
  /** true begins CSV with what Excel needs. */
  isForExcel?: boolean | undefined;
  /** The note if there are no rows: why, and which command changes that. */
  ifNone?: string | undefined;
  /** The zone of times in a table; this machine's if left out. */
  timeZone?: string | undefined;
  /** Tells this machine's zone, which is UTC if left out. */
  host?: Pick<Host, 'env' | 'stderr'> | undefined;
  /** Gets records and nothing else. */
  output: Output | PagedOutput;
  /** Gets notes about the records. */
  notes: Output;
  /** This machine's time. */
  now?: (() => Promise<Date>) | undefined;
  /** Called with each record before it is printed. */
  pass?: ((record: JsonObject) => void) | undefined;
}

export interface Printer {
  /**
   * @param record in normal form
   * @param kind set if records of several kinds are mixed
   */
  add(record: JsonObject, kind?: RecordKind | RecordView): Promise<void>;
  /** @param counts of a list: written to `notes` below a table; in other formats only if the list is incomplete */
  end(counts?: ListCounts): Promise<void>;
}

/** The part of a printer that differs by format. */
interface Sink {
  add(record: JsonObject, view: RecordView): Promise<void>;
  end?(): Promise<void>;
  /** Notes about the records, written at the end, each with its line end. */
  readonly notes?: readonly string[];
}

interface SinkOptions extends PrinterOptions {
  view: RecordView;
}

const SINKS: Readonly<Record<Format, (options: SinkOptions) => Sink>> = {
  table: tableSink,
  tsv: tsvSink,
  json: jsonSink,
  jsonl: jsonLinesSink,
  yaml: yamlSink,
  csv: csvSink,
  id: idSink,
};

/** @returns the format if the user names none */
export function usualFormat({ isTerminal }: Pick<Output, 'isTerminal'>): Format {
  return isTerminal ? 'table' : 'tsv';
}

/** @throws Failure usage if the options ask for something that the format cannot do */
export function createPrinter(options: PrinterOptions): Printer {
  const format = options.format ?? usualFormat(options.output);
  const view = toView(options.kind);
  refuseContradictions(format, options, view);
  const sink = SINKS[format]({ ...options, view });
  let printed = 0;
  return {
    add: async (record, kind) => {
      printed++;
      const own = kind === undefined ? view : toView(kind);
      options.pass?.(record);
      return sink.add(own.isPublished ? record : (redactJson(record) as JsonObject), own);
    },
    async end(counts) {
      await sink.end?.();
      if ('end' in options.output) await options.output.end();
      for (const note of sink.notes ?? []) await options.notes.write(note);
      const hasNone = printed === 0 && !(Number(counts?.total_records) > 0);
      if (hasNone && HEADED.includes(format) && options.ifNone !== undefined) {
        await options.notes.write(`${options.ifNone}\n`);
        return;
      }
      // A program that reads one page of several must not take it for all.
      if (!counts || (format !== 'table' && !isPart(counts, printed))) return;
      await options.notes.write(`${countsText(counts, printed, view)}\n`);
    },
  };
}

export function toView(kind: RecordKind | RecordView | undefined): RecordView {
  return typeof kind === 'string' ? VIEWS[kind] : (kind ?? PLAIN_VIEW);
}

function refuseContradictions(format: Format, options: PrinterOptions, view: RecordView): void {
  if (format === 'id' && view.hasNoIds)
    throw usage(
      'no-ids',
      '-o id prints ids, which the records of this command do not have.',
      `Choose another --output: ${FORMATS.filter((name) => name !== 'id').join(', ')}.`,
    );
  if (format === 'id' && options.fields) {
    throw usage(
      'fields-with-ids-only',
      '--fields cannot be used with -o id, which prints only ids.',
      'Leave --fields out, or choose another --output.',
    );
  }
  if (format !== 'csv' && options.hasNoFormulas) {
    throw usage(
      'formulas-in-csv-only',
      '--no-formulas works only with CSV.',
      'Add -o csv, or leave --no-formulas out.',
    );
  }
  if (options.filter && format !== 'json' && format !== 'jsonl') {
    throw usage(
      'jq-of-json-only',
      `--jq filters JSON and cannot be used with -o ${format}.`,
      'Leave -o out. Or use -o json for all records at once, or -o jsonl for one at a time.',
    );
  }
  if (options.hasHeader !== undefined && !HEADED.includes(format)) {
    throw usage(
      'header-in-rows-only',
      `--header and --no-header work with rows, which -o ${format} does not have.`,
      'Add -o tsv or -o csv, or leave the flag out.',
    );
  }
}

const FORMATS = Object.keys(SINKS);
const HEADED: readonly Format[] = ['table', 'csv', 'tsv'];

/** One JSON text: the object, or the array of all records. If jq filters it, it is kept until the last record. */
function jsonSink({ output, fields, single, filter }: SinkOptions): Sink {
  const kept: string[] = [];
  const write = async (text: string) => {
    if (filter) kept.push(text);
    else await output.write(text);
  };
  let printed = false;
  return {
    async add(record) {
      if (printed && single) throw new Error('A printer of a single record was given a second one');
      const before = printed ? ',\n' : '[\n';
      printed = true;
      const one = pickFields(record, fields);
      // The array with this one record, without its brackets, is the record as an element.
      const element = () => before + toJson([one], 2).slice('[\n'.length, -'\n]'.length);
      await write(single ? `${toJson(one, 2)}\n` : element());
    },
    async end() {
      if (!single) await write(printed ? '\n]\n' : '[]\n');
      if (filter) await writeFiltered(filter, kept, output);
    },
  };
}

function jsonLinesSink({ output, fields, filter }: SinkOptions): Sink {
  return {
    async add(record) {
      const line = `${toJson(pickFields(record, fields))}\n`;
      await (filter ? writeFiltered(filter, [line], output) : output.write(line));
    },
  };
}

async function writeFiltered(
  filter: Filter,
  json: readonly string[],
  output: Output,
): Promise<void> {
  const { filterJq } = await import('./formats/jq.ts');
  await filterJq(filter, json, (lines) => output.write(lines));
}

function yamlSink({ output, fields, single }: SinkOptions): Sink {
  let printed = false;
  return {
    async add(record) {
      const { toYaml } = await import('./formats/yaml.ts');
      const one = pickFields(record, fields);
      printed = true;
      await output.write(toYaml(single ? one : [one]));
    },
    end: async () => {
      if (!printed && !single) await output.write('[]\n');
    },
  };
}

function csvSink({
  output,
  fields,
  single,
  view: usual,
  hasNoFormulas = false,
  isForExcel = false,
  hasHeader = true,
  host,
  timeZone,
}: SinkOptions): Sink {
  const zone = isForExcel && host ? timeZoneOf(host, timeZone) : undefined;
  const writer = import('./formats/csv.ts').then(({ createCsvWriter }) =>
    createCsvWriter(fields, {
      ...{ hasNoFormulas, hasHeader, isForExcel },
      ...{ isSingle: single, env: host?.env, zone },
    }),
  );
  // The first `write` reports a failed load; until then nobody handles it.
  writer.catch(() => undefined);
  const said: string[] = [];
  return {
    notes: said,
    async add(record, view) {
      await output.write((await writer).write(record, view));
    },
    async end() {
      const { lost: unwritten, empty } = await writer;
      if (!single) await output.write(empty(usual));
      const lost = [...unwritten];
      if (lost.length === 0) return;
      const names = lost.slice(0, MAX_NAMED_FIELDS).map(neutralise).join(', ');
      said.push(
        `Warning: the CSV has no column for these fields of later records: ${names}${lost.length > MAX_NAMED_FIELDS ? ', …' : ''}\n`,
        'Name the columns with --fields, or use --output jsonl.\n',
      );
    },
  };
}

const MAX_NAMED_FIELDS = 10;

function idSink({ output }: SinkOptions): Sink {
  return {
    async add(record, view) {
      const id = view.id(record);
      if (id !== undefined) await output.write(`${neutralise(id)}\n`);
    },
  };
}

/** Names the columns again when records of another kind, with other columns, follow. */
function tsvSink({ output, fields, hasHeader, single, view: usual }: SinkOptions): Sink {
  const columns = fields && pickedColumns(fields);
  let headed = '';
  return {
    async add(record, view) {
      const shown = columns ?? view.columns;
      const values = shown.length > 0 ? [] : flatten(record);
      const names = [...shown.map(columnName), ...values.map(([name]) => name)];
      const header = lineOf(names);
      if ((hasHeader ?? (fields === undefined && view.hasHeader)) && header !== headed)
        await output.write(header);
      headed = header;
      const cells = [
        ...shown.map((column) => column.text(record)),
        ...values.map(([, value]) => textOf(value)),
      ];
      await output.write(lineOf(cells));
    },
    async end() {
      const names = (columns ?? usual.columns).map(columnName);
      if (headed === '' && hasHeader && !single && names.length > 0)
        await output.write(lineOf(names));
    },
  };
}

function lineOf(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell) => neutralise(cell ?? '')).join('\t')}\n`;
}

function tableSink(options: SinkOptions): Sink {
  const { output } = options;
  const rows: { record: JsonObject; view: RecordView }[] = [];
  const said: string[] = [];
  return {
    notes: said,
    async add(record, rowView) {
      rows.push({ record, view: rowView });
    },
    async end() {
      if (rows.length === 0) return;
      const { renderRows } = await import('./formats/rows.ts');
      const rendered = await renderRows(rows, options);
      await output.write(rendered.text);
      said.push(...rendered.notes.map((note) => `${note}\n`));
    },
  };
}

/**
 * @param shown number of records that were printed
 * @param view names the records: `plan`, `plans`
 * @returns for example `Page 2 of 7, 20 of 134 plans`, from the known counts
 */
export function countsText(
  counts: ListCounts,
  shown: number,
  { name, plural: names }: Pick<RecordView, 'name' | 'plural'>,
): string {
  const { current_page: page, pages, total_records: total } = counts;
  const what =
    total === undefined || total === shown
      ? quantity(shown, name, names)
      : `${count(shown)} of ${count(total)} ${names}`;
  if (page === undefined || (pages !== undefined && pages <= 1 && page <= 1)) return what;
  return `Page ${page}${pages === undefined ? '' : ` of ${pages}`}, ${what}`;
}

/** @returns whether a list certainly has more records than were printed */
export function isPart({ pages, total_records: total }: ListCounts, shown: number): boolean {
  return total === undefined ? pages !== undefined && pages > 1 : total > shown;
}
