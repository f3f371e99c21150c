/** Entries of the journal by time: of when they were sent, whatever they are about. */
import { expect, test } from 'vitest';
import { listOptions } from '../../../../src/cli/flags/search-flags.ts';
import { runJournalList } from '../../../../src/commands/journal/run-list.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';
import { seen } from '../../desk/support.ts';

const SENT = '2026-03-10T00:00:00.000Z';

test('a request for a subscription is of the day on which it was sent, not of its first day', async () => {
  const host = createTestHost();
  const author = { operator: 'ada', machine: 'desk' };
  const clock = { now: () => new Date(SENT) };
  const ledger = await openSqliteLedger(ledgerPath(host.files), clock, { author });
  for (const [n, start_date] of ['2024-01-01', '2026-06-01'].entries()) {
    const [id, reference] = [`071-S-${n}`, `SUB-${n}`];
    const request = { ...sandboxPurchase(reference), operation: 'subscription create' };
    const entry = await recorded(ledger, request);
    await ledger.settle(entry, { state: 'done', status: 201, recordId: id, message: 'said' }, [
      seen('subscription', { id, reference, start_date, is_active: true }),
    ]);
  }
  await ledger.close();
  const listed = async (since: string, until: string) => {
    const output = { output: 'jsonl', fields: 'reference', 'time-zone': 'UTC' } as const;
    const options = listOptions({ limit: '9', since, until, ...output });
    const context = { host, redactor: new Redactor(), root: '.' };
    const before = host.stdout.text.length;
    await runJournalList(context, [], { ...options, isUnresolved: false });
    return host.stdout.text.slice(before).split('\n').filter(Boolean).length;
  };
  expect(await listed('2026-03-10', '2026-03-10')).toBe(2);
  expect(await listed('2024-01-01', '2026-03-09')).toBe(0);
  expect(await listed('2026-03-11', '2026-12-31')).toBe(0);
});
