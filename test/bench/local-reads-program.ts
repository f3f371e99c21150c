/** Fills a ledger with purchases that were sent and events that were received. See local-reads.bench.mjs. */

import { accountOf } from '../../src/client/profiles/credentials.ts';
import { LOCAL_CREDENTIALS } from '../../src/contract/local-account.ts';
import type { NewEvent } from '../../src/events/event.ts';
import { EventFile } from '../../src/events/store/event-file.ts';
import type { LineClaim, MoneyRequest, RecordSnapshot } from '../../src/journal/ledger.ts';
import { openLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import { purchaseId } from './million-facts.ts';

const [path = '', amount = '20000'] = process.argv.slice(2);
const COUNT = Number(amount);
const TOGETHER = 200;
const BATCHES = 10;
const SPAN_MS = 300 * 86_400_000;
const START = Date.now() - SPAN_MS;
const NAMES = ['Ada Byron', 'Grace Hopper', 'José García', '王 小明', 'Olivia Nguyen'];
const AT = {
  account: accountOf('local', LOCAL_CREDENTIALS.username),
  profile: 'local',
  environment: 'local',
  host: 'embedded',
};

const dateOf = (n: number) => new Date(START + Math.floor((n / COUNT) * SPAN_MS));
const nameOf = (n: number) => NAMES[n % NAMES.length] ?? '';
const isGood = (n: number) => n % 9 !== 0;
const messageOf = (n: number) => (isGood(n) ? 'Approved' : 'Declined');
const card = { card_number: '512345XXXXXX2346', card_expiry: '05/2031' };
const said = (n: number) => ({
  amount: 100 + (n % 9_000),
  reference: `INV-${n}`,
  card_holder: nameOf(n),
});

function request(n: number): MoneyRequest {
  const body = { ...said(n), ...card };
  const { amount, reference } = body;
  const about = { operation: 'purchase create', target: card.card_number, refundOf: null };
  return { ...AT, ...about, amount, reference, currency: 'AUD', body };
}

function claim(n: number): LineClaim {
  const batch = `batch-${Math.floor((n * BATCHES) / COUNT)}`;
  const judged = { occurrence: 1, siblings: [], among: 'own', retries: 'none' } as const;
  return { batch, line: `line-${n}`, ...judged };
}

function snapshot(n: number): RecordSnapshot {
  const { amount, reference } = said(n);
  const outcome = { successful: isGood(n), message: messageOf(n) };
  const at = { transaction_date: dateOf(n).toISOString(), card_token: `token${n % 500}` };
  const record = { id: purchaseId(n), ...said(n), ...card, currency: 'AUD', ...outcome, ...at };
  const seen = { seenBy: 'purchase create', seenAt: dateOf(n).toISOString() };
  const names = { reference, name: nameOf(n), lastFour: '2346' };
  return { ...AT, kind: 'purchase', id: purchaseId(n), ...names, amount, ...seen, record };
}

function event(n: number): NewEvent {
  const purchase = { id: purchaseId(n), ...said(n), successful: isGood(n) };
  const payload = {
    event: isGood(n) ? 'charge:successful' : 'charge:retry',
    subscription: { reference: `SUB-${n % 500}` },
    customer: { id: `071-C-${n % 500}`, first_name: nameOf(n).split(' ')[0] },
    purchase,
  };
  const how = { status: 200, authentication: 'none', mode: 'Sandbox', fault: null } as const;
  return {
    ...{ ...how, receivedAt: dateOf(n).toISOString(), profile: 'local', event: payload.event },
    outcome: isGood(n) ? 'approved' : 'declined',
    subjects: [payload.subscription.reference, purchase.reference],
    customers: [payload.customer.id, nameOf(n).toLowerCase()],
    source: `subscription ${payload.subscription.reference}`,
    ...{ identity: `${dateOf(n).toISOString()} ${n}`, isLasting: true, isMasked: false },
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(payload)),
    ...{ forwardTo: null, verification: null },
  };
}

let now = new Date(START);
const ledger = await openLedger(
  path,
  { now: () => now },
  {
    author: { operator: 'ada@desk', machine: 'desk' },
    endOfTurn: () => new Promise((resolve) => setImmediate(resolve)),
  },
);
const events = new EventFile(path);
for (let from = 0; from < COUNT; from += TOGETHER) {
  now = dateOf(from);
  const numbers = Array.from({ length: TOGETHER }, (_, index) => from + index);
  await Promise.all(numbers.map(send));
  await events.append(numbers.map(event));
}
await events.close();
await ledger.close();

async function send(n: number): Promise<void> {
  const conditions = { noDuplicate: false, noOverRefund: false, line: claim(n) };
  const intended = await ledger.intend(request(n), conditions);
  if (intended.kind !== 'recorded') throw new Error(intended.kind);
  const state = isGood(n) ? 'done' : 'declined';
  const settlement = {
    state,
    status: 200,
    recordId: purchaseId(n),
    message: messageOf(n),
  } as const;
  await ledger.settle(intended.id, settlement, [snapshot(n)]);
}
