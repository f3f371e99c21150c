/**
 * Constants for the tables of a shared ledger. docs/schema.sql creates the tables and is their only definition. They
 * match the tables of the file (src/store/ledger/sqlite-schema.ts), with two differences. Events stay on each machine,
 * and there are additions for several machines. Migrations begin with the first release.
 *
 * The schema uses only what all servers of this protocol support: tables, partial and unique indexes, row locks,
 * identity columns, one sequence, `ON CONFLICT`, common table expressions that write, and trigram indexes. It also has
 * triggers in PL/pgSQL, which derive what operators may not write. It has no advisory lock or notification.
 */

/** Form of a ledger with these tables. */
export const LEDGER_FORM = 32;

/** Number of rows in `target_locks`. */
export const TARGET_LOCKS = 8_192;
