import { expect, test } from 'vitest';
import { fitInto, loadMeasure } from '../../../../src/view/text/width.ts';

const measure = await loadMeasure();
const FAMILY = '👩‍👩‍👧';

test.each([
  ['plain', 5, 'plain'],
  ['plain', 4, 'pla…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['ab🎉cd', 4, 'ab…'],
  ['ab🎉cd', 5, 'ab🎉…'],
  [`${FAMILY}${FAMILY}abc`, 5, `${FAMILY}${FAMILY}…`],
  [`${FAMILY}${FAMILY}abc`, 4, `${FAMILY}…`],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['two words', 8, 'two wor…'],
  ['two words', 5, 'two…'],
  ['plain', 1, '…'],
  ['', 1, ''],
])('%s in %i cells is %s', (text, cells, fitted) => {
  expect(fitInto(text, cells, measure)).toBe(fitted);
});

test.each([
  ['plain', 5],
  ['日本語', 6],
  ['ｶﾞ', 2],
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['שלום', 4],
  ['soft\u00adhyphen', 11],
  ['❤️', 2],
  ['1️⃣', 2],
  ['🇦🇺', 2],
  ['👍🏽', 2],
  [FAMILY, 2],
])('%s has %i cells', (text, cells) => {
  expect(measure(text)).toBe(cells);
});
