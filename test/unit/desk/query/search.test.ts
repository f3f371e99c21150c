/** Search texts that gw accepts, and requests in the state of their entries. */
import { expect, test } from 'vitest';
import { findText, searchThings } from '../../../../src/desk/query/search.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { learnAllDue } from '../../../../src/requests/known/learn-due.ts';
import { cardLike } from '../../../helpers/card-like.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

test.each<[words: string[], text: string | undefined]>([
  [[], undefined],
  [['  '], undefined],
  [['ada', '25.00'], 'ada 25.00'],
  [['2346'], '2346'],
  [['5123', '2346'], '5123 2346'],
  [['071-P-4111111111111112'], '071-P-4111111111111112'],
  [[cardLike(5)], cardLike(5)],
])('%j is searched for as %j', (words, text) => {
  expect(findText(words)).toBe(text);
});

test('a text that is longer than any that is said is refused', async () => {
  const failure = await failureOf(() => findText(['ab '.repeat(400)]));
  expect(failure.code).toBe('text-too-long');
});

test.each([
  ['sending', 3],
  ['unknown', 12],
])('a limit counts requests that are %s, whatever is newer', async (outcome, count) => {
  const path = `${temporaryDirectory()}/ledger.db`;
  let now = Date.parse('2026-03-01T00:00:00.000Z');
  const clock = { now: () => new Date(now++) };
  for (const [self, requests] of [
    ['alive', 3],
    ['gone', 12],
  ] as const) {
    const processes = { self, isGone: () => undefined };
    const ledger = await openSqliteLedger(path, clock, { processes });
    for (let n = 0; n < requests; n++) await recorded(ledger, sandboxPurchase(`${self}-${n}`));
    await ledger.close();
  }
  const processes = { self: 'reader', isGone: (name: string) => name === 'gone' };
  const ledger = await openSqliteLedger(path, clock, { processes });
  await learnAllDue(ledger.sql);
  const host = createTestHost();
  const found = (limit: number) => searchThings({ host, ledger }, { outcome, limit });
  expect(await found(20)).toHaveLength(count);
  expect(await found(2)).toHaveLength(2);
  expect((await found(2)).map((thing) => thing.outcome)).toEqual([outcome, outcome]);
  await ledger.close();
});
