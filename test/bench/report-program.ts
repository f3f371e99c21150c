/** Fills a ledger with what reports count, or asks for reports of it. See report.bench.mjs. */
import { riskOf } from '../../src/desk/reports/at-risk.ts';
import { expectedOf } from '../../src/desk/reports/forecast.ts';
import { knownSubscriptions } from '../../src/desk/reports/known-subscriptions.ts';
import { declinesReport, moneyReport } from '../../src/desk/reports/money-report.ts';
import type { Ledger } from '../../src/journal/ledger.ts';
import { openLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import { fill, SCOPE } from './million-facts.ts';

const [what = '', path = '', amount = '1000000'] = process.argv.slice(2);
const COUNT = Number(amount);

async function ask(ledger: Ledger): Promise<void> {
  const { documents } = ledger;
  const of = (from: string, until: string) => ({
    ...{ period: null, from, until, timeZone: 'UTC', profile: 'shop' },
  });
  const month = of('2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z');
  const all = of('2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z');
  await timed('account', async () => Number((await ledger.accountOf(SCOPE)) === 'a1'));
  await timed('sources', async () => (await documents.sources()).kinds.purchase ?? 0);
  await timed('month', async () => (await moneyReport(documents, SCOPE, month)).attempts);
  await timed('all', async () => (await moneyReport(documents, SCOPE, all)).attempts);
  await timed(
    'declines of the month',
    async () => (await declinesReport(documents, SCOPE, month, 'reason')).rows.length,
  );
  await timed('at-risk and forecast', async () => {
    const memory = {
      documents,
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
if (what === 'fill') say(await fill(opened, path, COUNT));
else await ask(opened);
await opened.close();
