/**
 * A team's ledger that goes back to an older state: no machine that has seen what it lacks sends anything, until an
 * owner accepts that.
 */
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { gw, resultsOf, writeRefunds } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { Cluster, findPostgres, SUPERUSER } from '../helpers/postgres.ts';
import { startStandby } from '../helpers/standby.ts';
import { type Machine, machineFor, startOn } from '../helpers/team.ts';

const REPLICATED = ['wal_level = replica', 'max_wal_senders = 4'];
const programs = findPostgres();

/** Drops the outcomes that a machine keeps of entries that the ledger lost: their owner has compared them. */
async function dropLost(machine: Machine): Promise<void> {
  const listed = await gw(machine, ['journal', 'resolve', '--lost']);
  const [, n] = /keeps ([\d,]+) outcomes? of requests/.exec(listed.stderr) ?? [];
  expect(listed.code, listed.stderr).toBe(n === '0' ? 0 : 10);
  const dropped = await gw(machine, ['journal', 'resolve', '--lost', '--confirm', `${n}`]);
  expect(dropped.code, dropped.stderr).toBe(0);
}

/** Accepts what is missing, by the number that gw asks for. */
async function accept(machine: Machine): Promise<string> {
  const args = ['ledger', 'init', '--accept-restore'];
  const asked = await gw(machine, args);
  expect(asked.code, asked.stderr).toBe(10);
  const [, n = ''] = /add --confirm (\d+)/.exec(asked.stderr) ?? [];
  const wrong = await gw(machine, [...args, '--confirm', `${Number(n) + 1}`]);
  expect(wrong.code, wrong.stderr).toBe(10);
  const accepted = await gw(machine, [...args, '--confirm', n]);
  expect(accepted.code, accepted.stderr).toBe(0);
  return accepted.stderr;
}

