/** All that makes a ledger on a server, as SQL for whoever runs it by hand (`gw ledger init --print-sql`). */

import { ACCEPTED } from './init.ts';
import { LEDGER_FORM, LEDGER_PARTS } from './postgres-schema.ts';
import { handOver, MAX_NAME_BYTES, type Roles, rightsOfRoles, SHARED_ROLES } from './roles.ts';

/** @returns the whole ledger, in one transaction */
export function ledgerSql(): string {
  const parts = LEDGER_PARTS.map(([title, sql]) => `-- ${title}\n\n${outdented(sql)}`);
  return [
    `-- The ledger of gw in format ${LEDGER_FORM}: its schema, its tables and its roles.`,
    '-- Run it once, in a database of its own: all of it takes effect or, if something fails, none of it.',
    '',
    'BEGIN;',
    '',
    'CREATE SCHEMA gw;',
    '-- Whoever makes the ledger locks this table first.',
    'CREATE TABLE gw.makers (one integer PRIMARY KEY);',
    '',
    ...parts,
    '-- Which ledger it is, and its format',
    '',
    'INSERT INTO gw.ledger (id, form)',
    `  VALUES (replace(gen_random_uuid()::text, '-', ''), ${LEDGER_FORM});`,
    `${ACCEPTED};`,
    '',
    rolesPart(),
    'COMMIT;',
    '',
  ].join('\n');
}

/** @returns what makes the roles of a ledger that is there already; it may be run again */
export function rolesSql(): string {
  return ['BEGIN;', '', rolesPart(), 'COMMIT;', ''].join('\n');
}

/** As `format` of the server names them; the names are made where it runs, in the database that it is for. */
const NAMED: Roles = { operator: '%1$I', owner: '%2$I' };

function rolesPart(): string {
  const { operator, owner } = SHARED_ROLES;
  const executed = (statement: string) => `  EXECUTE format('${statement}', operator, owner);`;
  return [
    `-- Roles, named after the database: ${operator}_NAME writes entries and settles them, changes nothing else`,
    `-- and deletes nothing; ${owner}_NAME may do everything, and owns the tables. Neither logs in: people are`,
    `-- given one of them, GRANT ${operator}_NAME TO ada;`,
    '',
    'DO $$',
    'DECLARE',
    `  operator text := '${operator}_' || current_database();`,
    `  owner text := '${owner}_' || current_database();`,
    'BEGIN',
    `  IF octet_length(operator) > ${MAX_NAME_BYTES} THEN`,
    "    RAISE EXCEPTION 'The name of this database is too long to name roles after it: run gw ledger init.';",
    '  END IF;',
    ...['operator', 'owner'].map(
      (role) =>
        `  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${role}) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', ${role}); END IF;`,
    ),
    '  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN',
    "    EXECUTE format('GRANT %I TO CURRENT_USER', owner);",
    '  END IF;',
    "  EXECUTE format('GRANT CREATE ON DATABASE %I TO %I', current_database(), owner);",
    ...rightsOfRoles(NAMED).map(executed),
    ...handOver(NAMED).map(executed),
    'END $$;',
    '',
  ].join('\n');
}

function outdented(sql: string): string {
  return sql
    .replace(/^\n/, '')
    .replace(/^ {2}/gm, '')
    .replace(/(?<! ) +$/, '');
}
