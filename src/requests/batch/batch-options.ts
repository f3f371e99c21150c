/** Turns the flags of a batch into options. Nothing behind this file sees a flag. */
import { quotedText } from '../../base/shell.ts';
import type { batchFlags, namedRecordFlags } from '../../cli/flags/batch-flags.ts';
import {
  type CommandOptions,
  commandOptions,
  type TerminalHost,
} from '../../cli/flags/command-options.ts';
import type { FlagValuesOf } from '../../cli/flags/flag.ts';
import { parseInteger } from '../../cli/flags/parse-number.ts';
import { usage } from '../../failure.ts';
import type { ColumnFlags } from './batch-source.ts';

const DEFAULT_CONCURRENCY = 16;
const MAX_CONCURRENCY = 256;
const MAX_RATE = 10_000;
const MAX_NAME_LENGTH = 128;

type BatchFlags = Parameters<typeof commandOptions>[1] &
  Partial<FlagValuesOf<typeof batchFlags & typeof namedRecordFlags>>;

export interface BatchOptions extends CommandOptions {
  /** The most requests in flight. */
  concurrency: number;
  /** The most requests started in a second. */
  perSecond: number | undefined;
  /** The most lines; a batch with more is not sent at all. */
  maxCount: number | undefined;
  /** The largest total for each currency, in minor units; a batch with more is not sent at all. */
  maxTotal: number | undefined;
  /** The number of lines not done, in this run, after which no more lines are started. */
  stopAfterFailures: number | undefined;
  /** The name that identifies the batch in later runs; without one, its content does. */
  name: string | undefined;
  /** Sends lines whose outcome is unknown again. */
  retriesUnknown: boolean;
  /** Sends lines again whose card can never pay. */
  retriesDeclined: boolean;
  /** No spreadsheet changed the file, so each value is meant. */
  isAsWritten: boolean;
  /** Takes a reference in the place of an id, if it names one record. */
  isByReference: boolean;
  /** Makes the reference of a line without one: this, and what the line names. */
  referencePrefix: string | undefined;
  columns: ColumnFlags;
  /** The path of the file for rows that did not succeed. */
  failed: string | undefined;
}

/** @throws Failure usage if a number or the name is not valid */
export function batchOptions(host: TerminalHost, flags: BatchFlags): BatchOptions {
  const { batch: name } = flags;
  if (name !== undefined && (name.trim() === '' || name.length > MAX_NAME_LENGTH)) {
    throw usage(
      'batch-name-invalid',
      `The name of a batch has 1 to ${MAX_NAME_LENGTH} characters.`,
      'For example --batch returns-2026-03.',
    );
  }
  const integer = (
    flag: 'concurrency' | 'max-count' | 'max-total' | 'stop-after-failures',
    max?: number,
  ) => (flags[flag] === undefined ? undefined : parseInteger(flag, flags[flag], max));
  const { request, ...common } = commandOptions(host, flags);
  return {
    ...common,
    request: flags.propose ? { ...request, isProposal: true } : request,
    concurrency: integer('concurrency', MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY,
    perSecond: rateOf(flags),
    maxCount: integer('max-count'),
    maxTotal: integer('max-total'),
    stopAfterFailures: integer('stop-after-failures'),
    name,
    retriesUnknown: flags['retry-unknown'] ?? false,
    retriesDeclined: flags['retry-declined'] ?? false,
    isAsWritten: flags['as-written'] ?? false,
    isByReference: flags['by-reference'] ?? false,
    referencePrefix: flags['reference-prefix'],
    columns: readColumnFlags(flags),
    failed: flags.failed,
  };
}

/** @throws Failure usage if a mapping is not valid */
function readColumnFlags({ map = [], 'ignore-columns': ignored = '' }: BatchFlags): ColumnFlags {
  const mapped = new Map<string, string>();
  for (const text of map) {
    const [field = '', ...rest] = text.split('=');
    const column = rest.join('=').trim();
    const name = field.trim();
    if (name === '' || column === '' || mapped.has(name)) {
      throw usage(
        'map-invalid',
        `--map takes FIELD=COLUMN, each field once, not ${quotedText(text)}.`,
        'For example --map amount=Betrag reads the amount from the column Betrag.',
      );
    }
    mapped.set(name, column);
  }
  const names = ignored.split(',').map((column) => column.trim());
  return { mapped, ignored: names.filter((name) => name !== '') };
}

function rateOf({ rate }: BatchFlags): number | undefined {
  if (rate === undefined) return undefined;
  const perSecond = /^\d+(\.\d+)?$/.test(rate) ? Number(rate) : Number.NaN;
  if (perSecond > 0 && perSecond <= MAX_RATE) return perSecond;
  throw usage(
    'number-invalid',
    `--rate takes a number above 0 and at most ${MAX_RATE}, not ${JSON.stringify(rate)}.`,
    'For example --rate 5, or --rate 0.5 for one in two seconds.',
  );
}
