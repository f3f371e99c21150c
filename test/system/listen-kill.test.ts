/**
 * A listener that is killed at random moments during a stream of 2,000 deliveries loses none.
 *
 *     npm run build && GW_KILLS=100 npx vitest run test/system/listen-kill.test.ts
 *     GW_SEED=7 …   repeats a run
 */
import { Agent } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StoredEvent } from '../../src/events/event.ts';
import { EventFile } from '../../src/events/store/event-file.ts';
import { charge, post, startListener } from '../helpers/listener.ts';
import { randomFrom } from '../helpers/random.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const DELIVERIES = 2_000;
const KILLS = Number(process.env.GW_KILLS ?? 10);
const SEED = Number(process.env.GW_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SENDERS = 16;

test(`${KILLS} kills lose no delivery (seed ${SEED})`, { timeout: 900_000 }, async () => {
  const home = temporaryDirectory();
  const random = randomFrom(SEED);
  // A kill comes when so many requests have been sent; where the listener is by then is chance.
  const killsAt = Array.from({ length: KILLS }, () => Math.floor(random() * DELIVERIES)).sort(
    (a, b) => a - b,
  );
  let listener = await startListener(home, ['-o', 'jsonl']);
  let ready = Promise.resolve();
  const restart = async () => {
    listener.child.kill('SIGKILL');
    await listener.ended;
    // On a port of its own: the last one may be another process's meanwhile.
    listener = await startListener(home, ['-o', 'jsonl']);
  };

  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const acknowledged: string[] = [];
  let attempts = 0;
  let lost = 0;
  let sent = 0;
  let next = 0;
  const deliver = async (n: number) => {
    for (let attempt = 1; ; attempt++) {
      await ready;
      if (sent++ >= (killsAt[0] ?? Number.POSITIVE_INFINITY)) {
        killsAt.shift();
        ready = ready.then(restart);
      }
      attempts++;
      // A delivery has the same id and body each time; another header tells its attempts apart.
      const name = `${n}.${attempt}`;
      const headers = { 'X-Gw-Delivery': String(n), 'X-Attempt': name };
      const body = JSON.stringify(charge(`P-${n}`, { subscription: `S-${n % 50}` }));
      const answer = await post(listener.url, body, { headers, agent }).catch(() => undefined);
      if (answer?.status === 200) {
        acknowledged.push(name);
        return;
      }
      lost++;
    }
  };
  const sender = async () => {
    while (next < DELIVERIES) await deliver(next++);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await ready;
  listener.child.kill('SIGTERM');
  expect((await listener.ended).code).toBe(0);
  agent.destroy();

  const store = new EventFile(path.join(home, '.local/state/gw/ledger.db'));
  onTestFinished(() => store.close());
  const rows: StoredEvent[] = [];
  for await (const event of store.list({ limit: 1_000_000 })) rows.push(event);
  const timesListed = countBy(rows, (event) => headerOf(event, 'X-Attempt'));
  const originals = countBy(
    rows.filter(({ duplicateOf }) => duplicateOf === null),
    (event) => headerOf(event, 'X-Gw-Delivery'),
  );
  process.stdout.write(
    `${KILLS} kills, seed ${SEED}: ${attempts} attempts, ${lost} without an answer, ${rows.length} events kept\n`,
  );
  expect(killsAt).toEqual([]);
  expect(acknowledged.filter((name) => timesListed.get(name) !== 1)).toEqual([]);
  expect([...timesListed.values()].filter((times) => times !== 1)).toEqual([]);
  expect(originals.size).toBe(DELIVERIES);
  expect([...originals.values()].filter((times) => times !== 1)).toEqual([]);
});

function headerOf({ headers }: StoredEvent, wanted: string): string {
  return String(headers.find(([name]) => name === wanted)?.[1]);
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
