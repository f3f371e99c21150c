/** Two machines that share a ledger: entries and records are the team's, and events each machine's own. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { charge, gw, post, recordsOf, startListener } from '../helpers/listener.ts';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const programs = findPostgres();
const DAY = '2026-01-15';
const ADDRESS = /http:\/\/\S+/;
const CARD = JSON.stringify({
  ...{ card_number: '5123456789012346', card_expiry: '05/2099', cvv: '100' },
  ...{ card_holder: 'Ada Lovelace', amount: 2500, currency: 'AUD', reference: 'INV-1001' },
});

describe.skipIf(programs === undefined)('events of a team', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs as string);
  });
  afterAll(() => cluster.remove());

  async function startGateway(): Promise<string> {
    const folder = temporaryDirectory();
    const serve = ['emulator', 'start', '--port', '0', '--clock', `${DAY}T10:00:00Z`];
    const db = ['--db', path.join(folder, 'gateway.db')];
    const gateway = start(process.execPath, [PROGRAM, ...serve, ...db], {
      env: { PATH: process.env.PATH, HOME: folder },
    });
    onTestFinished(async () => {
      gateway.child.kill();
      await gateway.ended;
    });
    await gateway.printed(ADDRESS);
    return ADDRESS.exec(gateway.output())?.[0] ?? '';
  }

  test('events of one machine are found beside the requests of the team', async () => {
    const { name, url } = await cluster.database();
    const env = {
      ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_BASE_URL: await startGateway() },
      ...{ GW_ENVIRONMENT: 'sandbox', GW_LEDGER_URL: url },
    };
    const [ada, bob] = [temporaryDirectory(), temporaryDirectory()];
    const listener = await startListener(ada, [], env);
    const told = (id: string, at: string) =>
      post(listener.url, JSON.stringify(charge(id, { at: `${DAY}T${at}:00Z` })));
    await told('P-1', '08:00');
    await told('P-1', '08:00');
    await told('P-2', '11:00');

    const pay = ['purchase', 'create', '--input', '-', '-o', 'id'];
    const paid = start(process.execPath, [PROGRAM, ...pay], {
      env: { PATH: process.env.PATH, HOME: bob, TZ: 'UTC', ...env },
      input: CARD,
    });
    expect(await paid.ended).toMatchObject({ code: 0, stderr: '' });

    const found = async (home: string) =>
      recordsOf((await gw(home, ['find', 'lovelace', '-o', 'jsonl'], env)).stdout).map(
        ({ kind, id }) =>
          `${kind}${kind === 'purchase' && String(id).startsWith('P-') ? ` ${id}` : ''}`,
      );
    // A customer comes first; the rest is by time, and the purchase is of the gateway's ten o'clock.
    const charges = ['purchase P-2', 'purchase', 'purchase P-1'];
    const all = await found(ada);
    expect(all[0]).toBe('customer');
    expect(all.filter((one) => one.startsWith('purchase'))).toEqual(charges);
    expect(await found(bob)).toEqual(['purchase']);

    const listed = async (home: string) =>
      recordsOf((await gw(home, ['events', 'list', '-o', 'jsonl'], env)).stdout).map(
        ({ id, purchase, duplicate_of }) => [id, purchase, duplicate_of],
      );
    expect(await listed(ada)).toEqual([
      ['3', 'P-2', null],
      ['2', 'P-1', '1'],
      ['1', 'P-1', null],
    ]);
    expect(await listed(bob)).toEqual([]);

    const history = await gw(ada, ['history', 'SUB-1', '-o', 'csv', '--fields', 'what,id'], env);
    expect(history.stdout).toBe('what,id\ncharge,P-1\ncharge,P-2\n');
    const report = ['report', 'day', DAY, '-o', 'csv', '--fields', 'what,count'];
    expect((await gw(ada, report, env)).stdout).toBe('what,count\npurchases,1\nnet,\nheard,2\n');
    expect((await gw(bob, report, env)).stdout).toBe('what,count\npurchases,1\nnet,\n');

    const tables = await cluster.query(
      name,
      "SELECT 1 FROM pg_tables WHERE schemaname = 'gw' AND tablename LIKE 'event%'",
    );
    expect(tables).toEqual([]);
    const file = path.join(ada, '.local/state/gw/ledger.db');
    expect(readFileSync(file).length).toBeGreaterThan(0);
  });

  test('a charge with an event and a record counts once', async () => {
    const { url } = await cluster.database();
    const env = {
      ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_BASE_URL: await startGateway() },
      ...{ GW_ENVIRONMENT: 'sandbox', GW_LEDGER_URL: url },
    };
    const [ada, bob] = [temporaryDirectory(), temporaryDirectory()];
    const pay = ['purchase', 'create', '--input', '-', '-o', 'id'];
    const paid = await start(process.execPath, [PROGRAM, ...pay], {
      env: { PATH: process.env.PATH, HOME: bob, TZ: 'UTC', ...env },
      input: CARD,
    }).ended;
    const listener = await startListener(ada, [], env);
    await post(
      listener.url,
      JSON.stringify(charge(paid.stdout.trim(), { at: `${DAY}T10:00:00Z` })),
    );
    const report = ['report', 'day', DAY, '-o', 'csv', '--fields', 'what,count'];
    expect((await gw(ada, report, env)).stdout).toBe('what,count\npurchases,1\nnet,\n');
  });
});
