/** A page shows what a terminal shows, from the same description. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { amountColumn, fieldColumn, ownView } from '../../../../src/view/columns.ts';
import { panelHtml, tableHtml } from '../../../../src/view/html/parts.ts';
import { renderPanel } from '../../../../src/view/panels/panel.ts';

const path = '/record?name=';
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&lt;/g, '<')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/\s+/g, ' ');

const CONTENT = {
  outcome: 'approved',
  head: 'Approved  25.00 AUD  2026-04-01 09:00',
  title: 'Purchase 071-P-1, INV-1',
  rows: [
    {
      label: 'customer',
      text: '071-C-1 Ada <b>Byron</b>',
      name: '071-C-1',
      age: 'seen 3 days ago',
    },
    { label: 'refunds', text: '5.00 AUD refunded' },
    { text: '-5.00 AUD  2026-04-02  071-R-1', name: '071-R-1', outcome: 'declined' },
  ],
  shown: ['id'],
} as const;
const RECORD = { id: '071-P-1', authorization: '945505', nested: { deep: true } };

test('a panel of a page has every word of the panel of a terminal', () => {
  const { text } = panelHtml(RECORD, CONTENT, { path });
  const style = { columns: 200, color: false, blocks: true, isPlain: false };
  const terminal = renderPanel(RECORD, CONTENT, { ...style, measure: (words) => words.length });
  const words = plain(text).split(' ');
  for (const word of terminal.split(/\s+/).filter((one) => one !== ''))
    expect(words, word).toContain(word);
  expect(text).toContain('&lt;b&gt;Byron');
});

test('the name of a record is a link, and a name is never an address of its own', () => {
  const { text } = panelHtml(RECORD, CONTENT, { path });
  expect(text).toContain('<a href="/record?name=071-C-1">071-C-1</a> Ada');
  const name = 'javascript:alert(1)"&/../';
  const rows = [{ label: 'x', text: name, name }];
  const hostile = panelHtml({}, { head: 'x', rows, shown: [] }, { path }).text;
  const [, href = ''] = /href="([^"]*)"/.exec(hostile) ?? [];
  expect(href).toBe(`/record?name=${encodeURIComponent(name)}`);
});

test('a long text is cut, and JSON keeps its lines', () => {
  const parts = [{ title: 'Payload', json: { a: 'x'.repeat(5_000), b: ['<i>'] } }];
  const { text } = panelHtml({}, { head: 'x'.repeat(5_000), rows: [], shown: [], parts }, { path });
  expect(text).not.toContain('x'.repeat(1_001));
  expect(text).toContain('\n  &quot;b&quot;: [\n    &quot;&lt;i&gt;&quot;');
});

const VIEW = ownView<{ id: string | null; amount: number; currency: string; note: string | null }>({
  name: 'row',
  plural: 'rows',
  mayHave: ['id', 'amount', 'currency', 'note'],
  columns: [
    fieldColumn('id'),
    amountColumn,
    fieldColumn('note'),
    { header: 'outcome', text: () => 'fine', tinted: true },
  ],
  outcome: () => 'approved',
});
const zone = openTimeZone('UTC');

test('a table has a link for each id, the sign of an outcome, and no empty column', () => {
  const rows = [
    { id: '071-P-1', amount: 2500, currency: 'AUD', note: null },
    { id: null, amount: 1, currency: 'AUD', note: null },
  ];
  const options = { path, zone, caption: 'Two' };
  const { text } = tableHtml(rows.map(VIEW.record), VIEW, options);
  expect(text.match(/<a /g)).toHaveLength(1);
  expect(text).toContain('>✓</span>&nbsp;fine');
  expect(text).not.toContain('>note<');
  expect(text).toContain('class="c-amount number">25.00 AUD<');
  const whole = tableHtml(rows.map(VIEW.record), VIEW, { ...options, isWhole: true }).text;
  expect(whole).toContain('>note<');
});
