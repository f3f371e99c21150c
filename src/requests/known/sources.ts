/** As much of the ledger as queries ask. */
import type { Ledger } from '../../journal/ledger.ts';

export type LedgerReader = Pick<Ledger, 'documents' | 'find' | 'remembered'>;

/** With what webhooks said of records. */
export interface KnownWithEvents extends LedgerReader {
  /** @returns the body of an event, or undefined when it is gone */
  eventBody(id: number): Promise<Uint8Array | undefined>;
}
