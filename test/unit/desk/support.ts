/** A ledger in which things are known in several ways. */
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { RowFrame } from '../../../src/desk/report/report-row.ts';
import { EventFile } from '../../../src/events/store/event-file.ts';
import type { EntryState, RecordSnapshot } from '../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { learnAllDue, readSources } from '../../../src/requests/known/learn-due.ts';
import type { Owner } from '../../../src/things/owner.ts';
import { indexing } from '../../helpers/indexing.ts';
import { AT, REFUND } from '../../helpers/money-request.ts';
import { recorded, sandboxPurchase } from '../../helpers/recorded.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { newEvent } from '../events/support.ts';

export const SCOPE: Owner = {
  profile: 'sandbox',
  environment: 'sandbox',
  account: 'a1',
  host: 'gateway.example',
};
export const FRAME: RowFrame = {
  period: '2026-W11',
  from: '2026-03-09T00:00:00.000Z',
  until: '2026-03-16T00:00:00.000Z',
  timeZone: 'UTC',
  profile: 'sandbox',
};

/** An open ledger and event store, whose clock is `now.at`. */
export async function openDesk() {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const now = { at: '2026-03-12T09:30:00.000Z' };
  const ledger = indexing(
    await openSqliteLedger(file, { now: () => new Date(now.at) }, { readSources }),
  );
  const events = new EventFile(file);
  const append = events.append.bind(events);
  // A search learns new events first; here they are learnt at once.
  events.append = (given) => append(given).finally(() => learnAllDue(ledger.sql));
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await ledger.close();
    await events.close();
  };
  onTestFinished(close);
  return { file, now, ledger, events, close };
}

export type OpenDesk = Awaited<ReturnType<typeof openDesk>>;

/** @returns a record of the gateway as it was seen */
export function seen(
  kind: RecordSnapshot['kind'],
  record: RecordSnapshot['record'],
  change: Partial<RecordSnapshot> = {},
): RecordSnapshot {
  return {
    ...AT,
    kind,
    id: String(record.id ?? record.token),
    reference: (record.reference as string | undefined) ?? null,
    name: null,
    lastFour: null,
    amount: null,
    seenBy: `${kind} get`,
    seenAt: '2026-03-12T09:30:00.000Z',
    record,
    ...change,
  };
}

export const purchase = (
  id: string,
  change: RecordSnapshot['record'] = {},
): RecordSnapshot['record'] => ({
  id,
  amount: 2_500,
  currency: 'AUD',
  successful: true,
  message: 'Approved',
  transaction_date: '2026-03-10T12:00:00Z',
  ...change,
});

const EVENT_OF = { approved: 'charge:successful', declined: 'charge:retry' } as const;

/** @returns a delivery that tells of a charge */
export function charged(
  outcome: keyof typeof EVENT_OF,
  record: RecordSnapshot['record'],
  { name = 'SUB-7', status = 'Failed (1), Pending', ...change } = {},
) {
  const successful = outcome === 'approved';
  return newEvent(
    {
      event: EVENT_OF[outcome],
      payload: [
        {
          subscription: {
            id: `071-S-${name}`,
            frequency: 'Weekly',
            start_date: '2026-03-03',
            end_date: null,
            reference: name,
            ...(!successful && { last_status: status }),
            customer: { id: `071-C-${name}`, first_name: 'Li', last_name: name },
          },
          response: {
            successful,
            response: { source: 'Recurring', ...record, successful },
            errors: [],
            test: true,
          },
        },
      ],
    },
    { profile: 'sandbox', authentication: 'basic', ...change },
  );
}

/** Sends a request that moved money, or did not. */
export async function sent(
  { ledger }: Pick<OpenDesk, 'ledger'>,
  what: { operation: string; amount: number; currency: string; reference: string },
  settled: { state: EntryState; recordId?: string; message?: string },
): Promise<void> {
  const base = what.operation === 'refund create' ? REFUND : sandboxPurchase(what.reference);
  const id = await recorded(ledger, { ...base, ...what });
  const { state, recordId = null, message = null } = settled;
  if (state !== 'sending') await ledger.settle(id, { state, status: 200, recordId, message });
}
