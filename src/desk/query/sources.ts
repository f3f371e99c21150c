/** As much of the ledger as queries ask. */
import type { Ledger } from '../../journal/ledger.ts';

export type Known = Pick<Ledger, 'facts' | 'find' | 'remembered'>;

/** With what web hooks said of records. */
export interface KnownWithEvents extends Known {
  /** @returns the body of an event, or undefined when it is gone */
  eventBody(id: number): Promise<Uint8Array | undefined>;
}
