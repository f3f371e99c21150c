/** From flags to a printer of records. */
import type { JsonObject } from '../base/json.ts';
import type { RecordKind } from '../contract/record-id.ts';
import type { Host } from '../host/host.ts';
import type { RecordView } from './columns.ts';
import type { Filter } from './formats/jq.ts';
import { parseFields } from './picked-fields.ts';
import { createPrinter, type Format, type Printer, toView } from './printer.ts';
import { VIEWS } from './records/gateway-records.ts';

export interface PrintFlags {
  output?: Format | undefined;
  json?: boolean | undefined;
  fields?: string | undefined;
  jq?: string | undefined;
  header?: boolean | undefined;
  'no-formulas'?: boolean | undefined;
  'no-pager'?: boolean | undefined;
}

export interface PrintOptions {
  /** Kind of the records; none for what is not a record of the gateway. */
  kind?: RecordKind | RecordView;
  /** true when exactly one is asked for. */
  isSingle?: boolean;
  /** What is said below a table without rows: why there are none, and what makes one. */
  ifNone?: string | undefined;
  /** true where nobody is to leaf through it: what it tells of has moved money, or goes on. */
  isUnpaged?: boolean;
  /** true where what is under way is still printed after the first interrupt: only the second one ends jq. */
  isSeenThrough?: boolean;
}

/** @returns the format that was asked for */
export function formatOf(flags: PrintFlags): Format | undefined {
  return errorFormatOf(flags) ?? (flags.jq === undefined ? undefined : 'json');
}

/** @returns whether a record is whole in a format, with whatever is nested in it: in others it is a row, or an id */
export function isWholeIn(format: Format | undefined): boolean {
  return format === 'json' || format === 'jsonl' || format === 'yaml';
}

/** @returns what JSON passes through, where `--jq` was given; the first interrupt ends it */
export function filterOf({ jq, interrupted }: Host, flags: PrintFlags): Filter | undefined {
  return flags.jq === undefined ? undefined : { expression: flags.jq, jq, interrupted };
}

/** @returns the format that errors follow: `--jq` alone is read by people as often as by programs */
export function errorFormatOf(flags: PrintFlags): Format | undefined {
  return flags.json ? 'json' : flags.output;
}

/** @throws Failure usage when the flags contradict each other, or name a field that there is not */
export function openPrinter(
  host: Host,
  flags: PrintFlags,
  { kind, isSingle = false, ifNone, isUnpaged = false, isSeenThrough = false }: PrintOptions,
): Printer {
  const filter = filterOf(host, flags);
  const view = toView(kind);
  // A look-up finds records of any kind of the gateway.
  const others = typeof kind === 'string' && !isUnpaged ? Object.values(VIEWS) : [];
  const mayHave = [...(view.mayHave ?? []), ...others.flatMap(({ fields }) => fields)];
  const fields =
    flags.fields === undefined ? undefined : parseFields(flags.fields, { ...view, mayHave });
  return createPrinter({
    format: formatOf(flags),
    fields,
    filter: isSeenThrough && filter ? { ...filter, interrupted: undefined } : filter,
    hasHeader: flags.header,
    hasNoFormulas: flags['no-formulas'],
    kind,
    ifNone,
    single: isSingle,
    output: (isUnpaged || flags['no-pager'] ? undefined : host.paged()) ?? host.stdout,
    notes: host.stderr,
    now: host.clock.now(),
    pass: host.pass,
  });
}

/** Writes what is laid out already to stdout, in a pager where it is longer than a screen. */
export async function writePaged(
  host: Pick<Host, 'stdout' | 'paged'>,
  flags: PrintFlags,
  text: string,
): Promise<void> {
  const paged = flags['no-pager'] ? undefined : host.paged();
  await (paged ?? host.stdout).write(text);
  await paged?.end();
}

/** Prints what is there already. */
export async function printRecords(
  host: Host,
  flags: PrintFlags,
  records: readonly JsonObject[],
  options: PrintOptions,
): Promise<void> {
  const printer = openPrinter(host, flags, options);
  for (const record of records) await printer.add(record);
  await printer.end();
}
