/** A server that dies, and its standby that takes over, while a batch is on its way. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { resultsOf, writeRefunds } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { machineFor, startOn, teamEntries } from '../helpers/team.ts';

const programs = findPostgres();
const NOBODY = 65_534;

describe.skipIf(programs === undefined)('a standby', () => {
  const cluster = new Cluster(programs ?? '', ['wal_level = replica', 'max_wal_senders = 4']);
  afterAll(() => cluster.remove());

  let gateway: FaultGateway;
  beforeEach(async () => {
    gateway = await startFaultGateway({ seed: 1, perMille: {} });
  });
  afterEach(() => gateway.close());

  /** A copy that follows, and that every commit waits for. @returns its port, and what makes it the server */
  async function startStandby() {
    const port = cluster.port + 1;
    const data = path.join(cluster.folder, 'standby');
    const asNobody = { uid: NOBODY, gid: NOBODY };
    const as = {
      cwd: cluster.folder,
      stdio: 'ignore',
      ...(process.getuid?.() === 0 && asNobody),
    } as const;
    const run = (program: string, args: readonly string[]) =>
      execFileSync(path.join(programs ?? '', program), args, as);
    const from = ['-h', cluster.folder, '-p', String(cluster.port), '-U', 'gw'];
    run('pg_basebackup', ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', ...from]);
    const log = path.join(cluster.folder, 'standby.log');
    run('pg_ctl', ['-D', data, '-w', '-l', log, '-o', `-p ${port}`, 'start']);
    onTestFinished(() => void run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']));
    await cluster.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await cluster.query('postgres', 'SELECT pg_reload_conf()');
    const isFollowing = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    await expect.poll(() => cluster.query('postgres', isFollowing)).toHaveLength(1);
    return { port, promote: () => run('pg_ctl', ['-D', data, '-w', 'promote']) };
  }

  test('that takes over in a batch takes its writes, and nothing is sent twice or lost', async () => {
    const database = await cluster.database();
    const { port, promote } = await startStandby();
    const both = database.url
      .replace(/host=([^&]*)/, 'host=$1,$1')
      .replace(/port=(\d+)/, `port=$1,${port}`);
    const machine = machineFor('ada', gateway.url, both);
    const purchases = await gateway.purchases(8, 1_000);
    const { file, references } = writeRefunds(machine, purchases, 80);
    gateway.options.onMoment = (moment, count) => {
      if (moment === 'processed' && count === 20) cluster.stop('immediate');
    };
    const running = startOn(machine, ['refund', 'batch', file, '--concurrency', '4']);
    await running.printed(/Waiting up to a minute for it\./);
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
