/** As much of the ledger as queries ask. */
import type { Ledger } from '../journal/ledger.ts';

export type Known = Pick<Ledger, 'facts' | 'find' | 'remembered'>;
