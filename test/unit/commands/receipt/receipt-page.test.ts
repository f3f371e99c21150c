/** The content of a receipt, and what a receipt never shows. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import type { Receipt } from '../../../../src/commands/receipt/receipt.ts';
import { receiptHtml, receiptText } from '../../../../src/commands/receipt/receipt-page.ts';

const RECEIPT: Receipt = {
  merchant: 'Bread & Butter',
  id: '071-P-1',
  reference: 'INV-1',
  date: '2026-03-31T23:30:00+00:00',
  outcome: 'approved',
  amount: 4_500,
  currency: 'AUD',
  payer: 'Mei Wu',
  cardBrand: 'Visa',
  lastFour: '0001',
  refunds: [],
  left: 4_500,
  isTest: false,
  warning: null,
};
const SYDNEY = openTimeZone('Australia/Sydney');

test('a receipt shows the payment in the time of its zone', () => {
  expect(receiptText(RECEIPT, SYDNEY)).toBe(`Bread & Butter
Receipt

Date       2026-04-01 10:30 (Australia/Sydney)
Amount     45.00 AUD
Outcome    Paid.
Paid by    Mei Wu
Card       Visa ending in 0001
Reference  INV-1
Payment    071-P-1
`);
});

test('a receipt without a name at its head begins with what it is', () => {
  expect(receiptText({ ...RECEIPT, merchant: null }, SYDNEY)).toMatch(/^Receipt\n\nDate/);
  const page = receiptHtml({ ...RECEIPT, merchant: null, outcome: 'declined' }, SYDNEY);
  expect(page).toContain('<title>Payment declined</title>');
  expect(page).toMatch(/<body>\n<h1>Payment declined<\/h1>\n\n<table>/);
});

test('a page escapes every text and has no script and nothing to load', () => {
  const evil = `<script>alert('1')</script>"&\u202e`;
  const html = receiptHtml(
    { ...RECEIPT, merchant: evil, reference: evil, id: evil, date: evil, currency: evil },
    SYDNEY,
  );
  expect(html).not.toMatch(/<script|\u202e|https?:|url\(|@import|<img|<link/);
  expect(html).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;\\u202e');
  expect(html).toContain("default-src 'none'");
});

test('a page shows a hundred refunds and includes all of them in the sum', () => {
  const refund = { id: null, reference: 'RET', date: '2026-04-01', amount: 10 };
  const refunds = Array.from({ length: 100 }, () => refund);
  const text = receiptText({ ...RECEIPT, refunds, left: 3_500 }, SYDNEY);
  expect(text.split('\n').length).toBeLessThan(30);
  expect(text).toMatch(/^Refunded {3}10\.00 AUD$/m);
  expect(text).toMatch(/^ +and 88 more$/m);
  expect(text).toMatch(/^Left {7}35\.00 AUD$/m);
});

test('a receipt does not show what is left if it is uncertain', () => {
  const refund = { id: null, reference: null, date: '2026-04-01', amount: 10 };
  expect(receiptText({ ...RECEIPT, refunds: [refund], left: null }, SYDNEY)).not.toMatch(/^Left/m);
});

test.each([
  ['declined', 'Declined. Nothing was paid.'],
  ['voided', 'Voided. Nothing was paid.'],
  ['rejected', 'Not accepted. Nothing was paid.'],
  ['unclear', 'It is not certain whether this was paid.'],
] as const)('%s is shown as such', (outcome, sentence) => {
  expect(receiptText({ ...RECEIPT, outcome, left: null }, SYDNEY)).toContain(sentence);
});

test.each([
  [true, null, ['This is a test payment: no money moved.']],
  [false, null, []],
  [
    true,
    'The gateway answered TEST.',
    ['This is a test payment: no money moved. The gateway answered TEST.'],
  ],
  [false, 'The gateway answered LIVE.', ['The gateway answered LIVE.']],
])('a receipt whose test is %s says that the profile differs: %s', (isTest, warning, notes) => {
  const receipt = { ...RECEIPT, isTest, warning };
  const [last = ''] = receiptText(receipt, SYDNEY).trimEnd().split('\n').slice(-1);
  expect(last.startsWith('Payment') ? [] : [last]).toEqual(notes);
  for (const note of notes) expect(receiptHtml(receipt, SYDNEY)).toContain(`<p>${note}</p>`);
});
