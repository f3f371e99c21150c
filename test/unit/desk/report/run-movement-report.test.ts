/** The entry of a refund says who approved it. */
import { expect, test } from 'vitest';
import { approversOf } from '../../../../src/desk/report/run-movement-report.ts';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import type { Thing } from '../../../../src/things/thing.ts';

const refund = (id: string, ...entries: string[]) =>
  ({
    id,
    sources: { requests: Object.fromEntries(entries.map((entry) => [entry, {}])) },
  }) as unknown as Thing;

test('each refund has the approver of its entry, and none where no entry or no rule named one', async () => {
  const asked: (readonly string[])[] = [];
  const ledger = {
    entries(ids: readonly string[]) {
      asked.push(ids);
      return Promise.resolve([
        { id: 'e1', approvedBy: 'grace' },
        { id: 'e2', approvedBy: null },
      ]);
    },
  } as unknown as Pick<Ledger, 'entries'>;
  const some = [refund('R-1', 'e1'), refund('R-2', 'e2'), refund('R-3')];
  expect([...(await approversOf(ledger, some))]).toEqual([['R-1', 'grace']]);
  expect([...(await approversOf(ledger, [refund('R-3')]))]).toEqual([]);
  expect(asked).toEqual([['e1', 'e2']]);
});
