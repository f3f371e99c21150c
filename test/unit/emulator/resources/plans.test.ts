import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, openBench } from '../support.ts';

const GOLD = { name: 'Gold', reference: 'gold', description: 'All of it', amount: 5000 };

describe('pages of the list', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
    for (let n = 1; n <= 105; n++)
      await bench.send('POST', '/v1.0/plans', { ...GOLD, reference: `plan-${n}` });
  });
  afterEach(() => bench.close());

  test.each([
    ['', { records: 20, pages: 6, current_page: 1 }, 'plan-1'],
    ['?limit=10&offset=11', { records: 5, pages: 11, current_page: 11 }, 'plan-101'],
    ['?offset=2', { records: 20, pages: 6, current_page: 2 }, 'plan-21'],
    ['?offset=7', { records: 0, pages: 6, current_page: 7 }, undefined],
    ['?limit=10&offset=0&test=true', { records: 10, pages: 11, current_page: 1 }, 'plan-1'],
    ['?limit=&offset=', { records: 20, pages: 6, current_page: 1 }, 'plan-1'],
    ['?limit=100000', { records: 100, pages: 2, current_page: 1 }, 'plan-1'],
  ])(
    'the page %j of 105 plans has the counts %j and begins with %s',
    async (query, counts, first) => {
      const { status, body } = await bench.send('GET', `/v1.0/plans.json${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ ...counts, total_records: 105 });
      expect(body.response[0]?.reference).toBe(first);
      expect(body.response).toHaveLength(counts.records);
    },
  );

  test.each([
    ['?limit=0', ['Limit is invalid']],
    ['?limit=ten&offset=-1', ['Limit is invalid', 'Offset is invalid']],
    ['?offset=1.5', ['Offset is invalid']],
    ['?offset=99999999999999999999', ['Offset is invalid']],
  ])('the page %j is refused', async (query, errors) => {
    const { status, body } = await bench.send('GET', `/v1.0/plans.json${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual(errors);
  });
});

test('a reference can be used once, whatever its text', async () => {
  const bench = await openBench();
  const taken = new Set<string>();
  const reference = fc.string({ unit: 'grapheme', maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(reference, async (text) => {
      const { status, body } = await bench.send('POST', '/v1.0/plans', {
        ...GOLD,
        reference: text,
      });
      if (text.trim() === '') expect(body.errors).toEqual(["Reference can't be blank"]);
      else expect(status).toBe(taken.has(text) ? 400 : 201);
      expect(body.response.id === null).toBe(status !== 201);
      if (status === 201) taken.add(text);
    }),
    { numRuns: 300 },
  );
  await bench.close();
});
