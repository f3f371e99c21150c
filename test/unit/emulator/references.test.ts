/** A reference is stored and answered as it was sent, whatever it looks like; a card number that was sent is not. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdsCardNumber } from '../../../src/contract/cards/find-card-numbers.ts';
import { type RunningServer, serve } from '../../../src/emulator/http/server.ts';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../src/host/http/basic-auth.ts';
import { randomCardLike } from '../../helpers/card-like.ts';
import { CARD, MASKED, testClock } from './support.ts';

let store: Store;
let server: RunningServer;
beforeAll(async () => {
  const clock = testClock();
  store = openState({ path: ':memory:', clock });
  server = await serve({ store, clock, port: 0 });
});
afterAll(async () => {
  await server.close();
  store.close();
});

async function send(method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/v1.0/${path}`, {
    method,
    headers: { authorization: basicAuthorization('TEST', 'TEST') },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { response, errors } = (await answer.json()) as {
    response: Record<string, string>;
    errors: string[];
  };
  return { status: answer.status, response, errors };
}

/** References that programs make of random numbers: `str(random())`, its digits, or a word before it. */
const random = fc.double({ min: 0, max: 1, noNaN: true, minExcluded: true }).map(String);
const reference = fc.oneof(
  random,
  random.map((text) => text.slice(2)),
  random.map((text) => `INV-${text}`),
  randomCardLike,
  randomCardLike.map((digits) => `0.${digits}`),
  randomCardLike.map((digits) => `INV-${digits}`),
  randomCardLike.map((digits) => digits.replace(/(?<=^(?:....)+)/g, '.')),
);

test('a purchase is found by any reference that it was sent with', async () => {
  const seen = new Set<string>();
  let alike = 0;
  await fc.assert(
    fc.asyncProperty(reference, async (sent) => {
      fc.pre(sent !== '' && !seen.has(sent));
      seen.add(sent);
      if (holdsCardNumber(sent)) alike++;
      const made = await send('POST', 'purchases', { ...CARD, amount: 100, reference: sent });
      expect(made.response).toMatchObject({ successful: true, reference: sent });
      const found = await send('GET', `purchases/${encodeURIComponent(sent)}`);
      expect(found.response).toMatchObject({ id: made.response.id, reference: sent });
    }),
    { numRuns: 300 },
  );
  expect(alike).toBeGreaterThan(50);
});

test('two references that differ only in the middle are two references', async () => {
  const [one, other] = twoThatDifferInTheMiddle();
  const fields = { name: 'Gold', description: 'd', amount: 100 };
  for (const reference of [one, other])
    expect(await send('POST', 'plans', { ...fields, reference })).toMatchObject({
      status: 201,
      response: { reference },
    });
});

test("the number of a request's card is masked in its reference and in every other field", async () => {
  const { response } = await send('POST', 'purchases', {
    ...CARD,
    amount: 100,
    reference: `INV ${CARD.card_number}`,
    card_holder: `ANN ${CARD.card_number}`,
  });
  expect(response).toMatchObject({ reference: `INV ${MASKED}`, card_holder: `ANN ${MASKED}` });
});

test('a text that looks like a card number is masked in fields that identify nothing', async () => {
  const [digits = ''] = fc.sample(randomCardLike, { numRuns: 1, seed: 7 });
  const plan = { name: digits, description: `for ${digits}`, amount: 100, reference: digits };
  const { response } = await send('POST', 'plans', plan);
  expect(response.name).toMatch(/^\d{6}X{6}\d{4}$/);
  expect(response.description).toMatch(/^for \d{6}X{6}\d{4}$/);
  expect(response.reference).toBe(digits);
});

/** The same first six and last four digits, and both look like card numbers. */
function twoThatDifferInTheMiddle(): [string, string] {
  const middle = (n: number) => `411111${String(n).padStart(6, '0')}1111`;
  const found = Array.from({ length: 100 }, (_, n) => middle(n)).filter(holdsCardNumber);
  return [found[0] ?? '', found[1] ?? ''];
}
