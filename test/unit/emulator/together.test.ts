/** Requests that are answered in one transaction. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createGateway,
  type GatewayAnswer,
  type GatewayRequest,
} from '../../../src/emulator/gateway.ts';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';
import { testClock } from './support.ts';

const AUTHORIZATION = basicAuthorization('TEST', 'TEST');

let store: Store;
let clock: ReturnType<typeof testClock>;
let answerAll: (requests: readonly GatewayRequest[]) => GatewayAnswer[];
beforeEach(() => {
  clock = testClock();
  store = openState({ path: ':memory:', clock });
  createGateway({
    store,
    share(all) {
      answerAll = all;
      return async (request) => all([request])[0]!;
    },
  });
});
afterEach(() => store.close());

const get = (target: string, authorization = AUTHORIZATION) => ({
  method: 'GET',
  target,
  authorization,
});
const plan = (reference: string, authorization = AUTHORIZATION) => ({
  method: 'POST',
  target: '/v1.0/plans',
  authorization,
  body: JSON.stringify({ name: 'Gold', reference, description: 'All of it', amount: 500 }),
});
const statuses = (answers: GatewayAnswer[]) => answers.map(({ status }) => status);
const references = () =>
  store
    .read((tx) => tx.all<{ reference: string }>('SELECT reference FROM plans ORDER BY rowid'))
    .map(({ reference }) => reference);

test('each sees what those before it did, and a refusal undoes nothing but its own', () => {
  const answers = answerAll([
    plan('a'),
    plan('a'),
    get('/v1.0/plans'),
    get('/nowhere'),
    { ...get('/v1.0/plans'), method: 'PUT' },
    plan('b', basicAuthorization('TEST', 'wrong')),
    plan('b', basicAuthorization('OTHER', 'OTHER')),
    plan('c'),
  ]);
  expect(statuses(answers)).toEqual([201, 400, 200, 404, 405, 401, 201, 201]);
  expect(JSON.parse(answers[2]!.body)).toMatchObject({ total_records: 1 });
  expect(references()).toEqual(['a', 'b', 'c']);
});

test('ids are those of requests one after the other, refused ones in between or not', async () => {
  const together = answerAll([plan('a'), plan('a'), plan('b')]);
  const other = openState({ path: ':memory:', clock });
  const alone = createGateway({ store: other });
  const single = [await alone.answer(plan('a')), await alone.answer(plan('b'))];
  expect([together[0]!.body, together[2]!.body]).toEqual(single.map(({ body }) => body));
  other.close();
});

test('a defect undoes all of them, so that none is answered that is not kept', () => {
  store.write((tx) =>
    tx.run(
      "CREATE TRIGGER broken BEFORE INSERT ON plans WHEN NEW.reference = 'x' BEGIN SELECT RAISE(ROLLBACK, 'broken'); END",
    ),
  );
  expect(() => answerAll([plan('a'), plan('x'), plan('b')])).toThrow('broken');
  expect(references()).toEqual([]);
  expect(statuses(answerAll([plan('a')]))).toEqual([201]);
});

test('days that have passed are billed first', () => {
  clock.time = new Date('2026-03-13T00:00:00Z');
  expect(statuses(answerAll([get('/v1.0/plans'), plan('a')]))).toEqual([200, 201]);
  expect(store.read((tx) => tx.billingDay)).toBe('2026-03-13');
});
