import { expect, test } from 'vitest';
import {
  type BatchSource,
  MAX_PROBLEMS,
  planBatch,
} from '../../../../../src/requests/batch/engine/preflight.ts';
import { readRows } from '../../../../../src/requests/batch/engine/rows.ts';
import { columnsOf } from './support.ts';

const quiet = new AbortController().signal;

function plan(text: string, allowsDuplicates = false) {
  const columns = columnsOf('amount', 'reference');
  const source: BatchSource = {
    allowsDuplicates,
    repeats: (first) => `repeats line ${first}`,
    columns,
    read: async (rows) =>
      rows.map(({ fields }) => {
        const amount = Number(fields.amount);
        return { body: { ...fields, amount }, problems: amount > 0 ? [] : ['amount is bad'] };
      }),
    identify: ({ reference, amount }) => ({
      key: `${reference} ${amount}`,
      subject: String(reference),
    }),
  };
  return planBatch(source, readRows(text, columns), quiet);
}

test('finds all problems with their lines, and repeated lines', async () => {
  const text = 'amount,reference\n1,a\n0,b\n1,a\n-1,c\n2,a\n';
  const { lines, problems, totals } = await plan(text);
  expect([...lines].map(({ number }) => number)).toEqual([2, 4, 6]);
  expect(totals).toEqual(new Map([['', 4n]]));
  expect(problems).toEqual([
    { line: 3, problem: 'amount is bad', also: [5] },
    { line: 4, problem: 'repeats line 2' },
  ]);
});

test('lists a hundred problems and counts the others; what all lines have is one', async () => {
  const text = `amount,reference\n${'1,x\n'.repeat(1_001)}`;
  const { problems, problemCount } = await plan(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.also).toHaveLength(999);
  expect(problemCount).toBe(1);
  const many = Array.from({ length: 1_000 }, (_, n) => `1,${n}\n1,${n}\n`).join('');
  const others = await plan(`amount,reference\n${many}`);
  expect(others.problems).toHaveLength(MAX_PROBLEMS);
  expect(others.problemCount).toBe(1_000);
  const bad = '0,x\n'.repeat(5);
  expect((await plan(`amount,reference\n${many}${bad}`)).problemCount).toBe(1_001);
});

test('an unknown column is one problem beside those of the rows, and so is an empty input', async () => {
  expect((await plan('bad,amount\n0,0\n0,0')).problems).toEqual([
    {
      line: 1,
      problem:
        'has a column "bad", which is not a field here (the fields are amount, reference); --map FIELD=bad says which field it is, and --ignore-columns bad leaves it out',
    },
    { line: 2, problem: 'amount is bad', also: [3] },
  ]);
  expect((await plan('odd,bad\n0,0\n0,0')).problemCount).toBe(1);
  expect((await plan('\n \n')).problemCount).toBe(1);
});

test('the same requests are the same batch in CSV and in JSON', async () => {
  const csv = await plan('reference,amount\na,1\nb,2\n');
  const json = await plan('{"amount":"1","reference":"a"}\n\n{"amount":"2","reference":"b"}');
  const other = await plan('reference,amount\nb,2\na,1\n');
  expect(json.digest).toBe(csv.digest);
  expect(other.digest).not.toBe(csv.digest);
});

test('lines that differ only in the amount are counted together', async () => {
  const { lines } = await plan('amount,reference\n1,a\n1,a\n2,a\n1,b\n', true);
  const siblings = [
    { amount: 1, lines: 2 },
    { amount: 2, lines: 1 },
  ];
  expect([...lines].map((line) => line.siblings)).toMatchObject([
    siblings,
    siblings,
    siblings,
    undefined,
  ]);
});

test('repeated lines are numbered among each other', async () => {
  const { lines } = await plan('amount,reference\n1,a\n1,a\n1,b\n1,a\n', true);
  const places = [...lines].map(({ key, occurrence }) => `${key} ${occurrence}`);
  expect(places).toEqual(['a 1 1', 'a 1 2', 'b 1 1', 'a 1 3']);
});
