/** All that makes a ledger on a server, as SQL for whoever runs it by hand (`gw ledger init --print-sql`). */

import { LEDGER_FORM, LEDGER_STEPS } from './postgres-schema.ts';
import { handOver, OPERATOR_ROLE, OWNER_ROLE, rightsOfRoles } from './roles.ts';

const TITLES = ['Money requests, and the records that were seen', 'Received events', 'The index'];

/** @returns the whole ledger, in one transaction */
export function ledgerSql(): string {
  const steps = LEDGER_STEPS.map(
    (step, i) => `-- ${TITLES[i] ?? `Step ${i + 1}`}\n\n${outdented(step)}`,
  );
  return [
    `-- The ledger of gw in format ${LEDGER_FORM}: its schema, its tables and its roles.`,
    '-- Run it once, in a database of its own: all of it takes effect or, if something fails, none of it.',
    '',
    'BEGIN;',
    '',
    'CREATE SCHEMA gw;',
    '-- Whoever makes the ledger, or brings it up to date, locks this table first.',
    'CREATE TABLE gw.makers (one integer PRIMARY KEY);',
    '',
    ...steps,
    '-- Which ledger it is, and how many of the steps above it has',
    '',
    'INSERT INTO gw.ledger (id, form)',
    `  VALUES (replace(gen_random_uuid()::text, '-', ''), ${LEDGER_FORM});`,
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

function rolesPart(): string {
  return [
    `-- Roles: ${OPERATOR_ROLE} writes entries and settles them, changes nothing else and deletes nothing;`,
    `-- ${OWNER_ROLE} may do everything, and owns the tables. Neither logs in: people are given one of them,`,
    `-- GRANT ${OPERATOR_ROLE} TO ada;`,
    '',
    'DO $$',
    'BEGIN',
    ...[OPERATOR_ROLE, OWNER_ROLE].map(
      (role) =>
        `  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;`,
    ),
    '  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN',
    `    GRANT ${OWNER_ROLE} TO CURRENT_USER;`,
    '  END IF;',
    `  EXECUTE format('GRANT CREATE ON DATABASE %I TO ${OWNER_ROLE}', current_database());`,
    'END $$;',
    '',
    ...rightsOfRoles().map((statement) => `${statement};`),
    '',
    ...handOver().map((statement) => `${statement};`),
    '',
  ].join('\n');
}

function outdented(step: string): string {
  return step
    .replace(/^\n/, '')
    .replace(/^ {2}/gm, '')
    .replace(/(?<! ) +$/, '');
}