describe.skipIf(programs === undefined)('a restored ledger', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  let gateway: FaultGateway;
  let purchase: string;
  beforeEach(async () => {
    gateway = await startFaultGateway({ seed: 1, perMille: {} });
    [purchase = ''] = await gateway.purchases(1, 100_000);
  });
  afterEach(() => gateway.close());

  const refund = (machine: Machine, reference: string, ...args: string[]) =>
    gw(machine, [
      ...['refund', 'create', '--transaction-id', purchase, '--amount', '100'],
      ...['--reference', reference, ...args],
    ]);

  const connection = () => ['-h', cluster.folder, '-p', String(cluster.port), '-U', SUPERUSER];

  /** @returns what brings the database back */
  function dump(name: string): () => Promise<void> {
    const file = path.join(cluster.folder, `${name}.dump`);
    cluster.run('pg_dump', [...connection(), '-Fc', '-f', file, name]);
    return async () => {
      await cluster.query('postgres', `DROP DATABASE ${name} WITH (FORCE)`);
      await cluster.query('postgres', `CREATE DATABASE ${name}`);
      cluster.run('pg_restore', [...connection(), '-d', name, file]);
    };
  }

  const WAYS: [way: string, keep: (name: string) => Promise<() => unknown>][] = [
    ['a dump that is restored', async (name) => dump(name)],
    ['a copy of its files', async () => cluster.snapshot()],
  ];

  test.each(WAYS)('by %s stops all requests until its owner accepts it', async (_, keep) => {
    const { name, url } = await cluster.database();
    const ada = machineFor('ada', gateway.url, url);
    const ben = machineFor('ben', gateway.url, url);
    expect(await refund(ada, 'R-0')).toMatchObject({ code: 0 });
    const bringBack = await keep(name);
    for (const reference of ['R-1', 'R-2', 'R-3'])
      expect(await refund(ada, reference)).toMatchObject({ code: 0 });
    // Ben has only looked.
    expect(await gw(ben, ['journal', 'list'])).toMatchObject({ code: 0 });
    await bringBack();
    // Another profile of a machine that has seen more, and a machine that has seen nothing.
    const elsewhere = await gw(ada, [
      ...['profile', 'set', 'second', '--environment', 'sandbox', '--base-url', gateway.url],
      ...['--credential-command', `echo '{"username": "TEST", "token": "TEST"}'`],
    ]);
    expect(elsewhere.code, elsewhere.stderr).toBe(0);
    const second = { ...ada, env: { ...ada.env, GW_PROFILE: 'second' } };
    const cleo = machineFor('cleo', gateway.url, url);

    for (const machine of [second, cleo])
      for (const args of [['--dry-run'], []])
        expect((await refund(machine, 'R-3', ...args)).code).toBe(10);
    expect((await refund(cleo, 'R-3')).stderr).toMatch(
      /ada on .* \(role gw\) has seen an entry of/,
    );
    for (const machine of [ada, ben])
      for (const args of [[], ['--dry-run']]) {
        const again = await gw(machine, [
          ...['refund', 'create', '--transaction-id', purchase, '--amount', '100'],
          ...['--reference', 'R-3', ...args],
        ]);
        expect(again.code, again.stderr).toBe(10);
        expect(again.stderr).toMatch(/has seen an entry of .* that the ledger at .* lacks/);
        expect(again.stderr).toContain('gw ledger init --accept-restore');
      }
    expect(gateway.requests()).toBe(4);
    const doctor = await gw(ben, ['doctor', '--offline', '--fields', 'check,state,message']);
    expect(doctor.stdout).not.toMatch(/has seen an entry of/);
    const asked = await gw(ben, ['doctor', '--fields', 'check,state,message']);
    expect(asked.stdout).toMatch(/^ledger\tfailed\t.*has seen an entry/m);
    const status = await gw(ben, ['ledger', 'status']);
    expect(status).toMatchObject({ code: 10, stdout: expect.stringContaining('PostgreSQL') });
    expect(status.stderr).toMatch(/has seen an entry of/);
    // To look is no harm.
    expect(await gw(ada, ['journal', 'list'])).toMatchObject({ code: 0 });

    const accepted = await accept(cleo);
    expect(accepted).toMatch(/entry is known to be missing|entries are known to be missing/);
    expect(accepted).toMatch(/Entries are missing since \d{4}-\d\d-\d\d at /);
    expect(accepted).toMatch(/ada on .* has seen an entry of/);
    for (const machine of [ada, ben])
      expect(await refund(machine, `R-${machine.operator}`)).toMatchObject({ code: 0 });
    expect(await gw(ben, ['ledger', 'status'])).toMatchObject({ code: 0 });
    expect(gateway.requests()).toBe(6);
  });

  test('on another server has no operators, which gw says to both sides', async () => {
    const { name, url } = await cluster.database();
    await cluster.query('postgres', 'CREATE ROLE ida LOGIN');
    const owner = machineFor('ada', gateway.url, url);
    const init = (address: string, ...args: string[]) =>
      gw(owner, ['ledger', 'init', address, ...args]);
    expect(await init(url, '--operator', 'ida')).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('no operators'),
    });
    // A dump leaves the members of roles out, which are the server's.
    await cluster.query('postgres', `REVOKE gw_operator_${name} FROM ida`);
    const ida = machineFor('ida', gateway.url, url.replace(`${SUPERUSER}@`, 'ida@'));
    expect(await init(url)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('It has no operators.'),
    });
    expect(await gw(ida, ['journal', 'list'])).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('the owner runs `gw ledger init --operator ROLE`'),
    });
    expect(await init(url, '--operator', 'ida')).toMatchObject({ code: 0 });
    expect(await gw(ida, ['journal', 'list'])).toMatchObject({ code: 0 });
  });

  test('by a return to the earlier server stops all requests', async () => {
    const replicated = new Cluster(programs, REPLICATED);
    onTestFinished(() => replicated.discard());
    const { name } = await replicated.database();
    const { url, moveTo } = replicated.movingUrl(name);
    const ada = machineFor('ada', gateway.url, url);
    expect(await refund(ada, 'R-0')).toMatchObject({ code: 0 });
    const { port, promote } = await startStandby(replicated);
    replicated.stop('immediate');
    promote();
    moveTo(port);
    const refused = await refund(ada, 'R-1');
    expect(refused).toMatchObject({ code: 10, stdout: '' });
    expect(refused.stderr).toMatch(/a standby took over/);
    const asked = await gw(ada, ['doctor', '--fields', 'check,state,message']);
    expect(asked.stdout).toMatch(/^ledger\tfailed\t.*a standby took over/m);
    expect(await accept(ada)).toMatch(/^0 entries are known to be missing.*may be missing since/m);
    expect(await refund(ada, 'R-1')).toMatchObject({ code: 0 });
    expect(gateway.requests()).toBe(2);

    replicated.start();
    await replicated.query('postgres', 'ALTER SYSTEM RESET synchronous_standby_names');
    await replicated.query('postgres', 'SELECT pg_reload_conf()');
    moveTo(replicated.port);
    expect(await refund(ada, 'R-1')).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringMatching(/has seen an entry of .* that the ledger at .* lacks/),
    });
    const ben = machineFor('ben', gateway.url, url);
    expect(await refund(ben, 'R-1')).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringMatching(/ada on .* has seen an entry of/),
    });
    expect(gateway.requests()).toBe(2);
  });

  test('during a batch ends it, and says which lines are done and what to send', async () => {
    const { name, url } = await cluster.database();
    const ada = machineFor('ada', gateway.url, url);
    const { file } = writeRefunds(ada, [purchase], 60);
    const bringBack = dump(name);
    let back: Promise<void> | undefined;
    gateway.options.onMoment = async (moment, count) => {
      if (moment !== 'arrived' || count < 20) return;
      back ??= bringBack();
      await back;
    };
    const failed = path.join(ada.home, 'left.csv');
    const args = ['refund', 'batch', file, '--concurrency', '4', '--failed', failed];
    const stopped = await startOn(ada, args).ended;
    expect(stopped.code, stopped.stderr).toBe(10);
    expect(stopped.stderr).not.toMatch(/nothing is sent twice/);
    expect(stopped.stderr).toMatch(/results of this run/);
    const isOpen = ({ outcome }: { outcome: string }) => outcome !== 'done';
    const left = resultsOf(stopped).filter(isOpen).length;
    expect(left).toBeGreaterThan(30);
    expect(gateway.requests() + left).toBe(60);

    const again = await startOn(ada, ['refund', 'batch', file]).ended;
    expect(again.code, again.stderr).toBe(10);
    expect(again.stderr).not.toMatch(/nothing is sent twice/);
    await accept(ada);
    await dropLost(ada);
    const rest = await startOn(ada, ['refund', 'batch', failed]).ended;
    expect(rest.code, rest.stderr).toBe(0);
    expect(Math.max(...gateway.refunds().values())).toBe(1);
    expect(gateway.refunds().size).toBe(60);
  });
});
