/** How a card is laid out. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PanelContent } from '../../../../src/view/columns.ts';
import { renderPanel } from '../../../../src/view/panels/panel.ts';
import { type Canvas, loadMeasure } from '../../../../src/view/text/width.ts';

const measure = await loadMeasure();
const STYLE: Canvas = { columns: 50, color: false, blocks: true, isPlain: false, measure };
const CONTENT: PanelContent = {
  outcome: 'declined',
  head: 'DECLINED  25.00 AUD',
  title: 'Purchase 071-P-1',
  rows: [
    { label: 'card', text: '512345XXXXXX2346, expires 05/2099', age: 'seen 3 days ago' },
    { label: 'refunds', text: '-5.00 AUD', outcome: 'approved', age: 'seen just now' },
  ],
  shown: ['id'],
};

test('the outcome comes first, long texts continue on the next line, and other fields come last', () => {
  const text = renderPanel({ id: '071-P-1', source: 'Recurring', gone: null }, CONTENT, STYLE);
  expect(text).toBe(
    [
      '✗ DECLINED  25.00 AUD',
      'Purchase 071-P-1',
      '',
      'card     512345XXXXXX2346, expires 05/2099',
      '         seen 3 days ago',
      'refunds  ✓ -5.00 AUD                 seen just now',
      '',
      'source  Recurring',
      '',
    ].join('\n'),
  );
});

test.each([
  [75, ['card  512345XXXXXX2346 of Ada Byron, expires 05/2099  seen 3 days ago']],
  [60, ['card  512345XXXXXX2346 of Ada Byron, expires 05/2099', '      seen 3 days ago']],
  [45, ['card  512345XXXXXX2346 of Ada Byron,', '      expires 05/2099  seen 3 days ago']],
  [30, ['card  512345XXXXXX2346 of Ada', '      Byron, expires 05/2099', '      seen 3 days ago']],
])('at %i columns the age of a value does not shorten the value', (columns, lines) => {
  const text = '512345XXXXXX2346 of Ada Byron, expires 05/2099';
  const rows = [{ label: 'card', text, age: 'seen 3 days ago' }];
  const card = renderPanel({}, { head: 'A', rows, shown: [] }, { ...STYLE, columns });
  expect(card.split('\n').slice(2, -1)).toEqual(lines);
});

test.each([true, false])('an empty object or list has no row, in plain lines %s', (isPlain) => {
  const record = { metadata: {}, tags: [], addendum_data: { lines: [], more: {} }, rrn: '7' };
  const text = renderPanel(record, { head: 'A', rows: [], shown: [] }, { ...STYLE, isPlain });
  expect(text).toBe(isPlain ? 'A\n\nrrn: 7\n' : 'A\n\nrrn  7\n');
});

test('a terminal without signs gets words only', () => {
  expect(renderPanel({}, CONTENT, { ...STYLE, blocks: false })).toMatch(
    /^DECLINED {2}25\.00 AUD\n/,
  );
});

test('no line is wider than the terminal, no control character is obeyed, and no text is lost', () => {
  const words = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 60, max: 160 }), (texts, columns) => {
      const text = texts.map((word) => word.replaceAll(' ', '')).join(' ');
      const content: PanelContent = {
        head: '',
        rows: [{ label: 'name', text, age: 'seen just now' }],
        shown: [],
      };
      const lines = renderPanel({}, content, { ...STYLE, columns }).split('\n');
      expect(lines.every((line) => !/[\p{Cc}\p{Cs}]/u.test(line))).toBe(true);
      // A word of twelve characters has 72 cells at the most, as escapes.
      const isLong = (line: string) => measure(line) > Math.max(columns, 80);
      expect(lines.filter(isLong)).toEqual([]);
    }),
  );
});
