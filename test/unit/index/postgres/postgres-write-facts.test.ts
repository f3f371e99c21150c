/** Writing the index on a server: what is written again, moved, and taken out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IndexedFact } from '../../../../src/index/document.ts';
import { ownersOf } from '../../../../src/index/postgres/postgres-owner.ts';
import {
  changeOutcomes,
  clearFacts,
  dropFacts,
  purgeKeys,
  putFacts,
} from '../../../../src/index/postgres/postgres-write-facts.ts';
import type { RunStatement, Server } from '../../../../src/store/postgres/server.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';
import { EMPTY_FACT } from '../empty-fact.ts';

const programs = findPostgres();

const named = (parts: Partial<IndexedFact>): IndexedFact => ({ ...EMPTY_FACT, ...parts });

describe.skipIf(programs === undefined)('on a server', () => {
  let cluster: Cluster;
  let server: Server;
  const run: RunStatement = (sql, values) => server.run(sql, values);
  beforeAll(async () => {
    cluster = new Cluster(programs ?? '');
    server = serverOf((await cluster.database()).url);
  });
  afterAll(async () => {
    await server.close();
    cluster.remove();
  });

  const rows = () =>
    run<{ origin: string; doc: string; who: string; keys: string }>(
      `SELECT origin, doc::text AS doc, who, array_to_string(keys, '|') AS keys FROM gw.facts ORDER BY doc`,
    );
  const keys = async () =>
    (await run<{ key: string }>('SELECT key FROM gw.fact_keys ORDER BY key, doc')).map(
      ({ key }) => key,
    );

  test('of one origin there is one fact, which keeps its place within its second', async () => {
    await clearFacts(run);
    const [one, other] = [named({ who: 'one', keys: ['a', 'b'] }), named({ who: 'other' })];
    await putFacts(run, [
      { origin: 'x', fact: named({ who: 'nobody' }) },
      { origin: 'y', fact: other },
      { origin: 'x', fact: one },
    ]);
    const before = await rows();
    expect(before.map(({ who }) => who)).toEqual(['one', 'other']);
    await putFacts(run, [{ origin: 'x', fact: named({ who: 'Zoë', keys: ['B', 'c'] }) }]);
    const [now] = await rows();
    expect(now).toEqual({ ...before[0], who: 'Zoë', keys: 'b|c' });
    // Nobody needs to delete: a fact that is moved to another second leaves its keys behind.
    await putFacts(run, [{ origin: 'x', fact: named({ at: '2027-01-01', keys: ['c'] }) }]);
    expect((await rows()).map(({ origin }) => origin)).toEqual(['y', 'x']);
    expect(await keys()).toEqual(['a', 'b', 'c', 'c']);
    await purgeKeys(run);
    expect(await keys()).toEqual(['c']);
  });

  test('no text is lost or refused', async () => {
    await clearFacts(run);
    const who = `\ud800 \0 \u0001json: ' \\ { } , " NULL`;
    await putFacts(run, [{ origin: 'x', fact: named({ who, keys: [who, 'NULL', ''] }) }]);
    const [row] = await run<{ who: string }>('SELECT who FROM gw.facts');
    expect(row?.who).toBe(who);
    expect((await ownersOf(run, [who])).get(who)).toEqual({ who, lastFour: null });
  });

  test('the owner of a name is who the newest fact says that has it', async () => {
    await clearFacts(run);
    await putFacts(run, [
      { origin: 'old', fact: named({ at: '2026-01-01', who: 'Old', keys: ['TOKEN'] }) },
      { origin: 'new', fact: named({ at: '2026-01-02', who: 'New', keys: ['token'] }) },
      { origin: 'silent', fact: named({ at: '2026-01-03', who: null, keys: ['token'] }) },
      {
        origin: 'sent',
        fact: named({ at: '2026-01-04', kind: 'request', who: 'I', keys: ['token'] }),
      },
      { origin: 'was', fact: named({ at: '2026-01-05', who: 'Was', keys: ['token'] }) },
    ]);
    await putFacts(run, [{ origin: 'was', fact: named({ at: '2026-01-05', who: 'Was' }) }]);
    expect([...(await ownersOf(run, ['Token', 'nosuch']))]).toEqual([
      ['Token', { who: 'New', lastFour: null }],
    ]);
    expect(await ownersOf(run, [])).toEqual(new Map());
  });

  test('an outcome is changed, and a fact taken out, with all its names', async () => {
    await clearFacts(run);
    const fact = named({ who: 'Ada', keys: ['ada'] });
    const origins = ['event 1 0', 'event 1 1', 'event 12 0', 'event 2 0'];
    await putFacts(
      run,
      origins.map((origin) => ({ origin, fact })),
    );
    await changeOutcomes(run, ['event 1 ', 'event 1 ~'], 'contradicted');
    expect(
      await run('SELECT origin, outcome FROM gw.facts WHERE outcome = $1 ORDER BY origin', [
        'contradicted',
      ]),
    ).toMatchObject([{ origin: 'event 1 0' }, { origin: 'event 1 1' }]);
    expect(await dropFacts(run, 'outcome = $1', ['contradicted'])).toBe(2);
    expect((await rows()).map(({ origin }) => origin)).toEqual(['event 12 0', 'event 2 0']);
    expect(await keys()).toEqual(['ada', 'ada']);
  });
});
