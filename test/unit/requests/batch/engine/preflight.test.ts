import { expect, test } from 'vitest';
import {
  type BatchSource,
  linesOf,
  MAX_PROBLEMS,
  planBatch,
} from '../../../../../src/requests/batch/engine/preflight.ts';
import { columnsOf } from './support.ts';

const quiet = new AbortController().signal;

function source(text: string, allowsDuplicates = false): BatchSource {
  return {
    allowsDuplicates,
    repeats: (first) => `repeats line ${first}`,
    async *lines() {
      yield* text.split('\n');
    },
    columns: columnsOf('amount', 'reference'),
    read: ({ fields }) => {
      const amount = Number(fields.amount);
      return { body: { ...fields, amount }, problems: amount > 0 ? [] : ['amount is bad'] };
    },
    identify: ({ reference }) => Buffer.from(String(reference)).toString('hex').padEnd(32, '0'),
  };
}

test('finds all problems, with their lines, and lines that repeat another', async () => {
  const text = 'amount,reference\n1,a\n0,b\n2,a\n-1,c\n';
  const { lines, problems, totals } = await planBatch(source(text), quiet);
  expect(lines).toBe(4);
  expect(totals).toEqual(new Map([['', 3n]]));
  expect(problems).toEqual([
    { line: 3, problem: 'amount is bad' },
    { line: 4, problem: 'repeats line 2' },
    { line: 5, problem: 'amount is bad' },
  ]);
});

test('names a hundred problems and counts the rest', async () => {
  const text = `amount,reference\n${'0,x\n'.repeat(1_000)}`;
  const { problems, problemCount } = await planBatch(source(text), quiet);
  expect(problems).toHaveLength(MAX_PROBLEMS);
  expect(problemCount).toBe(1_000);
});

test('a header that is wrong is one problem, and an empty text is one too', async () => {
  expect((await planBatch(source('bad,amount\n0,0\n0,0'), quiet)).problems).toEqual([
    {
      line: 1,
      problem:
        'has a column "bad", which is not a field here (the fields are amount, reference); --map FIELD=bad says which field it is, and --ignore-columns bad leaves it out',
    },
  ]);
  expect((await planBatch(source('\n \n'), quiet)).problemCount).toBe(1);
});

test('the same requests are the same batch, as CSV or as JSON', async () => {
  const csv = await planBatch(source('reference,amount\na,1\nb,2\n'), quiet);
  const json = await planBatch(
    source('{"amount":"1","reference":"a"}\n\n{"amount":"2","reference":"b"}'),
    quiet,
  );
  const other = await planBatch(source('reference,amount\nb,2\na,1\n'), quiet);
  expect(json.digest).toBe(csv.digest);
  expect(other.digest).not.toBe(csv.digest);
});

test('lines that may repeat are told by their place among those, the same in every run', async () => {
  const text = 'amount,reference\n1,a\n1,a\n1,b\n1,a\n';
  const places = async () => {
    const found: string[] = [];
    for await (const { key, occurrence } of linesOf(source(text, true)))
      found.push(`${key.replace(/0{4,}/, '')} ${occurrence}`);
    return found;
  };
  expect(await places()).toEqual(['61 1', '61 2', '62 1', '61 3']);
  expect(await places()).toEqual(await places());
  const { count } = await planBatch(source(text, true), quiet);
  expect(['61', '62', '63'].map((key) => count(key.padEnd(32, '0')))).toEqual([3, 1, 0]);
});
