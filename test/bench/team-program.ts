/** See team.bench.mjs. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MoneyRequest } from '../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../src/journal/postgres/postgres-ledger.ts';
import { Cluster, findPostgres, SUPERUSER, serverOf } from '../helpers/postgres.ts';
import { median, PROGRAM, startGateway } from './gateway.mjs';

const [refunds = 2_000, rounds = 3, entries = 0] = process.argv.slice(2).map(Number);
const CONCURRENCY = 16;
const SINGLES = 15;
/** The refunds are of these in turn, as in batch.bench.mjs. */
const PURCHASES = 250;
const PASSWORD = 'of-the-bench';
let made = 0;

type Place = 'file' | 'socket' | 'tcp';

const say = (text: string) => process.stdout.write(`${text}\n`);
const programs = findPostgres();
if (!programs) process.exit(0);
const home = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const access = mkdtempSync(path.join(tmpdir(), 'gw-bench-hba-'));
const hba = path.join(access, 'pg_hba.conf');
writeFileSync(hba, 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n');
chmodSync(access, 0o755);
const cluster = new Cluster(programs, [
  'fsync = on',
  "listen_addresses = '127.0.0.1'",
  `hba_file = '${hba}'`,
  'max_wal_size = 4GB',
]);
const gateway = await startGateway(home);
try {
  await measure();
} finally {
  await gateway.stop();
  cluster.discard();
  rmSync(home, { recursive: true, force: true });
  rmSync(access, { recursive: true, force: true });
}

async function measure() {
  const { name, url } = await cluster.database();
  await cluster.query(name, `ALTER ROLE ${SUPERUSER} PASSWORD '${PASSWORD}'`);
  const tcp = `postgres://${SUPERUSER}@127.0.0.1:${cluster.port}/${name}`;
  const environments: Record<Place, Record<string, string | undefined>> = {
    file: gateway.env,
    socket: { ...gateway.env, GW_LEDGER_URL: url },
    tcp: { ...gateway.env, GW_LEDGER_URL: tcp, PGPASSWORD: PASSWORD },
  };
  const places = ['file', 'socket', 'tcp'] as const;
  const purchases = await makePurchases();
  const singles = await single(places, environments, purchases);
  const [file = 0] = places.map((place) => median(singles[place]));
  for (const place of places) {
    const ms = median(singles[place]);
    say(`gw refund create  ${place.padEnd(7)} ${ms.toFixed(1)} ms  ${(ms - file).toFixed(1)} more`);
  }
  const rates = { file: [], socket: [], tcp: [], two: [] } as Record<Place | 'two', number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const place of places) rates[place].push(await batches(environments[place], purchases, 1));
    rates.two.push(await batches(environments.socket, purchases, 2));
  }
  const [alone, shared] = [median(rates.file), median(rates.socket)];
  for (const [place, all] of Object.entries(rates)) {
    const rate = median(all);
    say(
      `gw refund batch   ${place.padEnd(7)} ${rate.toFixed(0)}/s  ${(rate / alone).toFixed(2)} of the file`,
    );
  }
  say(`two at once       ${(median(rates.two) / shared).toFixed(2)} of one by the socket`);
  if (entries > 0) await guard(name, url);
}

async function makePurchases(): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < PURCHASES; i++) {
    const reply = await fetch(`${gateway.url}/v1.0/purchases`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from('TEST:TEST').toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        card_number: '5123456789012346',
        card_holder: 'Ann Example',
        card_expiry: '05/2031',
        amount: 1_000_000_000,
      }),
    });
    const { response } = (await reply.json()) as { response: { id: string } };
    ids.push(response.id);
  }
  return ids;
}

async function single(
  places: readonly Place[],
  environments: Record<Place, Record<string, string | undefined>>,
  purchases: readonly string[],
) {
  const times: Record<Place, number[]> = { file: [], socket: [], tcp: [] };
  for (let i = -2; i < SINGLES; i++)
    for (const place of places) {
      const purchase = purchases[made % PURCHASES] ?? '';
      const args = ['--transaction-id', purchase, '--amount', '1', '--reference', `R-${made++}`];
      const ms = await timed(['refund', 'create', ...args, '-o', 'id'], environments[place]);
      if (i >= 0) times[place].push(ms);
    }
  return times;
}

/** @returns refunds a second, of all of them together */
async function batches(
  env: Record<string, string | undefined>,
  purchases: readonly string[],
  processes: number,
): Promise<number> {
  const files = Array.from({ length: processes }, () => {
    const file = path.join(home, `refunds-${made}.jsonl`);
    const lines = Array.from({ length: refunds }, () =>
      JSON.stringify({
        transaction_id: purchases[made % PURCHASES],
        amount: 1,
        reference: `R-${made++}`,
      }),
    );
    writeFileSync(file, lines.join('\n'));
    return file;
  });
  const startedAt = performance.now();
  await Promise.all(
    files.map((file) => timed(['refund', 'batch', file, '--concurrency', `${CONCURRENCY}`], env)),
  );
  return (refunds * processes * 1_000) / (performance.now() - startedAt);
}

/** @returns milliseconds */
function timed(args: readonly string[], env: Record<string, string | undefined>): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('close', (code) =>
      code === 0 ? resolve(performance.now() - startedAt) : reject(new Error(stderr)),
    );
  });
}

/** Of a purchase with 20 refunds among all that there are, in the process, once it is connected. */
async function guard(name: string, url: string) {
  await cluster.query(
    name,
    `INSERT INTO gw.money_requests (id, created_at, account, profile, environment, host, operation, target,
            refund_of, amount, currency, reference, body, operator, machine, state, settled_at, record_id)
     SELECT md5(n::text) || n, now() - n * interval '1 s', 'a1', 'live', 'live', 'gateway.example',
            'refund create', 'P-' || n % ${Math.ceil(entries / 20)}, 'P-' || n % ${Math.ceil(entries / 20)},
            100, 'AUD', 'REF-' || n, '{}', 'ada', 'desk', 'done', now(), 'R-' || n
       FROM generate_series(1, ${entries}) AS n`,
  );
  await cluster.query(
    name,
    `INSERT INTO gw.records_seen (account, profile, host, kind, id, environment, amount, first_seen_at,
            last_seen_at, seen_by, record)
     SELECT 'a1', 'live', 'gateway.example', 'purchase', 'P-' || n, 'live', 1000000, '', '', 'get', '{}'
       FROM generate_series(0, ${Math.ceil(entries / 20)}) AS n`,
  );
  await cluster.query(name, 'ANALYZE gw.money_requests; ANALYZE gw.records_seen');
  const ledger = openPostgresLedger(serverOf(url), {
    author: { operator: 'ada', machine: 'desk' },
    clock: { now: () => new Date(), uptimeMs: () => performance.now() },
  });
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const purchase = `P-${Math.floor((i * 7_919) % Math.ceil(entries / 20))}`;
    const request: MoneyRequest = {
      ...{ account: 'a1', profile: 'live', environment: 'live', host: 'gateway.example' },
      ...{ operation: 'refund create', target: purchase, refundOf: purchase, amount: 1 },
      ...{ currency: 'AUD', reference: `G-${i}`, body: {} },
    };
    const startedAt = performance.now();
    await ledger.intend(request, { noDuplicate: true, noOverRefund: true });
    if (i > 0) times.push(performance.now() - startedAt);
  }
  await ledger.close();
  times.sort((one, other) => one - other);
  say(
    `a guard over ${entries} entries  ${median(times).toFixed(2)} ms, at the most ${times.at(-1)?.toFixed(1)} ms`,
  );
}
