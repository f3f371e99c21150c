/** The forms of the rules of a profile, as the ledger judges an intent by them (caps.ts, proposals.ts). */

export interface Cap {
  per: 'hour' | 'day';
  /** The most requests; the most minor units, if there is a currency. */
  most: number;
  /** ISO 4217 code. */
  currency?: string;
  of: 'purchases' | 'refunds';
  /** Set if each operator may send this much. */
  isEach?: true;
}

/** A cap as it holds for a request. */
export interface AppliedCap extends Cap {
  /** The operator whose requests count; null for those of everybody. On a server, those of the login's role count. */
  operator: string | null;
}

/** Requests of one account and operation, the newest of which a cap counts. */
export interface CappedRequests {
  account: string;
  /** Its name: `refund create`. */
  operation: string;
}

/** A request that a cap does not let through. */
export interface OverCap {
  kind: 'over-cap';
  cap: AppliedCap;
  /** The sum that was sent within the period, and the request's own part: requests or minor units. */
  used: number;
  asked: number;
}

/** A person's word that a proposal may be sent. */
export interface Approval {
  /** Id of the proposal. */
  proposal: string;
  /** Its digest, as it was shown to the person. */
  digest: string;
  /** The person, and whoever proposed it, as entries name them. */
  approver: string;
  proposer: string | null;
  /** Whether the proposer may not be the person. */
  isByAnother: boolean;
}

/** Why an approval does not release its proposal. */
export interface NotReleased {
  kind: 'not-released';
  why: 'gone' | 'released' | 'withdrawn' | 'expired' | 'changed' | 'own';
}
