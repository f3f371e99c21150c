/**
 * Records in, text out.
 *
 * A command adds records as they arrive and ends the printer when there are no more, also when it
 * stops early: JSON is only whole after `end`. Every format but the table writes a record as soon as
 * it has it and keeps nothing, so that a list of any length takes the same memory. A table needs all
 * of its rows to know its widths.
 *
 * | format | a record becomes |
 * |---|---|
 * | table | a card when it is the only one asked for (`single`), else a row; picked fields of one: a line each |
 * | text | one line, columns separated by tabs, without a header; the same columns on every line |
 * | json | the one object when `single`, else an element of an array; `[]` when there are none |
 * | jsonl | one line of JSON |
 * | csv | a row, the first one after a header (see csv.ts) |
 * | id | a line with its id, or nothing when it has none |
 *
 * Picked fields hold the interface's values in every format; columns of a kind may be friendlier.
 * Fields that are named like secrets are hidden whatever the gateway sent (redaction/redact.ts).
 *
 * This folder turns records and errors into text; records/ has what each kind looks like.
 */
import type { JsonObject } from '../base/json.ts';
import type { ListCounts } from '../contract/envelope.ts';
import type { RecordKind } from '../contract/record-id.ts';
import { usage } from '../failure.ts';
import type { Output, PagedOutput } from '../host/host.ts';
import { redactJson } from '../redaction/redact.ts';
import { neutralise, toJson } from '../redaction/safe.ts';
import { PLAIN_VIEW, pickedColumns, type RecordView } from './columns.ts';
import { countsText, isPart } from './counts.ts';
import { pickFields } from './picked-fields.ts';
import { VIEWS } from './records/gateway-records.ts';
import { flatten, textOf } from './values.ts';

export type Format = 'table' | 'json' | 'jsonl' | 'csv' | 'id' | 'text';

export interface PrinterOptions {
  /** Without one: a table on a terminal, text in a pipe. */
  format?: Format | undefined;
  /** Dotted names, see parseFields; all fields or the kind's columns when there are none. */
  fields?: readonly string[] | undefined;
  /** Kind of the records; a view for records that are not the interface's. */
  kind?: RecordKind | RecordView | undefined;
  /** true when the user asked for exactly one record. */
  single?: boolean | undefined;
  /** true keeps a spreadsheet from taking a cell of CSV for a formula. */
  hasNoFormulas?: boolean | undefined;
  /** Takes records and nothing else. */
  output: Output | PagedOutput;
  /** Takes what is said about them. */
  notes: Output;
  /** This machine's time. */
  now?: Date | undefined;
}

export interface Printer {
  /**
   * @param record in normal form
   * @param kind where records of several kinds are mixed
   */
  add(record: JsonObject, kind?: RecordKind | RecordView): Promise<void>;
  /** @param counts of a list: said on `notes` below a table, and elsewhere where not all is printed */
  end(counts?: ListCounts): Promise<void>;
}

/** What a printer does differently from format to format. */
interface Sink {
  add(record: JsonObject, view: RecordView): Promise<void>;
  end(): Promise<void>;
}

interface SinkOptions extends PrinterOptions {
  view: RecordView;
}

const SINKS: Readonly<Record<Format, (options: SinkOptions) => Sink>> = {
  table: tableSink,
  text: textSink,
  json: (options) => (options.single ? objectSink(options) : arraySink(options)),
  jsonl: jsonLinesSink,
  csv: csvSink,
  id: idSink,
};

