/** Fills a ledger with what reports count, or asks for reports of it. See report.bench.mjs. */
import { factOfEvent, originOfEvent } from '../../src/facts/fact-of-event.ts';
import type { FactScope } from '../../src/facts/totals.ts';
import { putFact } from '../../src/facts/write-facts.ts';
import { riskOf } from '../../src/find/at-risk.ts';
import { expectedOf } from '../../src/find/forecast.ts';
import { knownSubscriptions } from '../../src/find/known-subscriptions.ts';
import { declinesReport, moneyReport } from '../../src/find/money-report.ts';
import type { Ledger, Sighting } from '../../src/journal/ledger.ts';
import { openLedger } from '../../src/journal/sqlite-ledger.ts';
import { Database } from '../../src/storage/database.ts';
import { ledgerFile } from '../../src/storage/ledger-file.ts';

const [what = '', path = '', amount = '1000000'] = process.argv.slice(2);
const COUNT = Number(amount);
const SUBSCRIPTIONS = 10_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const SPAN_MS = 300 * 86_400_000;
const IN_A_TRANSACTION = 1_000;
const REASONS = ['Declined', 'Insufficient Funds', 'Expired Card', 'Refer to Card Issuer'];
const AT = { account: 'a1', profile: 'shop', environment: 'live', host: 'gateway.example' };
const SCOPE: FactScope = { account: 'a1', profile: 'shop', environment: 'live' };

const purchaseId = (n: number) => `071-P-${String(n).padStart(8, '0')}`;
const dateOf = (n: number) => new Date(START + Math.floor((n / COUNT) * SPAN_MS)).toISOString();

function record(n: number) {
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
    transaction_date: dateOf(n),
    ...(n % 2 === 0 && { source: 'Recurring' }),
  };
}

function sighting(kind: Sighting['kind'], id: string, of: Sighting['record']): Sighting {
  const reference = (of.reference as string | undefined) ?? null;
  const seen = { reference, name: 'Ada Byron', lastFour: '2346', amount: null };
  return { ...AT, kind, id, ...seen, seenBy: 'bench', seenAt: '2026-11-01T00:00:00Z', record: of };
}

/** Three of four are records; of the events every other one tells of a purchase that was seen. */
async function fill(ledger: Ledger): Promise<void> {
  const database = new Database(ledgerFile(path));
  const started = performance.now();
  for (let from = 0; from < COUNT; from += IN_A_TRANSACTION) {
    const numbers = Array.from({ length: IN_A_TRANSACTION }, (_, n) => from + n);
    await ledger.remember(() =>
      numbers.filter((n) => n % 4 !== 3).map((n) => sighting('purchase', purchaseId(n), record(n))),
    );
    database.write((queries) => {
      for (const n of numbers.filter((one) => one % 4 === 3))
        putFact(queries, originOfEvent(n, 0), eventFact(n));
    });
  }
  database.close();
  for (let from = 0; from < SUBSCRIPTIONS; from += IN_A_TRANSACTION)
    await ledger.remember(() => subscriptionsFrom(from));
  say({ name: 'fill', seconds: Number(((performance.now() - started) / 1_000).toFixed(1)) });
}

function eventFact(n: number) {
  const isGood = n % 9 !== 0;
  const received = { id: n, receivedAt: dateOf(n), profile: 'shop', environment: 'Live' };
  const told = { ...record(n), id: purchaseId(n % 8 === 3 ? n - 1 : n), successful: isGood };
  return factOfEvent(
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

function subscriptionsFrom(from: number): Sighting[] {
  return Array.from({ length: IN_A_TRANSACTION }, (_, index) => from + index).flatMap((n) => [
    sighting('subscription', `071-S-${n}`, {
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
    sighting('customer', `071-C-${n}`, { id: `071-C-${n}`, card_token: `token${n}` }),
  ]);
}

async function ask(ledger: Ledger): Promise<void> {
  const { facts } = ledger;
  const of = (from: string, until: string) => ({
    ...{ period: null, from, until, timeZone: 'UTC', profile: 'shop' },
  });
  const month = of('2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z');
  const all = of('2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z');
  await timed('account', async () => Number((await facts.accountOf(SCOPE)) === 'a1'));
  await timed('sources', async () => (await facts.sources()).kinds.purchase ?? 0);
  await timed('month', async () => (await moneyReport(facts, SCOPE, month)).attempts);
  await timed('all', async () => (await moneyReport(facts, SCOPE, all)).attempts);
  await timed(
    'declines of the month',
    async () => (await declinesReport(facts, SCOPE, month, 'reason')).rows.length,
  );
  await timed('at-risk and forecast', async () => {
    const memory = {
      facts,
      remembered: ledger.remembered.bind(ledger),
      eventBody: async () => undefined,
    };
    let found = 0;
    const span = { today: '2026-11-02', first: '2026-11-02', next: '2026-12-01' };
    for await (const one of knownSubscriptions(memory, SCOPE, span.today))
      found += expectedOf(one, span).length + (riskOf(one, span.today) ? 1 : 0);
    return found;
  });
  say({ name: 'memory', rss_mib: Math.round(process.resourceUsage().maxRSS / 1_024) });
}

/** @param work returns how much it found */
async function timed(name: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < 3 && (times[0] ?? 0) < 5_000; round++) {
    const started = performance.now();
    found = await work();
    times.push(performance.now() - started);
  }
  const [first = 0] = times;
  say({ name, found, first_ms: Math.round(first), best_ms: Math.round(Math.min(...times)) });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const opened = await openLedger(path, { now: () => new Date('2026-11-02T00:00:00Z') });
if (what === 'fill') await fill(opened);
else await ask(opened);
await opened.close();
