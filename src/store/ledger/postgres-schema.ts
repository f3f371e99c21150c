/**
 * What gw knows of the tables of a ledger that a team shares, beside their SQL: docs/schema.sql makes them, and is the
 * one text of them. They are those of the file (src/store/ledger/sqlite-schema.ts) without events, which are each
 * machine's own, with the additions that several machines need. Migrations begin with the first release.
 *
 * Only features that servers of this protocol have in common are used: tables, partial and unique
 * indexes, row locks, identity columns, one sequence, `ON CONFLICT`, common table expressions that
 * write, and trigram indexes. No function, trigger, advisory lock or notification.
 */

/** The form that a ledger with these tables has. */
export const LEDGER_FORM = 22;

/** Rows of `target_locks`. */
export const TARGET_LOCKS = 8_192;
