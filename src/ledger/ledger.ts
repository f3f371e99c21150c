/**
 * The ledger: gw's memory of the money requests it sent, so that one whose answer was lost is never
 * forgotten. This interface is all that the rest of gw knows of it; the store behind it is a matter
 * of this folder.
 *
 *   sending ──► done | declined | rejected | not-sent | unknown
 *
 * An entry that is still `sending` belongs to a process that is running, or that died before it
 * could write the outcome, which makes the outcome unknown.
 */
import type { JsonObject } from '../contract/envelope.ts';

export type EntryState = 'sending' | 'done' | 'declined' | 'rejected' | 'not-sent' | 'unknown';

export interface MoneyRequest {
  profile: string;
  environment: string;
  host: string;
  operation: string;
  /** What the money is taken from or given back to: purchase id, token, or masked card. */
  target: string | null;
  /** Minor units. */
  amount: number | null;
  currency: string | null;
  reference: string | null;
  /** The body as it was sent, card number masked and without the CVV. */
  body: JsonObject;
}

export interface Settlement {
  state: Exclude<EntryState, 'sending'>;
  /** HTTP status, where an answer came. */
  status: number | null;
  /** Id of the record the gateway made. */
  recordId: string | null;
  message: string | null;
}

export interface LedgerEntry extends MoneyRequest, Omit<Settlement, 'state'> {
  id: string;
  state: EntryState;
  /** ISO 8601, UTC. */
  createdAt: string;
  settledAt: string | null;
}

export interface Ledger {
  /** Resolves with the entry's id when the intent is on disk. */
  intend(request: MoneyRequest): Promise<string>;
  settle(id: string, settlement: Settlement): Promise<void>;
  /** Newest first. */
  list(filter: { unresolved?: boolean; limit: number }): Promise<LedgerEntry[]>;
  /** @param id an entry's id, or the beginning of one that is enough to tell it */
  find(id: string): Promise<LedgerEntry[]>;
  close(): Promise<void>;
}
