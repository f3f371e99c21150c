/** Two people at two machines with one ledger on a server: one proposes, and the other one's login approves, in a terminal. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

const programs = findPostgres();
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;
const CARD = ['--test-card', 'approved'];

describe.skipIf(programs === undefined || !havePrograms('script'))('two persons', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs as string);
  });
  afterAll(() => cluster.remove());

  /** A gateway, and the desks of two logins of one ledger, whose profile wants two persons above 50.00. */
  async function open() {
    const database = await cluster.database();
    for (const role of ['ada', 'grace'])
      await cluster.query('postgres', `CREATE ROLE ${role} LOGIN`);
    const folder = temporaryDirectory();
    const roles = ['--operator', 'ada', '--approver', 'grace'];
    const init = start(process.execPath, [PROGRAM, 'ledger', 'init', database.url, ...roles], {
      env: { PATH: process.env.PATH, HOME: folder },
    });
    const made = await init.ended;
    expect(made.stderr).toMatch(
      /^ada is now an operator\.\ngrace is now an operator who may approve\.\n$/m,
    );
    const serve = ['emulator', 'start', '--port', '0', '--db', path.join(folder, 'gateway.db')];
    const gateway = start(process.execPath, [PROGRAM, ...serve], {
      env: { PATH: process.env.PATH, HOME: folder },
    });
    onTestFinished(async () => {
      gateway.child.kill();
      await gateway.ended;
    });
    await gateway.printed(ADDRESS);
    const [address = ''] = ADDRESS.exec(gateway.output()) ?? [];
    const deskOf = async (role: string) => {
      const env = {
        ...{ PATH: process.env.PATH, HOME: temporaryDirectory(), TZ: 'UTC', GW_PROFILE: 'shop' },
        ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST' },
        GW_LEDGER_URL: database.url.replace('gw@', `${role}@`),
      };
      const gw = (...args: string[]) =>
        start(process.execPath, [PROGRAM, ...args], { env, input: '' }).ended;
      const set = await gw(
        'profile',
        'set',
        'shop',
        '--environment',
        'sandbox',
        '--base-url',
        address,
        '--currency',
        'AUD',
        '--two-persons-above',
        '50.00',
      );
      expect(set.code, set.stderr).toBe(0);
      return { gw, env };
    };
    return { ada: await deskOf('ada'), grace: await deskOf('grace'), database };
  }

  /** Types the answers of a person whom `gw approve` asks. @returns the screen and the exit code */
  async function approve(env: NodeJS.ProcessEnv, code: string, answer: string) {
    const terminal = openTerminal({ columns: 110, rows: 50, env, cwd: String(env.HOME) });
    onTestFinished(() => terminal.close());
    const running = terminal.begin(`'${process.execPath}' '${PROGRAM}' approve ${code}`);
    await terminal.shows(/Approve it\?/);
    terminal.type(answer);
    const { code: exit } = await running.ended;
    return { exit, screen: terminal.text().join('\n') };
  }

  test('a refund of 800.00 is proposed by one and sent by the other, once', {
    timeout: 180_000,
  }, async () => {
    const { ada, grace, database } = await open();
    const bought = await grace.gw(
      'purchase',
      'propose',
      ...CARD,
      '--amount',
      '90000',
      '--reference',
      'INV-1',
    );
    expect(bought).toMatchObject({ code: 2, stderr: expect.stringContaining('no card data') });
    const small = await ada.gw(
      'purchase',
      'create',
      ...CARD,
      '--amount',
      '5000',
      '--reference',
      'INV-0',
      '--jq',
      '.card_token',
    );
    const token = small.stdout.trim();
    const asked = ['--card-token', token, '--amount', '90000', '--reference', 'INV-1'];
    expect(await ada.gw('purchase', 'create', ...asked)).toMatchObject({ code: 10 });
    const proposed = await ada.gw('purchase', 'propose', ...asked, '-o', 'id');
    const sold = await approve(grace.env, proposed.stdout.trim(), 'y\r');
    expect(sold.exit, sold.screen).toBe(0);
    const purchase = (
      await ada.gw('purchase', 'list', '--reference', 'INV-1', '-o', 'id')
    ).stdout.trim();

    const refund = [purchase, '--amount', '80000', '--reference', 'RET-1', '--note', 'recall'];
    for (const door of [[], ['--no-journal'], ['--allow-duplicate']])
      expect(await ada.gw('refund', 'create', ...refund, ...door)).toMatchObject({
        ...{ code: 10, stderr: expect.stringContaining('only if another person approves') },
      });
    const code = (await ada.gw('refund', 'propose', ...refund, '--fields', 'code')).stdout.trim();
    expect(await ada.gw('refund', 'propose', ...refund)).toMatchObject({ code: 10 });
    expect((await grace.gw('proposals', '-o', 'id')).stdout).toBe(`${code}\n`);
    const listed = await grace.gw('proposals', '--fields', 'code,reference');
    expect(listed.stdout).toContain(`${code}\t`);
    expect(await grace.gw('approve', code)).toMatchObject({
      ...{ code: 10, stderr: expect.stringContaining('asks a person at a terminal') },
    });
    // GW_OPERATOR says anything; the login does not.
    const own = await approve({ ...ada.env, GW_OPERATOR: 'grace' }, code, 'y\r');
    expect(own.exit).toBe(10);
    expect(own.screen).toContain('does not take the approval');
    const no = await approve(grace.env, code, 'n\r');
    expect(no.exit).toBe(130);
    const sent = await approve(grace.env, code, 'y\r');
    expect(sent.exit, sent.screen).toBe(0);
    expect(sent.screen).toMatch(/Left now +900\.00 AUD/);
    expect(sent.screen).toMatch(/Left afterwards +100\.00 AUD/);
    const entries = await cluster.query<object>(
      database.name,
      "SELECT state, entered_by, approved_by FROM gw.money_requests WHERE reference = 'RET-1' ORDER BY number",
    );
    expect(entries).toEqual([
      { state: 'released', entered_by: 'ada', approved_by: null },
      { state: 'done', entered_by: 'grace', approved_by: 'grace' },
    ]);
    expect(await grace.gw('reject', code)).toMatchObject({ code: 4 });
    const by = await ada.gw(
      'report',
      'refunds',
      '--by',
      'approver',
      '-o',
      'csv',
      '--fields',
      'group,amount',
    );
    expect(by.stdout).toContain('grace,80000');
    const told = await ada.gw('history', purchase);
    expect(told.stdout).toMatch(/proposal approved: by root@.* “recall”/);
  });
});
