/** Where the flags of a request end: nothing behind this file knows a flag by its name. */
import type { RequestOptions } from '../../client/connection/request-options.ts';
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
