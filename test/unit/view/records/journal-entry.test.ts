/** How a list shows an entry whose machine had another time than the server, and a line of a batch. */
import { expect, test } from 'vitest';
import { BATCH_ENTRY_VIEW, ENTRY_VIEW } from '../../../../src/view/records/journal-entry.ts';

const AT = '2026-03-09T10:00:00.000Z';
const [, created] = ENTRY_VIEW.columns;

test.each([
  ['of a file', {}],
  ['that the server dates the same', { entered_by: 'ada', entered_at: '2026-03-09T10:00:30Z' }],
])('the time of an entry %s has no mark', (_, sender) => {
  expect(created?.text({ created_at: AT, ...sender })).toBe(AT);
  expect(created?.explain?.([AT])).toBe(undefined);
});

test('the time of an entry that the server dates otherwise is marked, and the list explains the mark', () => {
  const sender = { entered_by: 'ada', entered_at: '2026-03-10T10:00:00Z' };
  expect(created?.text({ created_at: AT, ...sender })).toBe(`${AT}?`);
  expect(created?.explain?.([AT, `${AT}?`])).toMatch(/^\? By the clock of the machine\./);
});

test.each([
  ['done', 'approved'],
  ['declined', 'declined'],
  ['rejected', 'declined'],
  ['unknown', 'unclear'],
])('a line of a batch that is %s has the colour of one that is %s', (state, outcome) => {
  expect(BATCH_ENTRY_VIEW.outcome?.({ state })).toBe(outcome);
});
