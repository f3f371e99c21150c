/** How to send a request, according to its flags. */

export interface RequestOptions {
  /** The profile that the user named, if any. */
  readonly profile: string | undefined;
  /** The value of --confirm, so that gw need not ask: the name of a live profile, or a number. */
  readonly confirmedProfile: string | undefined;
  /** Time limit of each try; undefined for the default. */
  readonly timeoutMs: number | undefined;
  /** false sends money requests without a journal entry. */
  readonly recordsMoney: boolean;
  /** Whether to refuse a request that repeats one that succeeded or may have succeeded. */
  readonly refusesDuplicates: boolean;
  /** Whether to refuse a refund of more than is known to be left of the purchase. */
  readonly refusesOverRefunds: boolean;
  /** Whether to bill a customer for a plan that bills them already. */
  readonly allowsSecond?: boolean | undefined;
  /** The fault that the requests meet in the test gateway (contract/faults.ts). */
  readonly testFault?: string | undefined;
  /** Shows each request and response. */
  readonly isDebugging: boolean;
  /** Shows the request and sends nothing. */
  readonly isDryRun: boolean;
  /** Writes the request down as a proposal, and sends nothing. */
  readonly isProposal?: boolean | undefined;
  /** Prints the answer as it arrived. */
  readonly isRaw: boolean;
  /** Why it is sent, in the user's words: kept with the entry or the record, and never sent. */
  readonly note?: string | undefined;
  /** Whether a person is there to answer. */
  readonly mayAsk: boolean;
}
