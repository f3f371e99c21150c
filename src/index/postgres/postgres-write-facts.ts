/** For callers that still run statements themselves: goes when they are written for both stores. */
import { perform } from '../../store/postgres/postgres-store.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type { SqlValues } from '../../store/sql.ts';
import * as customer from '../customer-of-purchase.ts';
import * as write from '../write.ts';

export type { OriginatedFact } from '../write.ts';

export const putFacts = (run: RunStatement, facts: readonly write.OriginatedFact[]) =>
  perform(run, write.putFacts(facts));
export const changeOutcomes = (
  run: RunStatement,
  range: readonly [from: string, below: string],
  outcome: string,
) => perform(run, write.changeOutcome(range, outcome));
export const dropFacts = (run: RunStatement, where: string, values: SqlValues) =>
  perform(run, write.dropFacts(where, values));
export const ownersOf = (run: RunStatement, names: readonly string[]) =>
  perform(run, customer.ownersOf(names));
