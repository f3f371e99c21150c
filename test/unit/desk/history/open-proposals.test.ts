import { expect, test } from 'vitest';
import { proposalLines } from '../../../../src/desk/history/open-proposals.ts';
import type { LedgerEntry } from '../../../../src/journal/ledger.ts';
import { codeOf } from '../../../../src/journal/proposals.ts';
import type { Item } from '../../../../src/view/panels/ties.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

const proposal = (id: string, changed: Partial<LedgerEntry> = {}) =>
  ({
    ...{ id, state: 'proposed', operation: 'refund create', amount: 700, currency: 'AUD' },
    ...{ operator: 'petra', enteredBy: null, proposedUntil: '2026-03-02T10:00:00.000Z', body: {} },
    ...changed,
  }) as LedgerEntry;

const item = (id: string, outcome: Item['outcome'] = 'proposed') =>
  ({ outcome, sources: [{ kind: 'request', id }] }) as unknown as Item;

test('a line tells of each open proposal, and of none that is over', async () => {
  const open = proposal('e1');
  const entries = [
    open,
    proposal('e2', { proposedUntil: '2026-03-01T10:00:00.000Z' }),
    proposal('e3', { state: 'withdrawn' }),
  ];
  const known = { find: async (id: string) => entries.filter((one) => one.id === id) };
  const items = [item('e1'), item('e2'), item('e3', 'withdrawn'), item('e4', 'approved')];
  expect(await proposalLines(known, items, NOW)).toEqual([
    `A refund of 7.00 AUD is proposed (${codeOf(open)}) by petra. \`gw approve ${codeOf(open)}\` sends it.`,
  ]);
});
