/** A ledger of a million documents: purchases as records and as events of charges, and subscriptions. */
import { documentOfEvent, originOfEvent } from '../../src/index/document-of-event.ts';
import type { SearchScope } from '../../src/index/scope.ts';
import { putDocuments } from '../../src/index/write.ts';
import type { Ledger, RecordSnapshot } from '../../src/journal/ledger.ts';
import { ledgerFile } from '../../src/store/ledger/ledger-file.ts';
import { Database } from '../../src/store/sqlite/database.ts';

const SUBSCRIPTIONS = 10_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const SPAN_MS = 300 * 86_400_000;
const IN_A_TRANSACTION = 1_000;
const REASONS = ['Declined', 'Insufficient Funds', 'Expired Card', 'Refer to Card Issuer'];
const AT = { account: 'a1', profile: 'shop', environment: 'live', host: 'gateway.example' };
export const SCOPE: SearchScope = { account: 'a1', profile: 'shop', environment: 'live' };

export const purchaseId = (n: number) => `071-P-${String(n).padStart(8, '0')}`;
const dateOf = (n: number, count: number) =>
  new Date(START + Math.floor((n / count) * SPAN_MS)).toISOString();

function record(n: number, count: number) {
  const isGood = n % 9 !== 0;
  return {
    id: purchaseId(n),
    amount: 100 + (n % 9_000),
    currency: n % 50 === 0 ? 'JPY' : 'AUD',
    successful: isGood,
    message: isGood ? 'Approved' : (REASONS[n % REASONS.length] ?? ''),
    reference: `SUB-${n % SUBSCRIPTIONS}`,
    card_token: `token${n % SUBSCRIPTIONS}`,
    card_expiry: '05/2031',
    transaction_date: dateOf(n, count),
    ...(n % 2 === 0 && { source: 'Recurring' }),
  };
}

function snapshot(
  kind: RecordSnapshot['kind'],
  id: string,
  of: RecordSnapshot['record'],
): RecordSnapshot {
  const reference = (of.reference as string | undefined) ?? null;
  const seen = { reference, name: 'Ada Byron', lastFour: '2346', amount: null };
  return { ...AT, kind, id, ...seen, seenBy: 'bench', seenAt: '2026-11-01T00:00:00Z', record: of };
}

/** Three of four are records; of the events every other one tells of a purchase that was seen. */
export async function fill(ledger: Ledger, path: string, count: number): Promise<object> {
  const database = new Database(ledgerFile(path));
  const started = performance.now();
  for (let from = 0; from < count; from += IN_A_TRANSACTION) {
    const numbers = Array.from({ length: IN_A_TRANSACTION }, (_, n) => from + n);
    await ledger.remember(
      numbers
        .filter((n) => n % 4 !== 3)
        .map((n) => snapshot('purchase', purchaseId(n), record(n, count))),
    );
    database.write((queries) => {
      for (const n of numbers.filter((one) => one % 4 === 3))
        queries.do(
          putDocuments([{ origin: originOfEvent(n, 0), document: eventDocument(n, count) }]),
        );
    });
  }
  database.close();
  for (let from = 0; from < SUBSCRIPTIONS; from += IN_A_TRANSACTION)
    await ledger.remember(subscriptionsFrom(from));
  return { name: 'fill', seconds: Number(((performance.now() - started) / 1_000).toFixed(1)) };
}

function eventDocument(n: number, count: number) {
  const isGood = n % 9 !== 0;
  const received = { id: n, receivedAt: dateOf(n, count), profile: 'shop', environment: 'Live' };
  const told = { ...record(n, count), id: purchaseId(n % 8 === 3 ? n - 1 : n), successful: isGood };
  return documentOfEvent(
    {
      ...received,
      event: isGood ? 'charge:successful' : 'charge:retry',
      outcome: isGood ? 'approved' : 'declined',
      message: null,
    },
    {
      subscription: { reference: `SUB-${n % SUBSCRIPTIONS}` },
      customer: { id: `071-C-${n % SUBSCRIPTIONS}`, first_name: 'Ada', last_name: 'Byron' },
      purchase: told,
    },
  );
}

function subscriptionsFrom(from: number): RecordSnapshot[] {
  return Array.from({ length: IN_A_TRANSACTION }, (_, index) => from + index).flatMap((n) => [
    snapshot('subscription', `071-S-${n}`, {
      id: `071-S-${n}`,
      reference: `SUB-${n}`,
      customer: `071-C-${n}`,
      plan: '071-PL-1',
      frequency: 'Weekly',
      start_date: '2026-01-05',
      next_billing_date: '2026-11-09',
      last_status: 'Successful',
      is_active: true,
    }),
    snapshot('customer', `071-C-${n}`, { id: `071-C-${n}`, card_token: `token${n}` }),
  ]);
}
