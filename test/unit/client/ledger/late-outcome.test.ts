/** The message about an answer that comes after its request was resolved. */
import { expect, test } from 'vitest';
import { sayLate } from '../../../../src/client/ledger/late-outcome.ts';
import type { EntryState, LateOutcome, LedgerEntry } from '../../../../src/journal/ledger.ts';
import { REFUND } from '../../../helpers/money-request.ts';

const entry = (id: string, state: EntryState): LedgerEntry => ({
  ...{ ...REFUND, currency: 'AUD', id, state, createdAt: '2026-03-10T09:30:00.000Z' },
  ...{ settledAt: null, status: null, recordId: null, message: null, operator: 'ada' },
  ...{ machine: 'desk-1', batch: null, line: null, resolution: 'said', resolvedBy: 'ben' },
  ...{
    occurrence: null,
    enteredBy: null,
    enteredAt: null,
    proposedUntil: null,
    proposal: null,
    approvedBy: null,
  },
});

async function said(
  was: EntryState,
  state: LateOutcome['state'],
  again?: EntryState,
): Promise<string> {
  const lines: string[] = [];
  const write = async (text: string) => void lines.push(text);
  const late = { before: entry('a', was), state, again: again && entry('b', again) };
  await sayLate({ write, isTerminal: false, isPlain: true }, late);
  return lines.join('');
}

test.each<[EntryState, LateOutcome['state'], EntryState | undefined, string]>([
  ['not-done', 'done', 'done', 'WARNING: the money has moved twice. '],
  ['not-done', 'done', 'unknown', 'WARNING: the money may have moved twice. '],
  ['not-done', 'done', 'sending', 'WARNING: the money may have moved twice. '],
  ['not-done', 'done', undefined, 'WARNING: Request a '],
  ['declined', 'done', undefined, 'WARNING: Request a '],
  ['done', 'declined', undefined, 'WARNING: Request a '],
  ['done', 'rejected', 'done', 'WARNING: Request a '],
])(
  'resolved as %s, answered with %s, and sent again as %s',
  async (was, state, again, beginning) => {
    const text = await said(was, state, again);
    expect(text.startsWith(beginning)).toBe(true);
    expect(text).toContain(
      `Request a (refund create, R-1, 1.00 AUD) is ${state}, although ben recorded it as ${was}.`,
    );
  },
);

test.each<[EntryState, LateOutcome['state']]>([
  ['done', 'done'],
  ['not-done', 'declined'],
  ['not-done', 'not-sent'],
  ['declined', 'rejected'],
])('resolved as %s and answered with %s says nothing', async (was, state) => {
  expect(await said(was, state, 'done')).toBe('');
});
