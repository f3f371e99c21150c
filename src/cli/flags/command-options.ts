/** Turns flags that commands share into options. Nothing behind a command knows these flags by name. */
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { faultNames, parseFault } from '../../contract/faults.ts';
import { type Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { RecordView } from '../../view/columns.ts';
import type { OutputOptions } from '../../view/print-records.ts';
import type { Format } from '../../view/printer.ts';
import type { FlagValues } from './flag.ts';
import { parseSeconds } from './parse-number.ts';

const TIMEOUT_S = { max: 600 };

/** Flags about a request. Each is set if the command has it and the user gave it. */
interface RequestFlags {
  profile?: string | undefined;
  timeout?: string | undefined;
  'test-fault'?: string | undefined;
  confirm?: string | undefined;
  debug?: boolean | undefined;
  raw?: boolean | undefined;
  'dry-run'?: boolean | undefined;
  'no-input'?: boolean | undefined;
  'no-journal'?: boolean | undefined;
  'allow-duplicate'?: boolean | undefined;
  'allow-over-refund'?: boolean | undefined;
  'allow-second'?: boolean | undefined;
  note?: string | undefined;
}

/** The parts of the host that tell whether a person can be asked. */
export type TerminalHost = Pick<Host, 'env' | 'stdin' | 'stderr'>;

/** @throws Failure usage if the time limit, the fault or the note is not valid */
export function requestOptions(host: TerminalHost, flags: RequestFlags): RequestOptions {
  return {
    profile: flags.profile,
    confirmedProfile: flags.confirm,
    timeoutMs:
      flags.timeout === undefined ? undefined : parseSeconds('timeout', flags.timeout, TIMEOUT_S),
    recordsMoney: !flags['no-journal'],
    refusesDuplicates: !flags['allow-duplicate'],
    refusesOverRefunds: !flags['no-journal'] && !flags['allow-over-refund'],
    allowsSecond: flags['allow-second'],
    note: flags.note === undefined ? undefined : noteOf(flags.note),
    testFault: flags['test-fault'] === undefined ? undefined : faultOf(flags['test-fault']),
    isDebugging: flags.debug ?? false,
    isDryRun: flags['dry-run'] ?? false,
    isRaw: flags.raw ?? false,
    // Computed only when needed: looking at stdin opens it, which costs time at the start.
    get mayAsk() {
      return mayAsk(host, flags);
    },
  };
}

/** gw can ask only if stdin and stderr are terminals, and stdin has no other use. */
export function mayAsk(host: TerminalHost, flags: RequestFlags): boolean {
  if (flags['no-input'] === true || host.env.GW_PROMPT?.toLowerCase() === 'off') return false;
  // stdin comes last: looking at it opens it, which takes longer than reading a small file.
  return host.stderr.isTerminal && host.stdin.isTerminal;
}

interface OutputFlags {
  output?: Format | undefined;
  json?: boolean | undefined;
  fields?: string | undefined;
  jq?: string | undefined;
  header?: boolean | undefined;
  'no-formulas'?: boolean | undefined;
  'no-pager'?: boolean | undefined;
  'time-zone'?: string | undefined;
}

/** @returns the options that `printFlags` give */
export function outputOptions(flags: OutputFlags): OutputOptions {
  const { output, json, fields, jq, header } = flags;
  return {
    format: json ? 'json' : output,
    fields,
    jq,
    hasHeader: header,
    hasNoFormulas: flags['no-formulas'] ?? false,
    timeZone: flags['time-zone'],
    isUnpaged: flags['no-pager'] ?? false,
  };
}

/** The options of every command that speaks to a gateway. */
export interface CommandOptions {
  request: RequestOptions;
  output: OutputOptions;
  /** The flags as they were typed: fields of a body and the same command without questions are made from them. */
  typed: FlagValues;
  /** The view of what is printed, if it is not the record of the operation. */
  prints?: RecordView;
}

/** @returns the options that the flags give @throws Failure usage if the time limit is not valid */
export function commandOptions(
  host: TerminalHost,
  flags: RequestFlags & Parameters<typeof outputOptions>[0],
): CommandOptions {
  return {
    request: requestOptions(host, flags),
    output: outputOptions(flags),
    typed: { ...flags },
  };
}

/** @throws Failure usage for text that asks for no fault */
function faultOf(text: string): string {
  if (parseFault(text)) return text;
  throw usage(
    'test-fault-unknown',
    `--test-fault has no ${JSON.stringify(text)}.`,
    `Use one of ${faultNames()}.`,
  );
}

/** Longer than anybody reads in a history. */
const MAX_NOTE = 500;

/** @returns why a note is not kept: it is too long, or holds a card number, and notes are kept as they are */
export function noteFault(text: string): Failure | undefined {
  if (text.length > MAX_NOTE)
    return usage(
      'note-too-long',
      `The note has ${text.length} characters; the limit is ${MAX_NOTE}.`,
      'Shorten it.',
    );
  if (!holdsCardNumber(text)) return undefined;
  return usage(
    'note-has-card-number',
    'The note holds a card number, and gw keeps none.',
    'Leave it out, or give the last four digits.',
  );
}

/** @throws Failure usage as `noteFault` says */
export function noteOf(text: string): string {
  const fault = noteFault(text);
  if (fault) throw fault;
  return text;
}
