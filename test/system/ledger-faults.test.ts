/** A ledger on a server that goes wrong, as whoever runs the built program meets it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { gw, resultsOf, writeRefunds } from '../helpers/batch.ts';
import { type CuttingProxy, startCuttingProxy } from '../helpers/cutting-proxy.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { Cluster, findPostgres, type TestDatabase } from '../helpers/postgres.ts';
import { type Machine, machineFor, startOn, teamEntries } from '../helpers/team.ts';

const programs = findPostgres();
const KEPT =
  'gw keeps the outcome on this machine and writes it to the ledger when it can be reached';

describe.skipIf(programs === undefined)('a ledger on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  let gateway: FaultGateway;
  let database: TestDatabase;
  let proxy: CuttingProxy;
  let machine: Machine;
  let purchase: string;

  beforeEach(async () => {
    gateway = await startFaultGateway({ seed: 1, perMille: {} });
    database = await cluster.database();
    proxy = await startCuttingProxy(database.url);
    machine = machineFor('ada', gateway.url, proxy.url);
    [purchase = ''] = await gateway.purchases(1, 1_000);
  });
  afterEach(async () => {
    await proxy.close();
    await gateway.close();
  });

  const refund = (reference = 'R-1', at = machine) =>
    gw(at, [
      ...['refund', 'create', '--transaction-id', purchase, '--amount', '10'],
      ...['--reference', reference, '-o', 'jsonl'],
    ]);
  const at = (url: string): Machine => ({
    ...machine,
    env: { ...machine.env, GW_LEDGER_URL: url },
  });
  const statesOf = async () =>
    (await teamEntries(database.url)).map(({ reference, state }) => `${reference} ${state}`).sort();
  const outcomesOf = ({ home }: Machine) => {
    const folder = path.join(home, '.local/state/gw/outcomes');
    return readdirSync(folder).map((name) => path.join(folder, name));
  };

  test('that is unreachable at the start stops all requests', async () => {
    proxy.goAway();
    const alone = await refund();
    expect(alone.code).toBe(10);
    expect(alone.stderr).toContain('Could not reach the ledger');
    expect(alone.stderr).toContain('Nothing was sent.');
    const { file } = writeRefunds(machine, [purchase], 3);
    const batch = await gw(machine, ['refund', 'batch', file]);
    expect(batch.code, batch.stderr).toBe(10);
    expect(batch.stdout).toBe('');
    expect(gateway.requests()).toBe(0);
  });

  test('that goes away after a request gets its outcome with the next command', async () => {
    gateway.options.onMoment = (moment) => {
      if (moment === 'processed') proxy.goAway();
    };
    const sent = await refund();
    expect(sent.code, sent.stderr).toBe(0);
    expect(JSON.parse(sent.stdout)).toMatchObject({ amount: -10, successful: true });
    expect(sent.stderr).toContain(KEPT);
    expect(sent.stderr.split('\n').filter(Boolean)).toHaveLength(1);
    expect(await statesOf()).toEqual(['R-1 sending']);
    const [kept = ''] = outcomesOf(machine);
    expect(statSync(kept).mode & 0o077).toBe(0);

    proxy.comeBack();
    const list = await gw(machine, ['journal', 'list', '-o', 'jsonl']);
    expect(list.code, list.stderr).toBe(0);
    expect(await statesOf()).toEqual(['R-1 done']);
    expect(outcomesOf(machine)).toEqual([]);
    expect((await refund()).code).toBe(10);
    expect(gateway.requests()).toBe(1);
    expect((await refund('R-2')).code).toBe(0);
  });

  test('that has lost an entry stops the machine that has its outcome', async () => {
    const { file } = writeRefunds(machine, [purchase], 3);
    const batch = () => gw(machine, ['refund', 'batch', file, '--concurrency', '1']);
    gateway.options.onMoment = (moment) => {
      if (moment === 'processed') proxy.goAway();
    };
    expect((await refund('R-0')).stderr).toContain(KEPT);
    const [{ id = '' } = {}] = await teamEntries(database.url);
    await cluster.query(database.name, 'DELETE FROM gw.money_requests');
    proxy.comeBack();
    await gw(machine, ['ledger', 'init', database.url, '--accept-restore', '--confirm', '1']);

    for (const again of [
      await batch(),
      await refund('R-0'),
      await gw(machine, ['refund', 'batch', file, '--dry-run']),
    ]) {
      expect(again.code, again.stderr).toBe(10);
      expect(again.stderr).toContain(`\`gw journal resolve ${id}\` shows it.`);
    }
    expect((await gw(machine, ['purchase', 'get', purchase])).code).toBe(0);
    expect(gateway.requests()).toBe(1);

    expect((await gw(machine, ['journal', 'resolve', id, '--yes'])).code).toBe(0);
    gateway.options.onMoment = () => undefined;
    expect((await refund('R-1')).code).toBe(0);
  });

  test('that loses an entry during its request stops all later ones, and the outcome is stored', async () => {
    gateway.options.onMoment = (moment, count) =>
      moment === 'arrived' &&
      count === 1 &&
      cluster.query(database.name, 'DELETE FROM gw.money_requests');
    const sent = await refund();
    expect(JSON.parse(sent.stdout)).toMatchObject({ successful: true });
    expect(sent.stderr).toMatch(/no longer has the entry .*`gw journal resolve \S+` shows it\./s);
    expect(outcomesOf(machine)).toHaveLength(1);
    await gw(machine, ['ledger', 'init', database.url, '--accept-restore', '--confirm', '1']);
    expect((await refund()).code).toBe(10);
    expect((await refund('R-2')).code).toBe(10);
    expect(gateway.requests()).toBe(1);
  });

  test('that has lost an entry shows its stored outcome, which a person may drop', async () => {
    gateway.options.onMoment = (moment) => {
      if (moment === 'processed') proxy.goAway();
    };
    const sent = await refund();
    expect(sent.stderr).toContain(KEPT);
    const { id: record } = JSON.parse(sent.stdout);
    const [{ id = '' } = {}] = await teamEntries(database.url);
    await cluster.query(database.name, 'DELETE FROM gw.money_requests');
    proxy.comeBack();
    const list = await gw(machine, ['journal', 'list']);
    expect(list.stderr).toContain(`\`gw journal resolve ${id}\` shows it.`);

    const resolve = (...flags: string[]) =>
      gw(machine, ['journal', 'resolve', id.slice(0, 8), ...flags]);
    const unconfirmed = await resolve();
    expect(unconfirmed.code).toBe(10);
    expect(unconfirmed.stderr).toContain(`${id}. This machine keeps its outcome: done`);
    expect(unconfirmed.stderr).toContain(`record ${record}`);
    expect(unconfirmed.stderr).toContain('add --yes');
    const said = await resolve('--as', 'done', '--yes');
    expect(said.code).toBe(10);
    expect(said.stderr).toContain('an entry that is gone');
    expect(outcomesOf(machine)).toHaveLength(1);

    const dropped = await resolve('--yes');
    expect(dropped.code, dropped.stderr).toBe(0);
    expect(dropped.stderr).toContain('`gw reconcile`');
    expect(outcomesOf(machine)).toEqual([]);
    expect((await gw(machine, ['journal', 'list'])).stderr).not.toContain('kept');
    expect((await resolve('--yes')).code).not.toBe(0);
    expect(gateway.requests()).toBe(1);
  });

  test('without connections, with ended statements or held locks says so', async () => {
    const grants = `CREATE ROLE op LOGIN CONNECTION LIMIT 0; GRANT USAGE ON SCHEMA gw TO op;
      GRANT ALL ON ALL TABLES IN SCHEMA gw TO op; GRANT ALL ON ALL SEQUENCES IN SCHEMA gw TO op`;
    await cluster.query(database.name, grants);
    const op = at(database.url.replace('gw@', 'op@'));
    const busy = await refund('R-1', op);
    expect(busy.code).toBe(10);
    expect(busy.stderr).toContain('has no room for more');
    expect(busy.stderr).toContain('Nothing was sent.');

    await cluster.query(
      database.name,
      "ALTER ROLE op CONNECTION LIMIT -1; ALTER ROLE op SET statement_timeout = '300ms'",
    );
    const { Client } = (await import('pg')).default;
    const holder = new Client({
      host: cluster.folder,
      port: cluster.port,
      user: 'gw',
      database: database.name,
    });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE gw.target_locks IN ACCESS EXCLUSIVE MODE');
      const late = await refund('R-1', op);
      expect(late.code).toBe(10);
      expect(late.stderr).toContain('took too long (canceling statement due to statement timeout)');
      expect(late.stderr).toContain('Nothing was sent.');
    } finally {
      await holder.end();
    }
    expect(gateway.requests()).toBe(0);
    // On a busy machine what is not held may take as long.
    await cluster.query(database.name, 'ALTER ROLE op RESET statement_timeout');
    expect((await refund('R-1', op)).code).toBe(0);
    expect(await statesOf()).toEqual(['R-1 done']);
  });

  test('with a full disk stops all requests until there is room', async ({ skip }) => {
    const disk = path.join(cluster.folder, 'disk');
    mkdirSync(disk);
    const isMounted =
      process.getuid?.() === 0 &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m,mode=0777', 'tmpfs', disk]).status === 0;
    if (!isMounted) skip('only root may mount a small disk');
    onTestFinished(async () => {
      await cluster.query('postgres', `DROP DATABASE ${database.name} WITH (FORCE)`);
      await cluster.query('postgres', 'DROP TABLESPACE IF EXISTS small');
      spawnSync('umount', ['-l', disk]);
    });
    const space = path.join(disk, 'space');
    mkdirSync(space);
    execFileSync('chown', ['nobody', space]);
    chmodSync(space, 0o700);
    await cluster.query('postgres', `CREATE TABLESPACE small LOCATION '${space}'`);
    await cluster.query('postgres', `ALTER DATABASE ${database.name} SET TABLESPACE small`);
    await cluster.query(
      database.name,
      'CREATE TABLE gw.ballast (text text) WITH (autovacuum_enabled = off)',
    );
    const fill = `INSERT INTO gw.ballast SELECT repeat(md5(n::text), 30) FROM generate_series(1, $1) AS n`;
    for (const rows of [1_000, 30, 1])
      while (
        await cluster.query(database.name, fill, [rows]).then(
          () => true,
          () => false,
        )
      );
    const full = at(database.url);
    // Until the pages that are there are full as well.
    let refused = await refund('R-0', full);
    for (let n = 1; refused.code === 0 && n < 40; n++) refused = await refund(`R-${n}`, full);
    expect(refused.stderr).toMatch(
      /The server of .* has no room for more \(.*No space left on device\)/,
    );
    expect(refused.code).toBe(10);
    expect(refused.stderr).toContain('Nothing was sent.');
    const sent = gateway.requests();
    await cluster.query(database.name, 'DROP TABLE gw.ballast');
    expect((await refund('R-after', full)).code).toBe(0);
    expect(gateway.requests()).toBe(sent + 1);
  });

  test('that is away does not stop a look-up, which adds one line', async () => {
    proxy.goAway();
    const shown = await gw(machine, ['purchase', 'get', purchase, '-o', 'id']);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toBe(`${purchase}\n`);
    expect(shown.stderr).toMatch(/^Note: gw could not store this record\. Could not reach .*\n$/);
  });

  test('that goes away during a batch makes it wait until an interruption', async () => {
    const purchases = await gateway.purchases(8, 1_000);
    const { file } = writeRefunds(machine, purchases, 80);
    const args = ['refund', 'batch', file, '--concurrency', '4'];
    gateway.options.onMoment = (moment, count) => {
      if (moment === 'processed' && count === 20) proxy.goAway();
    };
    const running = startOn(machine, args);
    await running.printed(/Waiting up to a minute for it\./);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.code ?? ended.signal).toBe('SIGINT');
    const outcomes = resultsOf(ended).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(80);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(gateway.requests());
    expect(outcomes.filter((outcome) => outcome === 'unknown')).toEqual([]);
    expect(ended.stderr.split(KEPT)).toHaveLength(2);

    proxy.comeBack();
    const again = await gw(machine, args);
    expect(again.code, again.stderr).toBe(0);
    expect(gateway.requests()).toBe(80);
    expect(await statesOf()).toEqual(
      expect.arrayContaining([...gateway.refunds().keys()].map((reference) => `${reference} done`)),
    );
  });

  test('that restarts during a batch makes it wait, and the batch goes on', async () => {
    const purchases = await gateway.purchases(8, 1_000);
    const { file } = writeRefunds(machine, purchases, 80);
    gateway.options.onMoment = (moment, count) => {
      if (moment === 'processed' && count === 20) proxy.goAway();
    };
    const running = startOn(machine, ['refund', 'batch', file, '--concurrency', '4']);
    await running.printed(/Waiting up to a minute for it\./);
    proxy.comeBack();
    const ended = await running.ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('The ledger is back.');
    expect(gateway.requests()).toBe(80);
  });
});
