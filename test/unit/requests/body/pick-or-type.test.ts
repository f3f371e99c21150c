/** Picking a record from a list, or typing its id. */
import { describe, expect, test } from 'vitest';
import type { TextOptions } from '../../../../src/host/host.ts';
import { pickOrType } from '../../../../src/requests/body/pick-or-type.ts';

/** Somebody who types an answer after others that are refused. */
function person(...typed: string[]) {
  const asked: { question: string; options: TextOptions }[] = [];
  const refused: unknown[] = [];
  const questions = {
    async text(question: string, options: TextOptions = {}) {
      asked.push({ question, options });
      for (const text of typed) {
        const verdict = options.check?.(text) ?? true;
        if (verdict === true) return text;
        refused.push(verdict);
      }
      return expect.unreachable();
    },
  };
  return { questions, asked, refused };
}

const PLANS = {
  title: 'Plans of the gateway:',
  listed: [
    { value: 'GOLD', name: 'GOLD', hint: 'Gold', aliases: ['071-PL-1', 'GOLD'] },
    { value: 'TIN', name: 'TIN', aliases: ['071-PL-2', 'TIN', 'gold'] },
    { value: 'gilt', name: 'gilt', aliases: ['071-PL-3'] },
    { value: 'GILT', name: 'GILT', aliases: ['071-PL-4', 'tin foil'] },
    { value: 'LEAD', name: 'LEAD', aliases: ['tin foil'] },
  ],
  more: 'More plans: `gw plan list`.',
};

test.each([[undefined], [{ ...PLANS, listed: [] }]])(
  'with %j known, the person types an id, and a card number is refused',
  async (known) => {
    const { questions, asked, refused } = person('', '4111 1111 1111 1111', ' GOLD ');
    expect(await pickOrType(questions, 'Plan', known, ' (its id)')).toBe('GOLD');
    expect(asked.map(({ question }) => question)).toEqual(['Plan (its id):']);
    expect(refused).toEqual([
      "Plan can't be blank",
      'This looks like a card number. Type it only where gw asks for one',
    ]);
  },
);

describe('with known records', () => {
  test.each([
    ['GOLD', 'GOLD'],
    [' 071-pl-2 ', 'TIN'],
    // Another one has it as a second name, in other letters.
    ['gold', 'TIN'],
    ['tin', 'TIN'],
    ['gilt', 'gilt'],
    ['GILT', 'GILT'],
    ['ZINC', 'ZINC'],
  ])('%j names %s, and the person sees which', async (typed, value) => {
    const { questions, asked } = person(typed);
    expect(await pickOrType(questions, 'Plan', PLANS, ' (its id)')).toBe(value);
    expect(asked[0]?.question).toBe('Plan:');
    expect(asked[0]?.options.shown?.(typed)).toBe(value);
  });

  test('a name of two records is refused, and so is a blank or a card number', async () => {
    const { questions, refused } = person('tin foil', 'Gilt', ' ', '4111111111111111', 'LEAD');
    expect(await pickOrType(questions, 'Plan', PLANS)).toBe('LEAD');
    expect(refused).toEqual([
      'Several have this name: type the id',
      'Several have this name: type the id',
      "Plan can't be blank",
      'This looks like a card number. Type it only where gw asks for one',
    ]);
  });

  test.each([
    [15, 15, undefined],
    [16, 15, PLANS.more],
  ])('of %i records, the first %i are listed', async (length, shown, more) => {
    const listed = Array.from({ length }, (_, i) => ({
      value: `P${i}`,
      name: `P${i}`,
      aliases: [`ref-${i}`],
    }));
    const { questions, asked } = person(`ref-${length - 1}`);
    const known = { ...PLANS, listed };
    expect(await pickOrType(questions, 'Plan', known)).toBe(`P${length - 1}`);
    expect(asked[0]?.options.candidates?.listed).toEqual(listed.slice(0, shown));
    expect(asked[0]?.options.candidates?.more).toBe(more);
  });
});
