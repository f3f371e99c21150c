/** Where the flags of a request end: nothing behind this file knows a flag by its name. */
import type { Host } from '../../host/host.ts';
import { mayAsk } from './may-ask.ts';
import { timeoutMsOf } from './parse-timeout.ts';

/** What a user may say about any request; each is there when the command has it and it was given. */
export interface RequestFlags {
  profile?: string | undefined;
  timeout?: string | undefined;
  confirm?: string | undefined;
  debug?: boolean | undefined;
  raw?: boolean | undefined;
  'dry-run'?: boolean | undefined;
  'no-input'?: boolean | undefined;
  'no-journal'?: boolean | undefined;
  'allow-duplicate'?: boolean | undefined;
  'allow-over-refund'?: boolean | undefined;
}

export interface RequestOptions {
  /** The profile that was named, if one was. */
  readonly profile: string | undefined;
  /** The live profile that is confirmed without being asked about. */
  readonly confirmedProfile: string | undefined;
  /** Of one try; undefined for the usual one. */
  readonly timeoutMs: number | undefined;
  /** false sends money requests without a trace. */
  readonly recordsMoney: boolean;
  /** Whether what repeats a request that succeeded, or may have, is held back. */
  readonly refusesDuplicates: boolean;
  /** Whether a refund of more than is known to be left of its purchase is held back. */
  readonly refusesOverRefunds: boolean;
  /** Shows each request and response. */
  readonly isDebugging: boolean;
  /** Shows the request and sends nothing. */
  readonly isDryRun: boolean;
  /** Prints the answer as it came. */
  readonly isRaw: boolean;
  /** Whether a person is there to answer. */
  readonly mayAsk: boolean;
}

/** @throws Failure usage when the time limit is not one */
export function requestOptions(host: Host, flags: RequestFlags): RequestOptions {
  return {
    profile: flags.profile,
    confirmedProfile: flags.confirm,
    timeoutMs: flags.timeout === undefined ? undefined : timeoutMsOf(flags.timeout),
    recordsMoney: !flags['no-journal'],
    refusesDuplicates: !flags['allow-duplicate'],
    refusesOverRefunds: !flags['no-journal'] && !flags['allow-over-refund'],
    isDebugging: flags.debug ?? false,
    isDryRun: flags['dry-run'] ?? false,
    isRaw: flags.raw ?? false,
    // Found out when it is needed: looking at stdin opens it, which costs a start.
    get mayAsk() {
      return mayAsk(host, flags);
    },
  };
}
