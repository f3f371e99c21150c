/** For callers that still have `Queries`: goes when they are written for both stores. */
import type { Queries } from '../../store/sqlite/queries.ts';
import * as customer from '../customer-of-purchase.ts';
import * as deferred from '../deferred.ts';
import type { IndexedFact } from '../document.ts';
import * as write from '../write.ts';

const NO_TIME = '';

export const putFact = (queries: Queries, origin: string, fact: IndexedFact) =>
  queries.do(write.putFact(origin, fact), NO_TIME);
export const addFact = (queries: Queries, origin: string, fact: IndexedFact) =>
  queries.do(write.addFact(origin, fact), NO_TIME);
export const dropFact = (queries: Queries, origin: string) =>
  queries.do(write.dropFact(origin), NO_TIME);
export const dropFacts = (
  queries: Queries,
  where: string,
  values: Parameters<typeof write.dropFacts>[1],
) => queries.do(write.dropFacts(where, values), NO_TIME);
export const purgeFacts = (queries: Queries) => queries.do(write.purgeFacts(), NO_TIME);
export const changeOutcome = (
  queries: Queries,
  range: readonly [from: string, below: string],
  outcome: string,
) => queries.do(write.changeOutcome(range, outcome), NO_TIME);
export const clearFacts = (queries: Queries) => queries.do(write.clearFacts(), NO_TIME);
export const completeFacts = (queries: Queries) => queries.do(write.completeFacts(), NO_TIME);
export const ownerOf = (queries: Queries, name: string) =>
  queries.do(customer.ownerOf(name), NO_TIME);
export const deferFact = (queries: Queries, kind: 'request' | 'record', key: string) =>
  queries.do(deferred.deferFact(kind, key), NO_TIME);
export const deferEvents = (queries: Queries, ids: readonly number[]) =>
  queries.do(deferred.deferEvents(ids), NO_TIME);
export const takeDue = (queries: Queries, limit: number) =>
  queries.do(deferred.takeDue(limit), NO_TIME);
