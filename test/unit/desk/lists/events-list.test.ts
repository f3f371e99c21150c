/** Events searched by words and amounts: those that tell of what is found. */
import { expect, test } from 'vitest';
import { listOptions } from '../../../../src/cli/flags/search-flags.ts';
import { runEventsList } from '../../../../src/desk/lists/run-events-list.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { newEvent } from '../../events/support.ts';
import { charged } from '../support.ts';

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
  const host = createTestHost();
  const store = new EventFile(ledgerPath(host.files));
  for (const event of [
    paid('071-P-1', 1_900, 'Byron'),
    paid('071-P-2', 2_300, 'Lovelace'),
    newEvent({ event: 'other', payload: [] }),
    charged('declined', { id: null, amount: 1_900, currency: 'AUD' }, { name: 'Byron' }),
    paid('071-P-5', 2_300, 'Byron'),
  ])
    await store.append(event);
  await store.close();
  const options = listOptions({ limit: '9', output: 'id', amount });
  const context = { host, redactor: new Redactor(), root: '.' };
  const asked = { ...options, events: undefined, before: undefined, customer: undefined };
  await runEventsList(context, words === '' ? [] : [words], asked);
  const found = host.stdout.text.split('\n').filter(Boolean);
  expect(found.map(Number)).toEqual(numbers);
});
