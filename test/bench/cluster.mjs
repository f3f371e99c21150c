/** A PostgreSQL server of a benchmark's own: that of the tests, with the settings that a real one has. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Inside the repository, so that the packages which stay outside the bundle are found. */
const BUNDLE = path.resolve('node_modules/.cache/gw-bench/postgres.mjs');
const AS_REAL = ['fsync = on', 'autovacuum = on', 'shared_buffers = 256MB', 'max_wal_size = 4GB'];

/**
 * @param {string[]} settings further lines of postgresql.conf
 * @returns {Promise<import('../helpers/postgres.ts').Cluster>} a running server, which ends with this process
 */
export async function startCluster(...settings) {
  const build = await rolldown({
    input: path.resolve('test/helpers/postgres.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  mkdirSync(path.dirname(BUNDLE), { recursive: true });
  await build.write({ file: BUNDLE, format: 'esm', codeSplitting: false });
  await build.close();
  const { Cluster, findPostgres } = await import(pathToFileURL(BUNDLE).href);
  const programs = findPostgres();
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  const cluster = new Cluster(programs, [...AS_REAL, ...settings]);
  process.on('exit', () => cluster.discard());
  return cluster;
}

/**
 * @param {import('../helpers/postgres.ts').Cluster} cluster
 * @returns {number} the CPU that the server has taken so far, in milliseconds, with that of connections that have ended
 */
export function cpuOfServer({ folder }) {
  const [first = ''] = readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n');
  const processes = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? statOf(name) : [],
  );
  const ticks = processes.flatMap(({ pid, parent, own, ended }) => {
    if (pid === first) return own + ended;
    return parent === first ? own : [];
  });
  return (ticks.reduce((sum, one) => sum + one, 0) * 1_000) / TICKS_A_SECOND;
}

const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @param {string} pid */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(9, 13).map(Number);
    return [{ pid, parent, own: user + system, ended: endedUser + endedSystem }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
