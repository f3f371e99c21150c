/** A second server that follows the one of a test and can take over from it. */
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Cluster, SUPERUSER } from './postgres.ts';

/** Every commit of the first one waits for it. @returns its port, and what makes it the server */
export async function startStandby(cluster: Cluster): Promise<{ port: number; promote(): void }> {
  const port = cluster.port + 1;
  const data = path.join(cluster.folder, 'standby');
  const from = ['-h', cluster.folder, '-p', String(cluster.port), '-U', SUPERUSER];
  const how = ['-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  cluster.run('pg_basebackup', ['-D', data, ...how, ...from]);
  const log = path.join(cluster.folder, 'standby.log');
  cluster.run('pg_ctl', ['-D', data, '-w', '-l', log, '-o', `-p ${port}`, 'start']);
  onTestFinished(() => cluster.run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']));
  await cluster.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await cluster.query('postgres', 'SELECT pg_reload_conf()');
  const isFollowing = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await expect.poll(() => cluster.query('postgres', isFollowing)).toHaveLength(1);
  return { port, promote: () => cluster.run('pg_ctl', ['-D', data, '-w', 'promote']) };
}
