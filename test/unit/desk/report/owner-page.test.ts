/** The page for the owner: one file that runs nothing and fetches nothing, whatever customers are called. */
import { expect, test } from 'vitest';
import { type OwnerPage, ownerPage } from '../../../../src/desk/report/owner-page.ts';

const HOSTILE = '<script src="https://example.com/x.js"></script>';
const PAGE: OwnerPage = {
  title: 'March 2026',
  merchant: 'Bread & Butter',
  profile: 'shop (LIVE)',
  span: '2026-03-01 to 2026-03-31, UTC',
  sums: [
    {
      currency: 'AUD',
      taken: 12_300n,
      refunded: 300n,
      net: 12_000n,
      netBefore: 900n,
      payments: 3,
      refunds: 1,
      declines: 2,
    },
  ],
  charts: [
    {
      currency: 'AUD',
      by: 'day',
      bars: [{ label: '2026-03-01', mark: '1', value: 12_000, text: '120.00 AUD' }],
    },
  ],
  declines: [{ reason: HOSTILE, count: 2, share: 0.4, amount: '7.00 AUD' }],
  subscriptions: [],
  attention: [
    { title: 'At risk (12)', lines: [HOSTILE, 'SUB-1'], more: 10, command: 'gw report at-risk' },
  ],
  notes: [HOSTILE],
};

test('it shows each number, and what needs attention with its command', () => {
  const text = ownerPage(PAGE);
  for (const shown of [
    '<h1>Bread &amp; Butter: March 2026</h1>',
    '<footer><p>Profile: shop (LIVE).</p>',
    '123.00 AUD',
    '3 payments',
    '1 refund<',
    'the period before: 9.00 AUD',
    '40.0 %',
    '10 more: <code>gw report at-risk</code>',
  ])
    expect(text).toContain(shown);
});

test('it has no script, no address, and nothing that a name could run', () => {
  const text = ownerPage(PAGE);
  expect(text).not.toMatch(/<script|<link|<img|@import|url\(| on\w+=/i);
  expect(text).toContain('&lt;script src=&quot;https://example.com/x.js&quot;&gt;');
});

test('an empty period says so', () => {
  const text = ownerPage({ ...PAGE, sums: [], charts: [], declines: [], attention: [], notes: [] });
  expect(text).toContain('gw knows of nothing that was taken, refunded or declined.');
  expect(text).toContain('<h2>Needs attention</h2><p>Nothing.</p>');
});
