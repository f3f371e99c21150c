import { afterAll, describe, expect, test } from 'vitest';
import {
  checkSharedLedger,
  clockFinding,
  reachedFinding,
  roleFinding,
} from '../../../../src/setup/doctor/shared-ledger.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';

const programs = findPostgres();

const states = (found: readonly { check: string; state: string }[]) =>
  found.map(({ check, state }) => `${check} ${state}`);

describe.skipIf(programs === undefined)('the ledger of a team', () => {
  const cluster = new Cluster(programs ?? '', ['fsync = on']);
  afterAll(() => cluster.remove());

  test.each([
    ['', "synchronous_commit = 'on'", 'ok', 'this server only'],
    ['*', "synchronous_commit = 'on'", 'ok', 'on 2 servers'],
    ['ANY 2 (a, b, c)', "synchronous_commit = 'remote_apply'", 'ok', 'on 3 servers'],
    ['*', "synchronous_commit = 'local'", 'ok', 'this server only'],
    ['*', "synchronous_commit = 'off'", 'failed', 'synchronous_commit = off'],
  ])('standbys %j and %s are told', async (standbys, commit, state, words) => {
    const { name, url } = await cluster.database();
    await cluster.query(name, `ALTER DATABASE ${name} SET ${commit}`);
    const reload = 'SELECT pg_reload_conf()';
    await cluster.query(name, `ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await cluster.query(name, reload);
    await expect
      .poll(() => cluster.query(name, 'SHOW synchronous_standby_names'))
      .toEqual([{ synchronous_standby_names: standbys }]);
    const found = await check(url).finally(async () => {
      await cluster.query(name, 'ALTER SYSTEM RESET synchronous_standby_names');
      await cluster.query(name, reload);
    });
    expect(found[3]).toMatchObject({ check: 'ledger-durability', state });
    expect(found[3]?.message).toContain(words);
  });

  const check = (url: string) =>
    checkSharedLedger(createTestHost({ now: new Date().toISOString() }), {
      kind: 'server',
      address: parseLedgerAddress(url, 'It'),
      command: undefined,
      chosenBy: 'profile',
    });

  test('one that can be used is told with its form, and what the role may do', async () => {
    const found = await check((await cluster.database()).url);
    expect(states(found)).toEqual([
      'journal ok',
      'ledger-role ok',
      'ledger-clock ok',
      'ledger-durability ok',
    ]);
    expect(found[1]).toMatchObject({ message: 'gw is an owner' });
  });

  test('one that is not there, is none, or is of a newer gw has failed, with what to do', async () => {
    const newer = await cluster.database();
    await cluster.query(newer.name, 'UPDATE gw.ledger SET form = form + 1');
    const empty = await cluster.database({ isEmpty: true });
    for (const url of [
      newer.url,
      empty.url,
      cluster.url('nosuch'),
      'postgres:///d?host=/nowhere',
    ]) {
      const found = await check(url);
      expect(states(found)).toEqual(['journal failed']);
      expect(found[0]).toMatchObject({ kind: 'guard', next: expect.stringMatching(/./) });
    }
  });
});

test('a role that only reads cannot send, a far clock and a slow server are warnings', () => {
  const role = { role: 'ada', mayWrite: false, mayDelete: false };
  expect(roleFinding(role)).toMatchObject({
    state: 'failed',
    next: expect.stringContaining('gw ledger init --operator ada'),
  });
  expect(roleFinding({ ...role, mayWrite: true })).toMatchObject({ message: 'ada is an operator' });
  expect(clockFinding(-90_000)).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('90 seconds behind'),
  });
  expect(reachedFinding('x', 'y', 400)).toMatchObject({ state: 'warning' });
});
