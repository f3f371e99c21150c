import { expect, test } from 'vitest';
import type { ListCounts } from '../../../src/contract/envelope.ts';
import { countsText, isPart } from '../../../src/view/printer.ts';

test.each<[ListCounts, number, string]>([
  [
    { records: 20, total_records: 134, pages: 7, current_page: 2 },
    20,
    'Page 2 of 7, 20 of 134 plans',
  ],
  [{ records: 3, total_records: 3, pages: 1, current_page: 1 }, 3, '3 plans'],
  [{ current_page: 4 }, 20, 'Page 4, 20 plans'],
  [{ total_records: 134 }, 134, '134 plans'],
  [{ total_records: 134 }, 20, '20 of 134 plans'],
  [{ total_records: 0, pages: 0, current_page: 1 }, 0, '0 plans'],
  [{ total_records: 3, pages: 1, current_page: 5 }, 0, 'Page 5 of 1, 0 of 3 plans'],
  [{}, 2, '2 plans'],
  [{ total_records: 1 }, 1, '1 plan'],
])('%j with %i shown', (counts, shown, text) => {
  expect(countsText(counts, shown, { name: 'plan', plural: 'plans' })).toBe(text);
});

test.each<[ListCounts, number, boolean]>([
  [{ total_records: 134, pages: 7, current_page: 7 }, 14, true],
  [{ total_records: 134, pages: 7 }, 134, false],
  [{ total_records: 3, pages: 1, current_page: 5 }, 0, true],
  [{ pages: 2, current_page: 2 }, 20, true],
  [{ pages: 1 }, 20, false],
  [{ current_page: 4 }, 20, false],
  [{ total_records: 0 }, 0, false],
])('%j with %i shown is incomplete: %s', (counts, shown, expected) => {
  expect(isPart(counts, shown)).toBe(expected);
});
