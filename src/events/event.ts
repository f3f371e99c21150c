/** A webhook event from its delivery to the ledger: as it comes, as it is kept, and what is told of it. */
import type { Header } from '../host/http/post-event.ts';

export interface Delivery {
  /** Names and values in turn, as sent: credentials are among them. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  isAuthenticated: boolean;
  /** true when the body was over the limit, and is not here. */
  isTooLong: boolean;
}

/** How the sender of a delivery proved itself; the interface knows no signature. */
export type Authentication = 'none' | 'basic';

/** What the gateway said when it was asked whether a delivery is true. */
export interface Verification {
  /** `waiting` is one that is still to be asked about, and not passed on before. */
  state: 'verified' | 'contradicted' | 'unverified' | 'waiting';
  /** Why, in a few words; empty when there is nothing to add. */
  reason: string;
}

export interface NewEvent {
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** Name of the profile in use, where there was one. */
  profile: string | null;
  /** X-Service-Mode as sent. */
  mode: string | null;
  /** HTTP status of the answer. */
  status: number;
  authentication: Authentication;
  /** Name of the event; null when the body does not say. */
  event: string | null;
  outcome: string;
  /** Why the delivery is a bad one, in a few words; null for a good one. */
  fault: string | null;
  /** References of subscriptions and purchases in it. */
  subjects: readonly string[];
  /** Whatever names its customers: id, reference, email, full name, in lower case. */
  customers: readonly string[];
  /** What it is ordered by: events of one source keep their order. */
  source: string;
  /** Two deliveries with the same one may be the same event. */
  identity: string;
  /** true when the identity is never used again, false when a later event may look the same. */
  isLasting: boolean;
  /** true when a card number or a secret was masked, so that the body is not what was received. */
  isMasked: boolean;
  headers: readonly Header[];
  body: Uint8Array;
  /** Address that it is to be passed on to. */
  forwardTo: string | null;
  /** `waiting` where the gateway is to be asked first; null where nobody asks. */
  verification: Verification | null;
  /** true of one that is in no index, and whose headers and body go once it is passed on. */
  isTransient?: boolean;
}

export interface Appended {
  id: number;
  /** Id of the event that this one repeats. */
  duplicateOf: number | null;
}

export interface StoredEvent
  extends Omit<NewEvent, 'forwardTo' | 'isLasting' | 'isTransient'>,
    Appended {}
