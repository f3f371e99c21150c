/** Where a name is picked, or typed. */
import { expect, test } from 'vitest';
import { pickOrType } from '../../../../src/cli/body/pick-or-type.ts';
import type { Check, ChooseOptions } from '../../../../src/host/host.ts';

test.each([[undefined], [[]]])('with %j known, it is typed, and no card number', async (known) => {
  const asked: [string, unknown][] = [];
  const questions = {
    async text(question: string, { check = () => true }: { check?: Check } = {}) {
      asked.push(
        ...['', '4111 1111 1111 1111', ' GOLD '].map(
          (typed) => [question, check(typed)] as [string, unknown],
        ),
      );
      return ' GOLD ';
    },
    choose: () => expect.unreachable(),
  };
  expect(await pickOrType(questions, 'Plan', known, ' (its id)')).toBe('GOLD');
  expect(asked).toEqual([
    ['Plan (its id):', "Plan can't be blank"],
    ['Plan (its id):', 'This looks like a card number, which only the card may have'],
    ['Plan (its id):', true],
  ]);
});

test('with some known, it is picked, or what is typed is taken as such', async () => {
  const questions = {
    text: () => expect.unreachable(),
    async choose(question: string, _: unknown, { other }: ChooseOptions = {}) {
      expect(question).toBe('Plan:');
      return other?.('TIN')?.value ?? '';
    },
  };
  expect(await pickOrType(questions, 'Plan', [{ value: 'GOLD', name: 'GOLD' }])).toBe('TIN');
});
