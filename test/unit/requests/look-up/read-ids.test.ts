/** The ids a command is given. */
import { expect, test } from 'vitest';
import { readIds } from '../../../../src/requests/look-up/read-ids.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';

const idsOf = async (argv: readonly string[], stdin = '') => {
  const ids: string[] = [];
  for await (const id of readIds(createTestHost({ stdin }), argv)) ids.push(id);
  return ids;
};

test('ids come in the order of the arguments, repeated ones included', async () => {
  expect(await idsOf(['b', 'a', 'b'])).toEqual(['b', 'a', 'b']);
});

test.each([
  ['one a line', 'a\nb\nc\n', ['a', 'b', 'c']],
  ['without a line end at the end', 'a\nb', ['a', 'b']],
  ['with white space and empty lines', '\n  a\t\n\n\nb\n', ['a', 'b']],
  ['as JSON lines', '{"id":"a","x":1}\n{"id":"b"}', ['a', 'b']],
  ['as JSON texts, with their ends trimmed', '"a"\n"b\\n"', ['a', 'b']],
  ['with Windows line ends and a byte order mark', '\ufeffa\r\nb\u200b\r\n', ['a', 'b']],
  ['with words that JSON has too', 'null\n7\ntrue', ['null', '7', 'true']],
])('stdin is read %s', async (_, stdin, ids) => {
  expect(await idsOf(['-'], stdin)).toEqual(ids);
});

test.each([
  ['', 'No id came on stdin.'],
  ['\n \n', 'No id came on stdin.'],
  ['a\n{"reference":"b"}', 'Line 2 of stdin has no id.'],
  ['{"id":7}', 'Line 1 of stdin has no id.'],
  ['{"id":""}', 'Line 1 of stdin has no id.'],
  ['{"id":"a"', 'Line 1 of stdin has no id.'],
  ['"a', 'Line 1 of stdin has no id.'],
  ['a\nb\tc', 'The id in line 2 of stdin has a tab (U+0009) at character 2.'],
])('stdin with %j is refused', async (stdin, message) => {
  expect(await failureOf(() => idsOf(['-'], stdin))).toMatchObject({ kind: 'usage', message });
});

test.each([[['']], [[' ']], [['a', '']], [['-', 'a']], [['a', '-']]])(
  'the arguments %j are refused',
  async (argv) => {
    expect((await failureOf(() => idsOf(argv, 'x'))).kind).toBe('usage');
  },
);

test('ids are delivered up to the line that is refused', async () => {
  const seen: string[] = [];
  await failureOf(async () => {
    for await (const id of readIds(createTestHost({ stdin: 'a\n{}\nb' }), ['-'])) seen.push(id);
  });
  expect(seen).toEqual(['a']);
});
