/**
 * As much of the ledger as queries ask.
 *
 * This folder has queries over what gw knows: what a text names, what a record is tied to, what happened
 * and when. They know no command, terminal or network: any front may use them.
 */
import type { Ledger } from '../journal/ledger.ts';

export type Known = Pick<Ledger, 'facts' | 'find' | 'remembered'>;
