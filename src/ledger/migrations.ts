/** The steps from an empty file to the ledger of today; `user_version` counts those a file has had. */
import { EVENTS_MIGRATION } from './events-schema.ts';
import { ATTEMPTS_MIGRATION, MONEY_MIGRATION, REFUNDS_MIGRATION } from './money.ts';
import { RECORDS_MIGRATION } from './records.ts';

export const MIGRATIONS: readonly string[] = [
  MONEY_MIGRATION,
  ATTEMPTS_MIGRATION,
  RECORDS_MIGRATION,
  EVENTS_MIGRATION,
  REFUNDS_MIGRATION,
];
