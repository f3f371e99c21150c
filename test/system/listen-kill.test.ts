/**
 * A listener that is killed at random moments during a stream of 2,000 deliveries loses none.
 *
 *     npm run build && GW_KILLS=100 npx vitest run test/system/listen-kill.test.ts
 *     GW_SEED=7 …   repeats a run
 */
import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { charge, gw, post, recordsOf, startListener } from '../helpers/listener.ts';
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
      // The purchase is the delivery's identity; the reference tells its attempts apart.
      const reference = `${n}.${attempt}`;
      const body = JSON.stringify(charge(`P-${n}`, { reference, subscription: `S-${n % 50}` }));
      const answer = await post(listener.url, body, { agent }).catch(() => undefined);
      if (answer?.status === 200) {
        acknowledged.push(reference);
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

  const { stdout } = await gw(home, ['events', 'list', '--limit', '1000000', '-o', 'jsonl']);
  const rows = recordsOf(stdout);
  const timesListed = countBy(rows, ({ reference }) => String(reference));
  const originals = countBy(
    rows.filter(({ duplicate_of }) => duplicate_of === null),
    ({ purchase }) => String(purchase),
  );
  process.stdout.write(
    `${KILLS} kills, seed ${SEED}: ${attempts} attempts, ${lost} without an answer, ${rows.length} events kept\n`,
  );
  expect(killsAt).toEqual([]);
  expect(acknowledged.filter((reference) => timesListed.get(reference) !== 1)).toEqual([]);
  expect([...timesListed.values()].filter((times) => times !== 1)).toEqual([]);
  expect(originals.size).toBe(DELIVERIES);
  expect([...originals.values()].filter((times) => times !== 1)).toEqual([]);
});

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
