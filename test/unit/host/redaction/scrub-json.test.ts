import { expect, test } from 'vitest';
import { scrubJson } from '../../../../src/host/redaction/scrub-json.ts';

const scrub = (text: string) => text.replaceAll('s3cret', '***');

test('secrets are hidden in texts and names at any depth', () => {
  const value = { message: 'for s3cret', list: ['s3cret', { 's3cret-x': 1 }], n: 1, none: null };
  expect(scrubJson(value, scrub)).toEqual({
    ...{ message: 'for ***', list: ['***', { '***-x': 1 }], n: 1, none: null },
  });
});

test('a value without secrets stays the same', () => {
  const value = { message: 'Approved', list: [1, 'a'] };
  expect(scrubJson(value, scrub)).toBe(value);
});