/** @throws Failure usage when something is asked of a format that it does not have */
export function createPrinter(options: PrinterOptions): Printer {
  const format = options.format ?? (options.output.isTerminal ? 'table' : 'text');
  if (format === 'id' && options.fields) {
    throw usage(
      'fields-with-ids-only',
      'Fields cannot be picked when only ids are printed.',
      'Leave out --fields, or print them with another --output.',
    );
  }
  if (format !== 'csv' && options.hasNoFormulas) {
    throw usage(
      'formulas-in-csv-only',
      '--no-formulas is for CSV, and another format is printed.',
      'Add -o csv, or leave --no-formulas out.',
    );
  }
  const view = toView(options.kind);
  const sink = SINKS[format]({ ...options, view });
  let printed = 0;
  return {
    add: (record, kind) => {
      printed++;
      const own = kind === undefined ? view : toView(kind);
      return sink.add(own.isPublished ? record : (redactJson(record) as JsonObject), own);
    },
    async end(counts) {
      await sink.end();
      if ('end' in options.output) await options.output.end();
      // A program that reads one page of several is not to take it for all.
      if (!counts || (format !== 'table' && !isPart(counts, printed))) return;
      await options.notes.write(`${countsText(counts, printed, view)}\n`);
    },
  };
}

function toView(kind: RecordKind | RecordView | undefined): RecordView {
  return typeof kind === 'string' ? VIEWS[kind] : (kind ?? PLAIN_VIEW);
}

async function nothing(): Promise<void> {}

function picked(record: JsonObject, fields: readonly string[] | undefined): JsonObject {
  return fields ? pickFields(record, fields) : record;
}

function objectSink({ output, fields }: SinkOptions): Sink {
  let printed = false;
  return {
    async add(record) {
      if (printed) throw new Error('A printer of a single record was given a second one');
      printed = true;
      await output.write(`${toJson(picked(record, fields), 2)}\n`);
    },
    end: nothing,
  };
}

function arraySink({ output, fields }: SinkOptions): Sink {
  let printed = false;
  return {
    async add(record) {
      // The array of the one record, without its brackets, is the record as an element.
      const element = toJson([picked(record, fields)], 2).slice('[\n'.length, -'\n]'.length);
      await output.write((printed ? ',\n' : '[\n') + element);
      printed = true;
    },
    end: () => output.write(printed ? '\n]\n' : '[]\n'),
  };
}

function jsonLinesSink({ output, fields }: SinkOptions): Sink {
  return {
    add: (record) => output.write(`${toJson(picked(record, fields))}\n`),
    end: nothing,
  };
}

function csvSink({ output, notes, fields, hasNoFormulas = false }: SinkOptions): Sink {
  const writer = import('./csv.ts').then(({ createCsvWriter }) =>
    createCsvWriter(fields, hasNoFormulas),
  );
  // Its failure is met by the first record, and by nobody before.
  writer.catch(() => undefined);
  return {
    async add(record, view) {
      await output.write((await writer).write(record, view));
    },
    async end() {
      const lost = [...(await writer).lost];
      if (lost.length === 0) return;
      const names = lost.slice(0, MAX_NAMED_FIELDS).map(neutralise).join(', ');
      await notes.write(
        `Warning: later records have fields that the CSV has no column for: ${names}${lost.length > MAX_NAMED_FIELDS ? ', …' : ''}\n` +
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
    end: nothing,
  };
}

function textSink({ output, fields }: SinkOptions): Sink {
  const columns = fields && pickedColumns(fields);
  return {
    async add(record, view) {
      const shown = columns ?? view.columns;
      const cells =
        shown.length > 0
          ? shown.map((column) => column.text(record))
          : flatten(record).map(([, value]) => textOf(value));
      await output.write(`${cells.map((cell) => neutralise(cell ?? '')).join('\t')}\n`);
    },
    end: nothing,
  };
}

function tableSink(options: SinkOptions): Sink {
  const { output, notes } = options;
  const rows: { record: JsonObject; view: RecordView }[] = [];
  return {
    async add(record, rowView) {
      rows.push({ record, view: rowView });
    },
    async end() {
      if (rows.length === 0) return;
      const { renderRows } = await import('./rows.ts');
      const rendered = await renderRows(rows, options);
      await output.write(rendered.text);
      for (const note of rendered.notes) await notes.write(`${note}\n`);
    },
  };
}
