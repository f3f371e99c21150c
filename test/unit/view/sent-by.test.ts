import { expect, test } from 'vitest';
import { sentByText } from '../../../src/view/sent-by.ts';

const CREATED = '2026-03-10T09:30:00.000Z';
const SOON = '2026-03-10T09:30:07.000Z';

test.each<[text: string | undefined, operator: string | null, by?: string | null, at?: string]>([
  // An entry of a file.
  ['ada@desk', 'ada@desk'],
  ['ada@desk', 'ada@desk', null],
  [undefined, null],
  // The machine says no more than the server.
  ['ada', 'ada', 'ada', SOON],
  ['ada@desk', 'ada@desk', 'ada', SOON],
  ['ada', null, 'ada', SOON],
  // It says something else.
  ['mallory (says root@ada)', 'root@ada', 'mallory', SOON],
  ['ada (says adam@desk)', 'adam@desk', 'ada', SOON],
  ['mallory on 2026-11-22 (says root@ada)', 'root@ada', 'mallory', '2026-11-22T12:00:00.000Z'],
  // An entry of a file that its operator copied to the server.
  ['ada@desk on 2026-11-22', 'ada@desk', 'ada', '2026-11-22T12:00:00.000Z'],
])('%s: the machine said %s, and the server says %s, %s', (text, operator, by, at) => {
  const entered = by === undefined ? {} : { entered_by: by, entered_at: at ?? null };
  expect(sentByText({ created_at: CREATED, operator, machine: 'desk', ...entered })).toBe(text);
});
