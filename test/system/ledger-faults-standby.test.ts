/** A server that dies, and its standby that takes over, while a batch is on its way. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resultsOf, writeRefunds } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { startStandby } from '../helpers/standby.ts';
import { machineFor, startOn, teamEntries } from '../helpers/team.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('a standby', () => {
  const cluster = new Cluster(programs, ['wal_level = replica', 'max_wal_senders = 4']);
  afterAll(() => cluster.remove());

  let gateway: FaultGateway;
  beforeEach(async () => {
    gateway = await startFaultGateway({ seed: 1, perMille: {} });
  });
  afterEach(() => gateway.close());

  test('that takes over during a batch gets its writes, and no line is sent twice or lost', async () => {
    const database = await cluster.database();
    const { port, promote } = await startStandby(cluster);
    const { url, moveTo } = cluster.movingUrl(database.name);
    const machine = machineFor('ada', gateway.url, url);
    const purchases = await gateway.purchases(8, 1_000);
    const { file, references } = writeRefunds(machine, purchases, 80);
    gateway.options.onMoment = (moment, count) => {
      if (moment === 'processed' && count === 20) cluster.stop('immediate');
    };
    const running = startOn(machine, ['refund', 'batch', file, '--concurrency', '4']);
    await running.printed(/Waiting up to a minute for it\./);
    // The name leads there before the standby has taken over.
    moveTo(port);
    promote();
    const ended = await running.ended;
    cluster.start();
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('The ledger is back.');
    expect(resultsOf(ended).map(({ outcome }) => outcome)).toEqual(references.map(() => 'done'));
    expect(gateway.requests()).toBe(80);
    expect([...gateway.refunds().values()].filter((count) => count > 1)).toEqual([]);
    const there = database.url.replace(/port=\d+/, `port=${port}`);
    const entries = await teamEntries(there);
    expect(entries.map(({ state }) => state)).toEqual(references.map(() => 'done'));
  });
});
