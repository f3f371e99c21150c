/** Two people at two machines who share one ledger: each sees, and is told, what the other did. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const programs = findPostgres();
const DAY = '2026-01-15';
const CARD = JSON.stringify({
  ...{ card_number: '5123456789012346', card_expiry: '05/2099', cvv: '100' },
  ...{ card_holder: 'Ada Byron', amount: 2500, currency: 'AUD', reference: 'INV-1001' },
});

type Desk = (args: readonly string[], input?: string) => Promise<Ended>;

describe.skipIf(programs === undefined)('two operators', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs as string);
  });
  afterAll(() => cluster.remove());

  /** A gateway, and two machines that share a ledger. */
  async function open(): Promise<[Desk, Desk]> {
    const { url } = await cluster.database();
    const folder = temporaryDirectory();
    const serve = ['emulator', 'start', '--port', '0', '--clock', `${DAY}T10:00:00Z`];
    const gateway = start(
      process.execPath,
      [PROGRAM, ...serve, '--db', path.join(folder, 'gateway.db')],
      { env: { PATH: process.env.PATH, HOME: folder } },
    );
    onTestFinished(async () => {
      gateway.child.kill();
      await gateway.ended;
    });
    await gateway.printed(ADDRESS);
    const [address = ''] = ADDRESS.exec(gateway.output()) ?? [];
    const deskOf = (operator: string): Desk => {
      const env = {
        ...{ PATH: process.env.PATH, HOME: temporaryDirectory(), TZ: 'UTC' },
        ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_BASE_URL: address },
        ...{ GW_ENVIRONMENT: 'sandbox', GW_LEDGER_URL: url, GW_OPERATOR: operator },
      };
      return (args, input = '') =>
        start(process.execPath, [PROGRAM, ...args], { env, input }).ended;
    };
    return [deskOf('ada@example.org'), deskOf('bob@example.org')];
  }

  async function idOf(making: Promise<Ended>): Promise<string> {
    const made = await making;
    expect(made).toMatchObject({ code: 0, stderr: '' });
    return made.stdout.trim();
  }

  test('each operator sees what the other did', { timeout: 120_000 }, async () => {
    const [ada, bob] = await open();
    const purchase = await idOf(ada(['purchase', 'create', '--input', '-', '-o', 'id'], CARD));
    const refund = ['refund', 'create', '--transaction-id', purchase, '--amount', '500'];
    await idOf(bob([...refund, '--reference', 'RET-1', '-o', 'id']));

    const asked = ['journal', 'list', '-o', 'csv', '--fields', 'reference,operator'];
    const both = 'reference,operator\nRET-1,bob@example.org\nINV-1001,ada@example.org\n';
    for (const desk of [ada, bob]) expect((await desk(asked)).stdout).toBe(both);
    const own = ['journal', 'list', '--operator', 'me', '--fields', 'reference,operator'];
    expect((await ada(own)).stdout).toBe('INV-1001\tada@example.org\n');
    expect((await bob(own)).stdout).toBe('RET-1\tbob@example.org\n');

    const find = ['find', '--operator', 'bob@example.org', '--fields', 'kind,reference'];
    expect((await ada(find)).stdout).toBe('refund\tRET-1\n');
    const history = await bob(['history', 'INV-1001', '-o', 'csv', '--fields', 'what,operator']);
    expect(history.stdout).toBe(
      'what,operator\npurchase,ada@example.org\nrefund,bob@example.org\n',
    );
    expect(history.stderr).toContain('seen and sent by the team, and received on this machine.');
    const card = (await ada(['get', purchase, '-o', 'table'])).stdout;
    expect(card).toContain('sent by  ada@example.org\n');
    expect(card).toContain('RET-1  by bob@example.org\n         approved');

    const again = await ada([...refund, '--reference', 'RET-1']);
    expect(again).toMatchObject({ code: 10 });
    expect(again.stderr).toContain('already made');
  });

  test('have their entries signed by the server', { timeout: 120_000 }, async () => {
    const { name, url } = await cluster.database();
    const init = [PROGRAM, 'ledger', 'init', url, '--operator'];
    const env = { PATH: process.env.PATH, HOME: temporaryDirectory(), TZ: 'UTC' };
    const gw = (args: readonly string[], operator = 'ada@desk') =>
      start(process.execPath, args, {
        env: {
          ...{ ...env, GW_PROFILE: 'local', GW_OPERATOR: operator },
          GW_LEDGER_URL: url.replace('gw@', 'mallory@'),
        },
        input: '',
      }).ended;
    await cluster.query('postgres', 'CREATE ROLE mallory LOGIN');
    expect(await gw([...init, 'mallory'])).toMatchObject({ code: 0 });
    const pay = ['purchase', 'create', '--input', '-', '-o', 'id'];
    await idOf(
      start(process.execPath, [PROGRAM, ...pay], {
        env: {
          ...env,
          GW_PROFILE: 'local',
          GW_OPERATOR: 'mallory',
          GW_LEDGER_URL: url.replace('gw@', 'mallory@'),
        },
        input: CARD,
      }).ended,
    );
    await cluster.query(
      name,
      `SET SESSION AUTHORIZATION mallory;
       INSERT INTO gw.money_requests (id, created_at, account, profile, environment, host, operation,
              amount, currency, reference, body, operator, machine)
       SELECT 'forged', '2020-01-01', account, profile, environment, host, operation, amount, currency,
              'INV-0', body, 'root@ada', 'ada' FROM gw.money_requests;
       INSERT INTO gw.outcomes (entry, state) VALUES ('forged', 'done')`,
    );
    const show = [PROGRAM, 'journal', 'show', 'forged', '-o'];
    const [shown, json, list] = await Promise.all([
      gw([...show, 'table']),
      gw([...show, 'json']),
      gw([PROGRAM, 'journal', 'list', '--fields', 'id,entered_by,operator', '-o', 'csv']),
    ]);
    expect(shown.stdout).toMatch(/^Done {2}25\.00 AUD {2}(?!2020)/);
    expect(shown.stdout).toMatch(/^entered by {4}mallory, (?!2020)/m);
    expect(shown.stdout).toMatch(/^machine says {2}root@ada on ada, 2020-01-01 00:00$/m);
    expect(shown.stdout).not.toContain('sent by');
    expect(JSON.parse(json.stdout)).toMatchObject({
      entered_by: 'mallory',
      entered_at: expect.not.stringMatching(/^2020/),
      operator: 'root@ada',
    });
    expect(list.stdout).toContain('forged,mallory,root@ada\n');
    const rows = (await gw([PROGRAM, 'journal', 'list'])).stdout;
    expect(rows).toMatch(/forged.*\tmallory on 20\d\d-\d\d-\d\d \(says root@ada\)$/m);
    expect(rows).toMatch(/^forged\t2020-01-01T00:00:00\.000Z\?\t/m);
    // Nothing is said beside it where both say the same.
    expect(rows).toMatch(/INV-1001.*\tmallory$/m);
  });

  test('are counted together or alone in a report', { timeout: 120_000 }, async () => {
    const [ada, bob] = await open();
    const purchase = await idOf(ada(['purchase', 'create', '--input', '-', '-o', 'id'], CARD));
    const refund = ['refund', 'create', '--transaction-id', purchase, '--amount', '500'];
    await idOf(bob([...refund, '--reference', 'RET-1', '-o', 'id']));
    const rowsOf = async (...more: string[]) =>
      (await ada(['report', 'day', DAY, ...more])).stdout.split('\n').slice(0, -1);
    expect(await rowsOf()).toEqual([
      'what\treason\tcount\tamount',
      'purchases\t\t1\t25.00 AUD',
      'refunds\t\t1\t5.00 AUD',
      'net\t\t\t20.00 AUD',
    ]);
    expect(await rowsOf('--operator', 'bob@example.org')).toEqual([
      'what\treason\tcount\tamount',
      'refunds\t\t1\t5.00 AUD',
      'net\t\t\t-5.00 AUD',
    ]);
    expect(await rowsOf('--operator', 'nobody@example.org')).toEqual([]);
    const { stderr } = await bob(['report', 'day', DAY, '--debug']);
    expect(stderr).toContain(
      'It leaves out what the team did not see or send, and this machine did not receive.',
    );
  });

  test('can look records up while the ledger is away, with one warning', async () => {
    const [ada, bob] = await open();
    const purchase = await idOf(ada(['purchase', 'create', '--input', '-', '-o', 'id'], CARD));
    const lookUp = ['purchase', 'get', purchase, '071-P-NOTTHERE', purchase, '-o', 'id'];
    cluster.stop();
    const without = await bob(lookUp).finally(() => cluster.start());
    expect(without).toMatchObject({ code: 4, stdout: `${purchase}\n${purchase}\n` });
    expect(without.stderr.match(/could not store/g)).toHaveLength(1);
    expect((await bob(lookUp)).stderr).not.toContain('could not store');
  }, 120_000);

  test('share the data of a person and its erasure', { timeout: 120_000 }, async () => {
    const [ada, bob] = await open();
    const purchase = await idOf(ada(['purchase', 'create', '--input', '-', '-o', 'id'], CARD));
    expect((await bob(['find', 'byron', '-o', 'id'])).stdout).not.toBe('');
    const erased = await bob(['forget', purchase, '--yes']);
    expect(erased).toMatchObject({ code: 0 });
    expect(erased.stderr).toContain('VACUUM');
    expect(await ada(['find', 'byron'])).toMatchObject({ code: 0, stdout: '' });
  });
});

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;
