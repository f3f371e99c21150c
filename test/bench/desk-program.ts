/** Fills a ledger, or looks into it as `gw get` and `gw history` do. See desk.bench.mjs. */

import { relatedRecords } from '../../src/desk/get/related.ts';
import { historyOf } from '../../src/desk/history/history.ts';
import type { Ledger } from '../../src/journal/ledger.ts';
import { openLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import type { KnownWithEvents } from '../../src/requests/known/sources.ts';
import { fill, purchaseId, SCOPE } from './million-facts.ts';

const [what = '', path = '', amount = '1000000'] = process.argv.slice(2);
const COUNT = Number(amount);
const ROUNDS = 5;
const OWNER = { account: SCOPE.account, profile: SCOPE.profile, host: 'gateway.example' };

async function ask(ledger: Ledger): Promise<void> {
  const known: KnownWithEvents = {
    documents: ledger.documents,
    find: (id) => ledger.find(id),
    remembered: (wanted, limit) => ledger.remembered(wanted, limit),
    eventBody: async () => undefined,
  };
  const recordOf = async (kind: 'purchase' | 'customer' | 'subscription', id: string) =>
    (await ledger.remembered({ kind, id }, 1))[0]?.record ?? {};
  for (const [kind, id] of [
    ['purchase', purchaseId(COUNT / 2)],
    ['subscription', '071-S-500'],
    ['customer', '071-C-500'],
  ] as const) {
    const record = await recordOf(kind, id);
    await timed(`ties of a ${kind}`, async () => {
      const { items } = await relatedRecords(known, { kind, record }, OWNER);
      return items.length;
    });
  }
  for (const [name, text] of [
    ['a purchase by id', purchaseId(COUNT / 2)],
    ['a subscription by reference', 'SUB-500'],
    ['a customer by id', '071-C-500'],
    ['a name that all have', 'Ada Byron'],
  ] as const)
    await timed(`history of ${name}`, async () => {
      const { of, items } = await historyOf(known, text, OWNER);
      return Math.max(of.length, items.length);
    });
}

/** @param work returns how much it found */
async function timed(name: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    found = await work();
    times.push(performance.now() - started);
  }
  const [first = 0] = times;
  const ms = (time: number) => Number(time.toFixed(1));
  say({ name, found, first_ms: ms(first), best_ms: ms(Math.min(...times)) });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const opened = await openLedger(path, { now: () => new Date('2026-11-02T00:00:00Z') });
if (what === 'fill') say(await fill(opened, path, COUNT));
else await ask(opened);
await opened.close();
