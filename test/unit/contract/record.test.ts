import { describe, expect, test } from 'vitest';
import { kindOfId, plainId } from '../../../src/contract/record.ts';

describe('kindOfId', () => {
  test.each([
    ['001-P-KLT9J8W7', 'purchase'],
    ['001-R-KLT9J8W7', 'refund'],
    ['001-PL-KLT9J8W7', 'plan'],
    ['001-C-KLT9J8W7', 'customer'],
    ['001-S-KLT9J8W7', 'subscription'],
    // Three to five digits, codes of 7 to 16 characters (docs/interface.md, deployments).
    ['12345-P-ABCDEFG', 'purchase'],
    ['0001-PL-ABCDEFGHIJKLMNOP', 'plan'],
    ['001-C-abcdefg1', 'customer'],
  ])('%s looks like a %s', (id, kind) => {
    expect(kindOfId(id)).toBe(kind);
  });

  test.each([
    ...[
      '',
      'x',
      '001-P-',
      '-P-ABC',
      '001-X-ABCDEFG',
      '001-p-ABCDEFG',
      '01-P-ABCDEFG',
      '001P-ABCDEFG',
    ],
    ...['123456-P-ABCDEFG', '001-P-ABC DEF', '001-P-ABCDEFG\n', ' 001-P-ABCDEFG', 'k6bq2mfd'],
  ])('%j has no known shape', (id) => {
    expect(kindOfId(id)).toBeUndefined();
  });
});

test.each([
  ['071-P-IE49OSAF', '071-P-IE49OSAF'],
  [' 071-p-ie49osaf\n', '071-P-IE49OSAF'],
  ['071-pl-gold0001', '071-PL-GOLD0001'],
  ['k6bq2mfd', 'k6bq2mfd'],
  [' inv-1 ', ' inv-1 '],
])('%j is known as %j', (typed, known) => {
  expect(plainId(typed)).toBe(known);
});
