/** From what the user asks of the output to a printer of records. */
import type { JsonObject } from '../base/json.ts';
import type { RecordKind } from '../contract/record-id.ts';
import type { Host } from '../host/host.ts';
import type { RecordView } from './columns.ts';
import type { Filter } from './formats/jq.ts';
import { parseFields } from './picked-fields.ts';
import { createPrinter, type Format, type Printer, toView } from './printer.ts';
import { VIEWS } from './records/gateway-records.ts';

/** How the user wants records printed. */
export interface OutputOptions {
  /** The format that was named. Errors follow it. */
  readonly format: Format | undefined;
  /** Names of fields, separated by commas. */
  readonly fields: string | undefined;
  /** A jq expression. */
  readonly jq: string | undefined;
  /** Whether TSV and CSV begin with the names of their columns; undefined for what is usual. */
  readonly hasHeader: boolean | undefined;
  /** Whether cells of CSV that a spreadsheet would run are marked. */
  readonly hasNoFormulas: boolean;
  /** true where the user wants no pager. */
  readonly isUnpaged: boolean;
}

export interface PrintOptions {
  /** Kind of the records; none for what is not a record of the gateway. */
  kind?: RecordKind | RecordView;
  /** true where records of any kind of the gateway may be among them. */
  isMixed?: boolean;
  /** true when exactly one is asked for. */
  isSingle?: boolean;
  /** What is said below a table without rows: why there are none, and what makes one. */
  ifNone?: string | undefined;
  /** true where nobody is to leaf through it: what it tells of has moved money, or goes on. */
  isUnpaged?: boolean;
  /** true where what is under way is still printed after the first interrupt: only the second one ends jq. */
  isSeenThrough?: boolean;
}

/** @returns the format of records; undefined for the usual one of where they go */
export function formatOf({ format, jq }: OutputOptions): Format | undefined {
  return format ?? (jq === undefined ? undefined : 'json');
}

/** @returns whether a record is whole in a format, with whatever is nested in it: in others it is a row, or an id */
export function isWholeIn(format: Format | undefined): boolean {
  return format === 'json' || format === 'jsonl' || format === 'yaml';
}

/** @returns what JSON passes through, where `--jq` was given; the first interrupt ends it */
export function filterOf(
  { jq, interrupted }: Host,
  { jq: expression }: OutputOptions,
): Filter | undefined {
  return expression === undefined ? undefined : { expression, jq, interrupted };
}

/** @throws Failure usage when the options contradict each other, or name a field that there is not */
export function openPrinter(host: Host, output: OutputOptions, options: PrintOptions): Printer {
  const { kind, isSingle = false, isMixed = false, ifNone } = options;
  const { isUnpaged = false, isSeenThrough = false } = options;
  const filter = filterOf(host, output);
  const view = toView(kind);
  const others = isMixed ? Object.values(VIEWS) : [];
  const mayHave = [...(view.mayHave ?? []), ...others.flatMap(({ fields }) => fields)];
  const fields =
    output.fields === undefined ? undefined : parseFields(output.fields, { ...view, mayHave });
  return createPrinter({
    format: formatOf(output),
    fields,
    filter: isSeenThrough && filter ? { ...filter, interrupted: undefined } : filter,
    hasHeader: output.hasHeader,
    hasNoFormulas: output.hasNoFormulas,
    kind,
    ifNone,
    single: isSingle,
    output: (isUnpaged || output.isUnpaged ? undefined : host.paged()) ?? host.stdout,
    notes: host.stderr,
    now: host.clock.now(),
    pass: host.pass,
  });
}

/** Writes what is laid out already to stdout, in a pager where it is longer than a screen. */
export async function writePaged(
  host: Pick<Host, 'stdout' | 'paged'>,
  { isUnpaged }: OutputOptions,
  text: string,
): Promise<void> {
  const paged = isUnpaged ? undefined : host.paged();
  await (paged ?? host.stdout).write(text);
  await paged?.end();
}

/** Prints what is there already. */
export async function printRecords(
  host: Host,
  output: OutputOptions,
  records: readonly JsonObject[],
  options: PrintOptions,
): Promise<void> {
  const printer = openPrinter(host, output, options);
  for (const record of records) await printer.add(record);
  await printer.end();
}
