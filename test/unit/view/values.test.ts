import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, writtenNumber } from '../../../src/base/json.ts';
import { amountText, fieldAt, flatten, textOf } from '../../../src/view/values.ts';

describe('fieldAt', () => {
  const record: JsonObject = {
    id: '1',
    customer: { email: 'a@b.c', 'x.y': { z: 1 } },
    'customer.email': 'exact',
    none: null,
    list: [{ a: 1 }],
  };

  test.each<[string, Json | undefined]>([
    ['id', '1'],
    ['customer.email', 'exact'],
    ['customer.x.y.z', 1],
    ['none', null],
    ['none.more', undefined],
    ['customer.none', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['id.length', undefined],
    ['list.0', undefined],
    ['.', undefined],
  ])('fieldAt gives what is at %s: %j', (path, value) => {
    expect(fieldAt(record, path)).toEqual(value);
  });
});

test('flatten joins the names of nested fields with dots and keeps lists, null and empty objects', () => {
  const record = { b: { c: { d: 1 }, e: null }, a: [1, { x: 2 }], f: {} };
  expect(flatten(record)).toEqual([
    ['b.c.d', 1],
    ['b.e', null],
    ['a', [1, { x: 2 }]],
    ['f', {}],
  ]);
});

test.each<[Json | undefined, string | undefined]>([
  [undefined, undefined],
  [null, undefined],
  ['', ''],
  [0, '0'],
  [false, 'false'],
  [[1, 'a'], '[1,"a"]'],
  [{}, '{}'],
])('textOf %j is %j', (value, text) => {
  expect(textOf(value)).toBe(text);
});

describe('amountText', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['two decimals', { amount: 2500, currency: 'AUD' }, '25.00 AUD'],
    ['no decimals', { amount: 2500, currency: 'JPY' }, '2500 JPY'],
    ['three decimals', { amount: 2500, currency: 'BHD' }, '2.500 BHD'],
    ['a refund', { amount: -5, currency: 'EUR' }, '-0.05 EUR'],
    [
      'the currency, not the decimal, decides',
      { amount: 2500, decimal_amount: 25, currency: 'JPY' },
      '2500 JPY',
    ],
    ['no currency, a decimal', { amount: 2500, decimal_amount: 25 }, '25.00 (account currency)'],
    [
      'no currency, a decimal with a fraction',
      { amount: 2501, decimal_amount: 25.01 },
      '25.01 (account currency)',
    ],
    [
      'no currency, a refund with a positive decimal',
      { amount: -2500, decimal_amount: 25 },
      '-25.00 (account currency)',
    ],
    [
      'no currency, a refund with a negative decimal',
      { amount: -2500, decimal_amount: -25 },
      '-25.00 (account currency)',
    ],
    ['a decimal of no exponent', { amount: 2500, decimal_amount: 7 }, '25.00 (account currency)'],
    [
      'no currency, a decimal without decimals',
      { amount: 2500, decimal_amount: 2500 },
      '2500 (account currency)',
    ],
    ['neither', { amount: 2500 }, '25.00 (account currency)'],
    ['an unknown currency', { amount: 2500, currency: 'QQQ' }, '2500 minor units QQQ'],
    [
      'an unknown currency, a decimal',
      { amount: 2500, decimal_amount: 25, currency: 'QQQ' },
      '25.00 QQQ',
    ],
    ['a blank currency', { amount: 2500, currency: '' }, '25.00 (account currency)'],
    ['zero', { amount: 0, currency: 'AUD' }, '0.00 AUD'],
    ['zero without a currency', { amount: 0, decimal_amount: 0 }, '0.00 (account currency)'],
    ['the largest', { amount: Number.MAX_SAFE_INTEGER, currency: 'AUD' }, '90071992547409.91 AUD'],
    ['no amount', { amount: null }, undefined],
    ['a decimal only', { decimal_amount: 25.5 }, '25.5'],
    ['text', { amount: '25 dollars' }, '25 dollars'],
    ['a fraction of a minor unit', { amount: 0.5, currency: 'AUD' }, '0.5'],
    ...['10.00', 10.5, 'some'].map((said): [string, JsonObject, string] => [
      `what was captured as it is written: ${said}`,
      { amount: 2500, decimal_amount: 25, currency: 'AUD', captured_amount: said },
      `captured: ${said}`,
    ]),
  ])('amountText shows %s', (_, record, text) => {
    expect(amountText(record)).toBe(text);
  });
});

test('a written number is shown with its digits, also inside a list or an object', () => {
  const fee = writtenNumber('25.00');
  expect(textOf(fee)).toBe('25.00');
  expect(textOf([fee, { fee }])).toBe('[25.00,{"fee":25.00}]');
});
