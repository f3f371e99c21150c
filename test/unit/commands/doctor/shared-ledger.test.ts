import { afterAll, describe, expect, test } from 'vitest';
import { findingOf } from '../../../../src/commands/doctor/finding.ts';
import { checkSharedLedger, refusalOf } from '../../../../src/commands/doctor/shared-ledger.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('the ledger of a team', () => {
  const cluster = new Cluster(programs, ['fsync = on']);
  afterAll(() => cluster.remove());

  test.each([
    ['', "synchronous_commit = 'on'", 'ok', 'this server only'],
    ['*', "synchronous_commit = 'on'", 'ok', 'on 2 servers'],
    ['ANY 2 (a, b, c)', "synchronous_commit = 'remote_apply'", 'ok', 'on 3 servers'],
    ['*', "synchronous_commit = 'local'", 'ok', 'this server only'],
    ['*', "synchronous_commit = 'off'", 'failed', 'synchronous_commit = off'],
  ])('standbys %j and %s are reported', async (standbys, commit, state, words) => {
    const { name, url } = await cluster.database();
    await cluster.query(name, `ALTER DATABASE ${name} SET ${commit}`);
    const reload = 'SELECT pg_reload_conf()';
    await cluster.query(name, `ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await cluster.query(name, reload);
    await expect
      .poll(() => cluster.query(name, 'SHOW synchronous_standby_names'))
      .toEqual([{ synchronous_standby_names: standbys }]);
    const finding = await check(url).finally(async () => {
      await cluster.query(name, 'ALTER SYSTEM RESET synchronous_standby_names');
      await cluster.query(name, reload);
    });
    expect(finding.state).toBe(state);
    expect(finding.message).toContain(words);
  });

  const check = (url: string) =>
    findingOf(
      checkSharedLedger(createTestHost(), {
        kind: 'server',
        address: parseLedgerAddress(url, 'It'),
        command: undefined,
        chosenBy: 'profile',
      }),
    );

  test('a usable ledger is reported with its form and the rights of the role', async () => {
    expect(await check((await cluster.database()).url)).toEqual({
      state: 'ok',
      message: expect.stringMatching(/PostgreSQL [\d.]+, format \d+; gw is an owner; durable/),
    });
  });

  test('a missing, invalid or newer ledger fails, and the message says what to do', async () => {
    const newer = await cluster.database();
    await cluster.query(newer.name, 'UPDATE gw.ledger SET form = form + 1');
    const empty = await cluster.database({ isEmpty: true });
    for (const url of [
      newer.url,
      empty.url,
      cluster.url('nosuch'),
      'postgres:///d?host=/nowhere',
    ]) {
      expect(await check(url)).toMatchObject({
        ...{ state: 'failed', kind: 'guard' },
        next: expect.stringMatching(/./),
      });
    }
  });
});

test('a role that only reads cannot send', () => {
  const role = { role: 'ada', mayWrite: false, mayDelete: false };
  const durable = { isOnDisk: true, hosts: 1, weak: [] };
  expect(refusalOf(role, durable)).toMatchObject({
    ...{ state: 'failed', kind: 'guard' },
    next: expect.stringContaining('gw ledger init --operator ada'),
  });
  expect(refusalOf({ ...role, mayWrite: true }, durable)).toBeUndefined();
});
