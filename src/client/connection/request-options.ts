/** What the flags of a request say about how it is sent. */

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
