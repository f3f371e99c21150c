/** Bills many subscriptions for many days, and prints how long it took. See billing.bench.mjs. */
import { statSync } from 'node:fs';
import { addDays } from '../../src/base/calendar.ts';
import { FREQUENCIES } from '../../src/contract/resources/subscription.ts';
import { advance } from '../../src/emulator/billing/advance.ts';
import { registerHook } from '../../src/emulator/deliveries/hooks.ts';
import { readSeed } from '../../src/emulator/seed.ts';
import { openState } from '../../src/emulator/state.ts';
import { createClock } from '../../src/host/create.ts';

const [path = '', count = '10000', days = '365', frequency = 'mixed', hook = ''] =
  process.argv.slice(2);
const START = '2026-01-01';
/** One card in twenty never pays, one in twenty expires in the course of the year. */
const CARDS = ['5123456789012346', '5313581000123430'] as const;

const numbers = Array.from({ length: Number(count) }, (_, index) => index);
const seed = readSeed(
  JSON.stringify({
    seed: 'bench',
    start: `${START}T00:00:00Z`,
    merchants: [
      {
        username: 'TEST',
        plans: [{ reference: 'gold', name: 'Gold', description: 'Everything', amount: 1000 }],
        customers: numbers.map((index) => ({
          reference: `customer-${index}`,
          first_name: 'Ann',
          last_name: `Number ${index}`,
          email: 'ann@example.com',
          card: {
            card_number: CARDS[index % 20 === 0 ? 1 : 0],
            expiry_date:
              index % 20 === 1 ? `${String(1 + (index % 12)).padStart(2, '0')}/2026` : '12/2031',
          },
        })),
        subscriptions: numbers.map((index) => ({
          reference: `subscription-${index}`,
          customer: `customer-${index}`,
          plan: 'gold',
          frequency: frequency === 'mixed' ? FREQUENCIES[index % FREQUENCIES.length] : frequency,
          start_date: addDays(START, index % 28),
        })),
      },
    ],
  }),
  'seed',
);

const clock = createClock();
const store = openState({ path, clock, seed });
if (hook !== '') registerHook(store, { merchant: 'TEST', url: hook });
const to = new Date(`${addDays(START, Number(days))}T00:00:00Z`);
const started = performance.now();
let charges = 0;
let delivered = 0;
let slowestMs = 0;
let before = started;
for await (const day of advance({ store, clock, to })) {
  charges +=
    day.events['charge:successful'] + day.events['charge:retry'] + day.events['charge:failed'];
  delivered += day.delivered;
  slowestMs = Math.max(slowestMs, performance.now() - before);
  before = performance.now();
}
const seconds = (performance.now() - started) / 1000;
store.close();
process.stdout.write(
  `${JSON.stringify({
    subscriptions: Number(count),
    frequency,
    days: Number(days),
    charges,
    delivered,
    seconds: Number(seconds.toFixed(1)),
    charges_per_second: Math.round(charges / seconds),
    cpu_seconds: Number((process.cpuUsage().user / 1e6).toFixed(1)),
    slowest_day_ms: Math.round(slowestMs),
    max_memory_mib: Math.round(process.resourceUsage().maxRSS / 1024),
    file_mib: Math.round(statSync(path).size / 2 ** 20),
  })}\n`,
);
