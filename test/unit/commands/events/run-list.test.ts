/** Events searched by words and amounts: those that tell of what is found. */
import { expect, test } from 'vitest';
import { listOptions } from '../../../../src/cli/flags/search-flags.ts';
import { runEventsList } from '../../../../src/commands/events/run-list.ts';
import type { ForwardState, NewEvent } from '../../../../src/events/event.ts';
import { LISTED_OUTCOMES } from '../../../../src/events/read/read-delivery.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { charged, seen } from '../../desk/support.ts';
import { newEvent } from '../../events/support.ts';

const paid = (id: string, amount: number, name: string) =>
  charged('approved', { id, amount, currency: 'AUD', transaction_date: '2026-03-11' }, { name });

test.each<[words: string, amount: string | undefined, numbers: number[]]>([
  ['byron', undefined, [5, 4, 1]],
  ['li', undefined, [5, 4, 2, 1]],
  ['071-p-2', undefined, [2]],
  ['19.00', undefined, [4, 1]],
  ['byron', '23.00', [5]],
  ['', '19.00', [4, 1]],
  ['nosuch', undefined, []],
])('%s with the amount %s finds %j', async (words, amount, numbers) => {
  const events = [
    paid('071-P-1', 1_900, 'Byron'),
    paid('071-P-2', 2_300, 'Lovelace'),
    newEvent({ event: 'other', payload: [] }),
    charged('declined', { id: null, amount: 1_900, currency: 'AUD' }, { name: 'Byron' }),
    paid('071-P-5', 2_300, 'Byron'),
  ];
  expect(await listed(words, { amount }, events)).toEqual(numbers);
});

test('an amount finds charges, and not each event of a subscription whose plan has it', async () => {
  const known = [
    seen('plan', { id: '071-PL-1', name: 'Weekly', amount: 1_490, currency: 'AUD' }),
    seen('subscription', { id: '071-S-Byron', reference: 'Byron', plan: '071-PL-1' }),
  ];
  const events = [paid('071-P-1', 999, 'Byron'), paid('071-P-2', 1_490, 'Byron')];
  expect(await listed('byron', {}, events, known)).toEqual([2, 1]);
  expect(await listed('byron', { amount: '14.90' }, events, known)).toEqual([2]);
  expect(await listed('', { min: '14.00', max: '15.00' }, events, known)).toEqual([2]);
});

test('older events that are not shown are mentioned', async () => {
  const events = ['071-P-1', '071-P-2', '071-P-3'].map((id) => paid(id, 1_900, 'Byron'));
  for (const [limit, shown, note] of [
    ['2', '3\n2\n', 'There are more results. Add a word or a filter, or --limit 10.\n'],
    ['3', '3\n2\n1\n', ''],
  ] as const) {
    const { stdout, stderr } = await list('', { limit }, events);
    expect([stdout.text, stderr.text]).toEqual([shown, note]);
  }
});

test('samples are found by the word for them, whatever they play', async () => {
  const sample = paid('071-P-2', 1_900, 'Byron');
  const headers = [['user-agent', 'gw/0.2.0 sample']] as const;
  const events = [paid('071-P-1', 1_900, 'Byron'), { ...sample, headers }];
  expect(await listed('', { outcome: ['sample'] }, events)).toEqual([2]);
  expect(await listed('sample', {}, events)).toEqual([2]);
});

test('what an application refused is listed with its answer, by a flag and by a word', async () => {
  const to = 'http://127.0.0.1:3000/hooks';
  const events = ['071-P-1', '071-P-2'].map((id) => ({
    ...paid(id, 1_900, 'Byron'),
    forwardTo: to,
  }));
  for (const [words, forward] of [
    ['', 'refused'],
    ['refused', undefined],
  ] as const) {
    const { stdout } = await list(
      words,
      { forward, output: 'jsonl' },
      events,
      [],
      async (store) => {
        const answer = { target: to, id: 2, state: 'waiting', attempts: 1 } as const;
        await store.settleForward({ ...answer, error: 'answered 500' });
      },
    );
    expect(stdout.text.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout.text)).toMatchObject({ id: '2', forward_error: 'answered 500' });
  }
  const { stderr } = await list('', { forward: 'refused', output: 'table' }, events);
  expect(stderr.text).toContain('if `gw listen --forward-to` passed it on');
});

interface Filters {
  forward?: ForwardState | undefined;
  output?: 'jsonl' | 'table';
  outcome?: string[];
  amount?: string | undefined;
  min?: string;
  max?: string;
  limit?: string;
}

/** @returns the numbers of the events that are listed */
async function listed(
  ...asked: [string, Filters, readonly NewEvent[], (readonly RecordSnapshot[])?]
): Promise<number[]> {
  const { stdout } = await list(...asked);
  return stdout.text.split('\n').filter(Boolean).map(Number);
}

async function list(
  words: string,
  filters: Filters,
  events: readonly NewEvent[],
  known: readonly RecordSnapshot[] = [],
  settle: (store: EventFile) => Promise<void> = async () => undefined,
) {
  const host = createTestHost();
  const ledger = await openSqliteLedger(ledgerPath(host.files), host.clock, host);
  await ledger.remember(known);
  await ledger.close();
  const store = new EventFile(ledgerPath(host.files));
  for (const event of events) await store.append(event);
  await settle(store);
  await store.close();
  const options = listOptions({ limit: '9', output: 'id', ...filters }, LISTED_OUTCOMES);
  const context = { host, redactor: new Redactor(), root: '.' };
  const { forward } = filters;
  const asked = { ...options, forward, events: undefined, before: undefined, customer: undefined };
  await runEventsList(context, words === '' ? [] : [words], asked);
  return host;
}
