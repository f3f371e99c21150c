/** A failure keeps its cause and its words on its way to `start.ts`. */
import { expect, test } from 'vitest';
import {
  askOrRefuse,
  attempt,
  cancellation,
  explainCancellation,
  Failure,
  invariant,
  orFailure,
  usage,
} from '../../src/failure.ts';
import { failureOf } from '../helpers/failure.ts';

const MISTYPED = usage('body-invalid', 'The amount is not valid.', 'Give an integer.');
const DEFECT = new Error('a defect');
const failing = async (error: unknown): Promise<never> => {
  throw error;
};

test('a question that was cancelled says what to do next, and no longer that nothing was sent', async () => {
  const failure = await failureOf(() =>
    explainCancellation('Look.', () => failing(cancellation(DEFECT))),
  );
  expect(failure).toMatchObject({ code: 'cancelled', next: 'Look.', cause: DEFECT });
  expect([cancellation().sent, failure.sent]).toEqual([false, undefined]);
});

test.each([MISTYPED, DEFECT])('another error of a question stays as it is: %s', async (error) => {
  await expect(explainCancellation('Look.', () => failing(error))).rejects.toBe(error);
});

test('a question is asked where a person is there, and is refused without being asked elsewhere', async () => {
  const asked: string[] = [];
  const ask = async () => {
    asked.push('Amount:');
    return '2500';
  };
  await expect(askOrRefuse({ mayAsk: false }, MISTYPED, ask)).rejects.toBe(MISTYPED);
  expect(asked).toEqual([]);
  expect(await askOrRefuse({ mayAsk: true }, MISTYPED, ask)).toBe('2500');
  await expect(askOrRefuse({ mayAsk: true }, MISTYPED, () => failing(DEFECT))).rejects.toBe(DEFECT);
});

test('a failure is a value where it is asked for as one, and a defect never is', async () => {
  expect(await orFailure(Promise.resolve(1))).toBe(1);
  expect(await orFailure(failing(MISTYPED))).toBe(MISTYPED);
  await expect(orFailure(failing(DEFECT))).rejects.toBe(DEFECT);
});

test('work that may fail passes over a failure, and over neither an interruption nor a defect', async () => {
  expect(await attempt(Promise.resolve(1))).toBe(1);
  expect(await attempt(failing(MISTYPED))).toBe(undefined);
  await expect(attempt(failing(cancellation()))).rejects.toThrow('Cancelled.');
  await expect(attempt(failing(DEFECT))).rejects.toBe(DEFECT);
});

test('what cannot be is a defect, and no failure', () => {
  expect(() => invariant(true, 'this')).not.toThrow();
  expect(() => invariant('', 'this')).toThrow('This cannot be: this');
  expect(() => invariant(0, 'this')).not.toThrow(Failure);
});
