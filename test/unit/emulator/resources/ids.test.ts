/** Ids and tokens, and the random numbers that they are made of. */

import { expect, onTestFinished, test } from 'vitest';
import { kindOfId } from '../../../../src/contract/record.ts';
import { storeCard } from '../../../../src/emulator/resources/cards.ts';
import { idOf, newId, newToken } from '../../../../src/emulator/resources/ids.ts';
import { openState } from '../../../../src/emulator/state.ts';
import { drawNumber, stateOf } from '../../../../src/emulator/store.ts';
import { allRows, insert, onlyRow, runSql } from '../../../../src/store/sql.ts';
import { CARD, openBench, testClock } from '../support.ts';

test('numbers are those of SplitMix64', () => {
  const numbers: bigint[] = [];
  let state = 1234567n;
  for (let i = 0; i < 3; i++) {
    const next = drawNumber(state);
    numbers.push(next.random);
    ({ state } = next);
  }
  expect(numbers).toEqual([6457827717110365317n, 3203168211198807973n, 9817491932198370423n]);
  expect(stateOf('demo')).not.toBe(stateOf('another'));
});

test('ids have the shape of their kind and use every letter and digit', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) =>
    idOf('plans', '072', drawNumber(BigInt(n)).random),
  );
  for (const id of ids) expect(id).toMatch(/^072-PL-[A-Z][A-Z0-9]{7}$/);
  expect(new Set(ids.map((id) => id.charAt(7))).size).toBe(26);
  expect(new Set(ids.map((id) => id.at(-1))).size).toBe(36);
  const kinds = (['purchases', 'refunds', 'plans', 'customers', 'subscriptions'] as const).map(
    (table) => kindOfId(idOf(table, '071', 5n)),
  );
  expect(kinds).toEqual(['purchase', 'refund', 'plan', 'customer', 'subscription']);
});

test('an id or token that exists is drawn again', () => {
  const store = openState({ path: ':memory:', clock: testClock() });
  onTestFinished(() => store.close());
  const plan = { merchant: '071', reference: 'r', name: 'n', description: 'd', amount: 1 };
  store.write((tx) => {
    tx.do(insert('plans', { ...plan, id: newId(tx, 'plans', '071'), currency: 'AUD' }));
    storeCard(tx, { prefix: '071', username: 'TEST', currency: 'AUD' }, CARD);
    tx.do(runSql('DELETE FROM random'));
  });
  store.write((tx) => {
    const known = tx.do(
      onlyRow<{ id: string; token: string }>('SELECT id, token FROM plans, cards'),
    );
    expect(newId(tx, 'plans', '071')).not.toBe(known.id);
    expect(newToken(tx)).not.toBe(known.token);
    expect(tx.do(allRows('SELECT 1 FROM random'))).toHaveLength(2);
  });
});

test('the first purchase of a new gateway has the id that the README shows', async () => {
  const bench = await openBench();
  onTestFinished(() => bench.close());
  const purchase = { ...CARD, amount: 2500, reference: 'INV-1001' };
  const answer = await bench.send('POST', '/v1.0/purchases', purchase);
  expect(answer.body.response).toMatchObject({ id: '071-P-IE49OSAF' });
});
