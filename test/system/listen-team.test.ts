/** Two listeners that keep into one ledger of a team, and pass on to one application. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { charge, gw, post, recordsOf, startListener } from '../helpers/listener.ts';
import { Cluster, findPostgres, type TestDatabase } from '../helpers/postgres.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const programs = findPostgres();
const DELIVERIES = 240;
const SOURCES = 24;
const SENDERS = 12;
/** Attempts that one listener has under way, at the most. */
const UNDER_WAY = 16;

/**
 * An application that says what it took, in its order, and whether a source came twice at once. It can
 * be made to keep its answers to itself, so that something is under way.
 */
async function startApplication() {
  const taken: { purchase: string; source: string }[] = [];
  const open = new Map<string, number>();
  const held: (() => void)[] = [];
  let isHolding = false;
  let most = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      const { subscription, response: envelope } = JSON.parse(text).payload[0];
      const source = String(subscription.id);
      const count = (by: number) => {
        const now = (open.get(source) ?? 0) + by;
        open.set(source, now);
        most = Math.max(most, now);
      };
      count(1);
      response.on('close', () => count(-1));
      taken.push({ purchase: String(envelope.response.id), source });
      const answer = () => void response.writeHead(204).end();
      if (isHolding) held.push(answer);
      else setImmediate(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    taken,
    most: () => most,
    hold: () => {
      isHolding = true;
    },
    held: () => held.length,
    letGo: () => {
      isHolding = false;
      for (const answer of held.splice(0)) answer();
    },
  };
}

describe.skipIf(programs === undefined)('gw listen on the ledger of a team', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs as string);
  });
  afterAll(() => cluster.remove());

  const listenerOf = ({ url }: TestDatabase, args: readonly string[]) =>
    startListener(temporaryDirectory(), args, { GW_LEDGER_URL: url });

  async function untilPassedOn({ name }: TestDatabase) {
    const waiting = "SELECT 1 FROM gw.event_forwards WHERE state = 'waiting' LIMIT 1";
    await expect.poll(() => cluster.query(name, waiting), { interval: 100 }).toEqual([]);
  }

  test('what one keeps another passes on, and both list', async () => {
    const database = await cluster.database();
    const { url, taken } = await startApplication();
    const keeps = await listenerOf(database, []);
    await post(keeps.url, JSON.stringify(charge('P-1')));
    const passes = await listenerOf(database, ['--forward-to', url]);
    await post(passes.url, JSON.stringify(charge('P-1')));
    await post(passes.url, JSON.stringify(charge('P-2')));
    await untilPassedOn(database);
    // The first came to a listener that passes nothing on.
    expect(taken.map(({ purchase }) => purchase)).toEqual(['P-1', 'P-2']);
    const home = temporaryDirectory();
    const args = ['events', 'list', '-o', 'jsonl'];
    const { stdout } = await gw(home, args, { GW_LEDGER_URL: database.url });
    expect(
      recordsOf(stdout).map(({ id, purchase, duplicate_of }) => [id, purchase, duplicate_of]),
    ).toEqual([
      ['3', 'P-2', null],
      ['2', 'P-1', '1'],
      ['1', 'P-1', null],
    ]);
    for (const { child, ended } of [keeps, passes]) {
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
  });

  test('one is killed and the server too: each event is passed on, in order per source', async () => {
    const database = await cluster.database();
    const application = await startApplication();
    const { url, taken } = application;
    const ask = <Row>(sql: string, values?: unknown[]) =>
      cluster.query<Row>(database.name, sql, values);
    const first = await listenerOf(database, ['--forward-to', url]);
    await post(first.url, JSON.stringify(charge('P-first', { subscription: 'S-first' })));
    await untilPassedOn(database);
    const [{ holder }] = (await ask<{ holder: string }>('SELECT holder FROM gw.event_leases')) as [
      { holder: string },
    ];
    const second = await listenerOf(database, ['--forward-to', url]);
    let listeners = [first, second];
    let next = 0;
    let takenAtKill = 0;

    const deliver = async (n: number) => {
      const body = JSON.stringify(charge(`P-${n}`, { subscription: `S-${n % SOURCES}` }));
      for (let attempt = n; ; attempt++) {
        const { url: to } = listeners[attempt % listeners.length] as typeof first;
        const answer = await post(to, body).catch(() => undefined);
        if (answer?.status === 200) return;
      }
    };
    const faults = new Map([
      [
        DELIVERIES / 4,
        async () => {
          application.hold();
          await expect.poll(application.held).toBeGreaterThan(8);
          first.child.kill('SIGKILL');
          await first.ended;
          listeners = [second];
          takenAtKill = taken.length;
          application.letGo();
          // Its time is over.
          await ask('UPDATE gw.event_leases SET lease_until = now() WHERE holder = $1', [holder]);
        },
      ],
      [
        DELIVERIES / 2,
        async () => {
          cluster.stop('immediate');
          await post(second.url, JSON.stringify(charge('P-away'))).then(({ status }) =>
            expect(status).toBe(503),
          );
          cluster.start();
        },
      ],
    ]);
    // One fault after the other: the first asks the server that the second kills.
    let fault = Promise.resolve();
    const sender = async () => {
      while (next < DELIVERIES) {
        const n = next++;
        const happens = faults.get(n);
        if (happens) fault = fault.then(happens);
        if (happens) await fault;
        await deliver(n);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    await untilPassedOn(database);
    second.child.kill('SIGTERM');
    const { code, stderr } = await second.ended;
    expect(code).toBe(0);
    expect(stderr.match(/answers deliveries with 503 until/g)).toHaveLength(1);
    expect(stderr.match(/working again/g)).toHaveLength(1);

    const kept = await ask<{ source: string; purchase: string }>(
      `SELECT replace(source, 'subscription ', '') AS source,
              (convert_from(body, 'UTF8')::json #>> '{payload,0,response,response,id}') AS purchase
         FROM gw.events ORDER BY id`,
    );
    expect(new Set(kept.map(({ purchase }) => purchase)).size).toBe(DELIVERIES + 1);
    expect(bySource(taken)).toEqual(bySource(kept));
    expect(application.most()).toBe(1);
    // What the one that was killed had under way came twice, and nothing else.
    const extra = taken.length - kept.length;
    process.stdout.write(
      `${kept.length} events, passed on ${taken.length} times; ${takenAtKill} when one was killed\n`,
    );
    expect(extra).toBeGreaterThanOrEqual(0);
    expect(extra).toBeLessThanOrEqual(UNDER_WAY);
  });
});

/** @returns purchases of each source in their order, one that is repeated at once as one */
function bySource(events: readonly { purchase: string; source: string }[]) {
  const sources: Record<string, string[]> = {};
  for (const { purchase, source } of events) {
    sources[source] ??= [];
    if (sources[source].at(-1) !== purchase) sources[source].push(purchase);
  }
  return sources;
}
