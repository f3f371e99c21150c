/** By SQL, an operator of a shared ledger can do what gw does for them, and nothing that falsifies it. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { digestOf } from '../../../../src/journal/proposals.ts';
import { learnAllDue } from '../../../../src/requests/known/learn-due.ts';
import { makeLedger, makeOperator } from '../../../../src/store/ledger/init.ts';
import type { Server } from '../../../../src/store/postgres/server.ts';
import { AT, REFUND } from '../../../helpers/money-request.ts';
import {
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { recorded } from '../../../helpers/recorded.ts';

const programs = findPostgres();
const OUTCOME = { status: 200, recordId: 'R-9', message: null };
const SEEN = '2026-03-10T09:30:00.000Z';
/** SQLSTATEs: no right to do it; not by these rules. */
const [NO_RIGHT, SETTLED, CHECK] = ['42501', 'GW001', '23514'];
const [NOT_RELEASED, TWICE] = ['GW002', '23505'];

const ENTRY = 'id, created_at, account, profile, environment, host, operation, body';
const intent = (id: string, more: Record<string, string> = {}) => {
  const values = `'${id}', now(), 'a1', 'p', 'live', 'h', 'refund create', '{}'`;
  const columns = [ENTRY, ...Object.keys(more)];
  return `INSERT INTO gw.money_requests (${columns}) VALUES (${[values, ...Object.values(more)]})`;
};
const sighting = (more: Record<string, string> = {}) => {
  const seen = {
    ...{ account: `'${AT.account}'`, profile: "'p'", host: "'h'", kind: "'purchase'", id: "'P-1'" },
    ...{
      environment: "'live'",
      amount: '100',
      first_seen_at: `'${SEEN}'`,
      seen_by: "'purchase get'",
    },
    ...{ last_seen_at: `'${SEEN}'`, record: "'{}'", ...more },
  };
  return `INSERT INTO gw.sightings (${Object.keys(seen)}) VALUES (${Object.values(seen)})`;
};
const outcome = (id: string, state: string, more: Record<string, string> = {}) =>
  `INSERT INTO gw.outcomes (${['entry', 'state', ...Object.keys(more)]})
   VALUES (${[`'${id}'`, `'${state}'`, ...Object.values(more)]}) RETURNING state`;
const DAY = "now() + interval '23 hours'";
const PROPOSED = { proposed_until: DAY, target: "'P-1'", amount: '100', currency: "'AUD'" };
const SENT = { ...PROPOSED, proposed_until: 'NULL', sends_until: "now() + interval '30 seconds'" };
const SAID = { resolution: "'said'" };
const AGAIN = { superseded: 'true' };
const TOLD = { resolution: "'told'", resolved_by: "'ada'" };

describe.skipIf(programs === undefined)('an operator by SQL', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());
  let database: TestDatabase;
  const tables: string[] = [];
  /** Entries of ada, by what became of them. */
  const entries: Record<string, string> = {};

  function server(role: string): Server {
    const made = serverOf(database.url.replace('gw@', `${role}@`));
    onTestFinished(() => made.close());
    return made;
  }

  function ledgerOf(role: string) {
    const clock = { now: () => new Date(), uptimeMs: () => performance.now() };
    const author = { operator: role, machine: 'desk' };
    return openPostgresLedger(serverOf(database.url.replace('gw@', `${role}@`)), { author, clock });
  }

  /** Runs statements of a role. @returns the rows of the last, or the SQLSTATE with which the server refused one */
  async function psql(role: string, sql: string): Promise<unknown[] | string> {
    const { folder: host, port } = cluster;
    const client = new pg.Client({ host, port, user: role, database: database.name });
    await client.connect();
    try {
      const results = [await client.query(sql)].flat();
      return results.at(-1)?.rows ?? [];
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.end();
    }
  }

  const stateOf = async (id: string) => {
    const sql = 'SELECT state, superseded FROM gw.money_requests WHERE id = $1';
    const [row] = await cluster.query<{ state: string; superseded: boolean }>(database.name, sql, [
      id,
    ]);
    return row;
  };

  /** Their lease passes. */
  const pass = (id: string) =>
    cluster.query(
      database.name,
      "UPDATE gw.money_requests SET created_at = created_at - interval '1 min', sends_until = sends_until - interval '1 min' WHERE id = $1",
      [id],
    );

  beforeAll(async () => {
    if (programs === undefined) return;
    database = await cluster.database();
    const owner = serverOf(database.url);
    await makeLedger(owner, SCHEMA);
    for (const role of ['ada', 'eve', 'grace', 'joan']) {
      await cluster.query('postgres', `CREATE ROLE ${role} LOGIN`);
      await makeOperator(owner, role, role < 'f' ? 'operator' : 'approver');
    }
    await owner.close();
    const found = await cluster.query<{ name: string }>(
      database.name,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'gw' ORDER BY 1",
    );
    tables.push(...found.map(({ name }) => name));
    const ada = ledgerOf('ada');
    const made = async (name: string) => {
      entries[name] = await recorded(ada, { ...REFUND, reference: name });
    };
    for (const name of ['sending', 'done', 'declined', 'unknown', 'abandoned', 'said'])
      await made(name);
    for (const state of ['done', 'declined', 'unknown'] as const)
      await ada.settle(entries[state]!, { ...OUTCOME, state });
    await ada.settle(entries.said!, { ...OUTCOME, state: 'unknown' });
    await ada.resolve(entries.said!, { ...OUTCOME, state: 'done' }, 'said');
    await pass(entries.abandoned!);
    await learnAllDue(ada.sql);
    await ada.close();
    await psql('ada', sighting());
  });

  const refused: [string, string, (of: Record<string, string>) => string][] = [
    [
      'changes the state of an entry',
      NO_RIGHT,
      () => "UPDATE gw.money_requests SET state = 'not-done'",
    ],
    ['sets its state aside', NO_RIGHT, () => 'UPDATE gw.money_requests SET superseded = true'],
    ['changes what it asked for', NO_RIGHT, () => 'UPDATE gw.money_requests SET amount = 1'],
    ['changes who entered it', NO_RIGHT, () => "UPDATE gw.money_requests SET entered_by = 'ada'"],
    [
      'changes when it may be sent',
      NO_RIGHT,
      () => 'UPDATE gw.money_requests SET sends_until = now()',
    ],
    ['deletes entries', NO_RIGHT, () => 'DELETE FROM gw.money_requests'],
    [
      'merges into entries',
      NO_RIGHT,
      ({ done }) => `${intent(done!)} ON CONFLICT (id) DO UPDATE SET body = 'x'`,
    ],
    ['changes an outcome', NO_RIGHT, () => "UPDATE gw.outcomes SET state = 'not-done'"],
    ['deletes outcomes', NO_RIGHT, () => 'DELETE FROM gw.outcomes'],
    ['changes a record', NO_RIGHT, () => 'UPDATE gw.records SET amount = 1000000'],
    [
      'adds a record',
      NO_RIGHT,
      () =>
        "INSERT INTO gw.records (account, profile, host, kind, id, environment, first_seen_at, last_seen_at, seen_by, record) VALUES ('a', 'p', 'h', 'purchase', 'P-7', 'live', '', '', '', '{}')",
    ],
    ['deletes records', NO_RIGHT, () => 'DELETE FROM gw.records'],
    ['changes a sighting', NO_RIGHT, () => 'UPDATE gw.sightings SET amount = 1'],
    ['deletes sightings', NO_RIGHT, () => 'DELETE FROM gw.sightings'],
    ['hides that an amount was known', NO_RIGHT, () => sighting({ known_amount: '1' })],
    [
      'adds a due source',
      NO_RIGHT,
      () => "INSERT INTO gw.sources_due (kind, id) VALUES ('event', '1')",
    ],
    ['enters a request that is done', NO_RIGHT, () => intent('x', { state: "'done'" })],
    ['enters one that is superseded', NO_RIGHT, () => intent('x', { superseded: 'true' })],
    ['enters one for another role', NO_RIGHT, () => intent('x', { entered_by: "'ada'" })],
    ['enters one at another time', NO_RIGHT, () => intent('x', { entered_at: "'2020-01-01'" })],
    ['enters one at another place', NO_RIGHT, () => intent('x', { number: '1' })],
    [
      'enters one that is sent for long',
      CHECK,
      () => intent('x', { sends_until: "now() + interval '1 day'" }),
    ],
    [
      'enters one of tomorrow',
      CHECK,
      () =>
        intent('x', { sends_until: "now() + interval '1 day'" }).replace(
          'now()',
          "now() + interval '1 day'",
        ),
    ],
    [
      'says an outcome for another role',
      NO_RIGHT,
      ({ done }) => outcome(done!, 'done', { entered_by: "'ada'" }),
    ],
    ['says a state that there is not', CHECK, ({ unknown }) => outcome(unknown!, 'paid', SAID)],
    ['says that it is being sent', CHECK, ({ unknown }) => outcome(unknown!, 'sending', SAID)],
    ...(['not-done', 'not-sent', 'declined', 'rejected'] as const).flatMap(
      (state): [string, string, (of: Record<string, string>) => string][] => [
        [`says that what is done is ${state}`, SETTLED, ({ done }) => outcome(done!, state)],
        [`resolves what is done as ${state}`, SETTLED, ({ done }) => outcome(done!, state, TOLD)],
        [
          `says that what is being sent is ${state}`,
          SETTLED,
          ({ sending }) => outcome(sending!, state),
        ],
        [`says ${state} of what a person said`, SETTLED, ({ said }) => outcome(said!, state)],
        [`resolves again as ${state}`, SETTLED, ({ said }) => outcome(said!, state, TOLD)],
      ],
    ),
    ['resolves what is being sent', SETTLED, ({ sending }) => outcome(sending!, 'done', SAID)],
    ['resolves what was declined', SETTLED, ({ declined }) => outcome(declined!, 'done', SAID)],
    ['says that a decline was done', SETTLED, ({ declined }) => outcome(declined!, 'done')],
    ['sets aside what is done', SETTLED, ({ done }) => outcome(done!, 'unknown', AGAIN)],
    [
      'sets aside what is being sent',
      SETTLED,
      ({ sending }) => outcome(sending!, 'unknown', AGAIN),
    ],
    [
      'sets aside and settles',
      SETTLED,
      ({ unknown }) => outcome(unknown!, 'not-done', { ...AGAIN, ...SAID }),
    ],
    ['turns a trigger off', NO_RIGHT, () => 'ALTER TABLE gw.outcomes DISABLE TRIGGER ALL'],
    ['drops a trigger', NO_RIGHT, () => 'DROP TRIGGER settle ON gw.outcomes'],
    ['runs without triggers', NO_RIGHT, () => "SET session_replication_role = 'replica'"],
    [
      'adds a trigger',
      NO_RIGHT,
      () =>
        'CREATE TRIGGER mine BEFORE INSERT ON gw.outcomes FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    [
      'adds a rule',
      NO_RIGHT,
      () => 'CREATE RULE mine AS ON INSERT TO gw.outcomes DO INSTEAD NOTHING',
    ],
    [
      'replaces a function',
      NO_RIGHT,
      () =>
        "CREATE OR REPLACE FUNCTION gw.settle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    ],
    ['changes a function', NO_RIGHT, () => 'ALTER FUNCTION gw.settle() RESET search_path'],
    ...['settle', 'see', 'defer_entry'].map(
      (name): [string, string, (of: Record<string, string>) => string] => [
        `hangs ${name} on a table of their own`,
        NO_RIGHT,
        () =>
          `CREATE TEMP TABLE mine (LIKE gw.outcomes);
           CREATE TRIGGER mine BEFORE INSERT ON mine FOR EACH ROW EXECUTE FUNCTION gw.${name}()`,
      ],
    ),
    ['makes a table in the schema', NO_RIGHT, () => 'CREATE TABLE gw.mine (n integer)'],
    [
      'makes a function in the schema',
      NO_RIGHT,
      () =>
        "CREATE FUNCTION gw.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'",
    ],
    [
      'drops a constraint',
      NO_RIGHT,
      () => 'ALTER TABLE gw.money_requests DROP CONSTRAINT sent_soon',
    ],
    ['drops an index', NO_RIGHT, () => 'DROP INDEX gw.money_requests_by_line'],
    ['takes the rights of the owner', NO_RIGHT, () => 'SET ROLE gw'],
    [
      'gives itself rights',
      NO_RIGHT,
      () => 'GRANT ALL ON gw.money_requests TO eve; UPDATE gw.money_requests SET amount = 1',
    ],
    ['changes the ledger', NO_RIGHT, () => 'UPDATE gw.ledger SET form = 1'],
    ['changes the numbers of locks', NO_RIGHT, () => 'UPDATE gw.target_locks SET number = -number'],
    ['sets a sequence back', NO_RIGHT, () => "SELECT setval('gw.money_requests_number_seq', 1)"],
    // Their own functions, operators and tables stand first in the path.
    [
      'has another now',
      SETTLED,
      ({ sending }) =>
        `CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT timestamptz ''2099-01-01''';
       SET search_path = pg_temp, pg_catalog; ${outcome(sending!, 'not-done', SAID)}`,
    ],
    [
      'has another table of entries',
      SETTLED,
      ({ done }) =>
        `CREATE TEMP TABLE money_requests AS SELECT * FROM gw.money_requests;
       UPDATE pg_temp.money_requests SET state = 'unknown';
       SET search_path = pg_temp, gw; ${outcome(done!, 'not-done', SAID)}`,
    ],
    [
      'has another equality',
      SETTLED,
      ({ done }) =>
        `CREATE FUNCTION pg_temp.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
       CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.never);
       SET search_path = pg_temp, pg_catalog; ${outcome(done!, 'not-done', SAID)}`,
    ],
    [
      'has the name of another role',
      SETTLED,
      ({ done }) => `SET application_name = 'ada'; SET ROLE eve; ${outcome(done!, 'not-sent')}`,
    ],
  ];

  test.each(refused)('%s: refused', async (_, code, sql) => {
    // However slow the machine is.
    await cluster.query(
      database.name,
      `UPDATE gw.money_requests SET created_at = now(), entered_at = now(), sends_until = now() + interval '30 s'
        WHERE id = $1`,
      [entries.sending],
    );
    const before = await cluster.query(
      database.name,
      'SELECT * FROM gw.money_requests ORDER BY id',
    );
    expect(await psql('eve', sql(entries))).toBe(code);
    expect(
      await cluster.query(database.name, 'SELECT * FROM gw.money_requests ORDER BY id'),
    ).toEqual(before);
  });

  test('empties, drops or truncates no table that others are derived from', async () => {
    const derived = ['thing_keys', 'things', 'sources_due'];
    expect(tables).toEqual(expect.arrayContaining(['outcomes', 'sightings', ...derived]));
    for (const name of tables) {
      expect(await psql('eve', `TRUNCATE gw.${name}`)).toBe(NO_RIGHT);
      expect(await psql('eve', `DROP TABLE gw.${name}`)).toBe(NO_RIGHT);
      if (!derived.includes(name))
        expect(await psql('eve', `DELETE FROM gw.${name}`)).toBe(NO_RIGHT);
    }
  });

  test.each([
    ['says again what is known', 'done', 'done', {}],
    ['says that what is done is unknown', 'done', 'unknown', {}],
    ['says that what a person said is unknown', 'said', 'unknown', {}],
  ])('%s: nothing changes', async (_, name, state, more) => {
    for (const role of name === 'said' ? ['ada'] : ['ada']) {
      const before = await stateOf(entries[name]!);
      expect(await psql(role, outcome(entries[name]!, state, more))).toEqual([]);
      expect(await stateOf(entries[name]!)).toEqual(before);
    }
  });

  test('of an entry that there is not, nothing is kept', async () => {
    expect(await psql('eve', outcome('none', 'done'))).toEqual([]);
  });

  describe('taken', () => {
    const fresh = async (sql = '') => {
      const id = `n${Math.round(performance.now() * 1_000)}`;
      expect(
        await psql(
          'ada',
          intent(id, { sends_until: "date_trunc('ms', now()) + interval '30 s'" }).replace(
            'now()',
            "date_trunc('ms', now())",
          ),
        ),
      ).toEqual([]);
      if (sql) expect(await psql('ada', outcome(id, sql))).toEqual([{ state: sql }]);
      return id;
    };

    test.each(['done', 'declined', 'rejected', 'not-sent', 'unknown'])(
      'the answer %s of an own request',
      async (state) => {
        const id = await fresh(state);
        expect(await stateOf(id)).toEqual({ state, superseded: false });
      },
    );

    test.each([
      ['unknown', 'done'],
      ['unknown', 'declined'],
      ['not-sent', 'done'],
    ])('after an answer %s, the answer %s', async (first, second) => {
      const id = await fresh(first);
      expect(await psql('ada', outcome(id, second))).toEqual([{ state: second }]);
    });

    test.each(['done', 'declined', 'not-done'])(
      "a colleague's word %s of an unknown request, and its answer later",
      async (state) => {
        const id = await fresh('unknown');
        expect(await psql('eve', outcome(id, state, SAID))).toEqual([{ state }]);
        const answer = state === 'done' ? 'declined' : 'done';
        expect(await psql('ada', outcome(id, answer))).toEqual([{ state: answer }]);
        expect(await psql('eve', outcome(id, 'not-done', TOLD))).toBe(SETTLED);
        const [entry] = await cluster.query(
          database.name,
          'SELECT state, resolution FROM gw.money_requests WHERE id = $1',
          [id],
        );
        expect(entry).toEqual({ state: answer, resolution: 'said' });
      },
    );

    test("what another role delivers of an unknown request, as that role's word", async () => {
      const id = await fresh('unknown');
      expect(await psql('eve', outcome(id, 'unknown'))).toEqual([]);
      expect(await psql('eve', outcome(id, 'declined'))).toEqual([{ state: 'declined' }]);
      const [entry] = await cluster.query(
        database.name,
        'SELECT resolution, resolved_by FROM gw.money_requests WHERE id = $1',
        [id],
      );
      expect(entry).toEqual({ resolution: 'told by eve', resolved_by: 'eve' });
      expect(await psql('ada', outcome(id, 'done'))).toEqual([{ state: 'done' }]);
    });

    test('after its lease, a word, or that it was sent again, which stays', async () => {
      const [one, other] = [await fresh(), await fresh()];
      for (const id of [one, other]) {
        expect(await psql('eve', outcome(id, 'not-done', SAID))).toBe(SETTLED);
        await pass(id);
      }
      expect(await psql('eve', outcome(one, 'not-done', SAID))).toEqual([{ state: 'not-done' }]);
      expect(await psql('eve', outcome(other, 'unknown', AGAIN))).toEqual([{ state: 'unknown' }]);
      expect(await psql('ada', outcome(other, 'done', { superseded: 'false' }))).toEqual([
        { state: 'done' },
      ]);
      expect(await stateOf(other)).toEqual({ state: 'done', superseded: true });
    });

    test('the answer of a request whose line was sent again, which holds it no longer', async () => {
      const line = {
        batch: "'b'",
        line: "'l'",
        occurrence: '1',
        sends_until: "now() + interval '30 s'",
      };
      expect(await psql('ada', intent('l1', line))).toEqual([]);
      expect(await psql('ada', intent('l2', line))).toBe('23505');
      expect(await psql('ada', outcome('l1', 'unknown'))).toEqual([{ state: 'unknown' }]);
      expect(await psql('eve', outcome('l1', 'not-done', SAID))).toEqual([{ state: 'not-done' }]);
      expect(await psql('ada', intent('l2', line))).toEqual([]);
      expect(await psql('ada', outcome('l1', 'done'))).toEqual([{ state: 'done' }]);
      expect(await stateOf('l1')).toEqual({ state: 'done', superseded: true });
      expect(await psql('ada', outcome('l2', 'declined'))).toEqual([{ state: 'declined' }]);
    });

    test('what was seen: the latest counts, and a changed amount or currency is kept with the role', async () => {
      const later = (day: number, more = {}) =>
        sighting({ id: "'P-2'", last_seen_at: `'2026-04-0${day}T00:00:00.000Z'`, ...more });
      for (const sql of [
        later(2),
        later(3, { name: "'Ada'" }),
        later(1, { amount: '7' }),
        later(4, { amount: '900' }),
      ])
        expect(await psql('ada', sql)).toEqual([]);
      expect(await psql('eve', later(5, { amount: '900', currency: "'JPY'" }))).toEqual([]);
      expect(await psql('eve', later(6, { currency: "'AUD'", name: "'Eve'" }))).toEqual([]);
      const [record] = await cluster.query(
        database.name,
        "SELECT amount::integer, currency, name FROM gw.records WHERE id = 'P-2'",
      );
      expect(record).toEqual({ amount: 100, currency: 'AUD', name: 'Eve' });
      const kept = await cluster.query(
        database.name,
        `SELECT known_amount::integer AS known, amount::integer, known_currency AS was, currency, name, record, entered_by
           FROM gw.sightings WHERE id = 'P-2' ORDER BY number`,
      );
      const blank = { name: null, record: '{}' };
      expect(kept).toEqual([
        { known: 100, amount: 900, was: null, currency: null, ...blank, entered_by: 'ada' },
        { known: 900, amount: 100, was: 'JPY', currency: 'AUD', ...blank, entered_by: 'eve' },
      ]);
    });

    test('a refund of less than nothing, which leaves no more to refund', async () => {
      const more = { target: "'P-1'", refund_of: "'P-1'", amount: '-900' };
      const ledger = ledgerOf('ada');
      const before = await ledger.balances(AT, ['P-1']);
      expect(before.size).toBe(1);
      expect(await psql('eve', intent('less', more))).toEqual([]);
      expect(await ledger.balances(AT, ['P-1'])).toEqual(before);
      await ledger.close();
    });

    test('a record seen by a clock far ahead gives way to what is seen later', async () => {
      const at = (last_seen_at: string, amount: string) =>
        sighting({ id: "'P-3'", last_seen_at: `'${last_seen_at}'`, amount });
      await psql('eve', at('2999-01-01T00:00:00.000Z', '5'));
      await psql('ada', at(SEEN, '100'));
      const [record] = await cluster.query(
        database.name,
        "SELECT amount::integer, last_seen_at FROM gw.records WHERE id = 'P-3'",
      );
      expect(record).toEqual({ amount: 100, last_seen_at: SEEN });
    });
  });

  describe('a proposal', () => {
    const RELEASED = { resolved_by: "'x'" };
    const release = (role: string, id: string) => psql(role, outcome(id, 'released', RELEASED));

    test('is released by another approver alone, and for the same request alone, once', async () => {
      expect(await psql('grace', intent('of-grace', PROPOSED))).toEqual([]);
      expect(await release('eve', 'of-grace')).toBe(NOT_RELEASED);
      expect(await release('grace', 'of-grace')).toBe(NOT_RELEASED);
      expect(await psql('joan', intent('early', { ...SENT, proposal: "'of-grace'" }))).toBe(
        NOT_RELEASED,
      );
      expect(await release('joan', 'of-grace')).toEqual([{ state: 'released' }]);
      expect(await release('joan', 'of-grace')).toBe(SETTLED);
      const more = { ...SENT, amount: '101', proposal: "'of-grace'" };
      expect(await psql('joan', intent('more', more))).toBe(NOT_RELEASED);
      const same = { ...SENT, proposal: "'of-grace'", approved_by: "'somebody'" };
      expect(await psql('joan', intent('sent', same))).toEqual([]);
      expect(await psql('joan', intent('again', same))).toBe(TWICE);
      const [sent] = await cluster.query(
        database.name,
        "SELECT state, entered_by, approved_by FROM gw.money_requests WHERE id = 'sent'",
      );
      expect(sent).toEqual({ state: 'sending', entered_by: 'joan', approved_by: 'joan' });
    });

    test('is open for a day at most, and says nothing else of itself', async () => {
      const long = { ...PROPOSED, proposed_until: "now() + interval '25 hours'" };
      expect(await psql('eve', intent('long', long))).toBe(NOT_RELEASED);
      const sending = { ...PROPOSED, sends_until: "now() + interval '30 seconds'" };
      expect(await psql('eve', intent('of-eve', sending))).toEqual([]);
      expect(await stateOf('of-eve')).toMatchObject({ state: 'proposed' });
      for (const state of ['done', 'not-done', 'unknown'])
        expect(await psql('eve', outcome('of-eve', state, TOLD))).toBe(SETTLED);
      expect(await psql('ada', outcome('of-eve', 'withdrawn', RELEASED))).toHaveLength(1);
      expect(await release('joan', 'of-eve')).toBe(SETTLED);
      const past = { ...PROPOSED, proposed_until: "now() - interval '1 second'" };
      expect(await psql('eve', intent('past', past))).toEqual([]);
      expect(await release('joan', 'past')).toBe(NOT_RELEASED);
    });

    test('is approved by gw with the login of another approver, of three at once by one', async () => {
      const [eve, grace, joan] = ['eve', 'grace', 'joan'].map(ledgerOf);
      onTestFinished(
        async () => void (await Promise.all([eve, grace, joan].map((one) => one!.close()))),
      );
      const request = { ...REFUND, target: 'P-77', refundOf: null, reference: 'R-77' };
      const conditions = { noDuplicate: true, noOverRefund: false };
      const written = await eve!.propose(request, conditions);
      if (written.kind !== 'proposed') throw new Error(written.kind);
      const { proposal } = written;
      const by = (approver: string) => ({
        ...conditions,
        approval: {
          ...{ proposal: proposal.id, digest: digestOf(proposal), approver },
          ...{ proposer: proposal.operator, isByAnother: true },
        },
      });
      // GW_OPERATOR is whatever somebody says; the server knows the login.
      await expect(eve!.intend(request, by('grace'))).rejects.toMatchObject({
        code: 'approval-refused',
      });
      const racing = await Promise.all([
        grace!.intend(request, by('grace')),
        joan!.intend(request, by('joan')),
        grace!.intend(request, by('grace')),
      ]);
      expect(racing.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
      const entries = await cluster.query(
        database.name,
        'SELECT operator, approved_by = entered_by AS is_same FROM gw.money_requests WHERE proposal = $1',
        [proposal.id],
      );
      expect(entries).toEqual([{ operator: 'eve', is_same: true }]);
    });
  });

  test('as the owner, gw prunes and forgets; as an operator it does not', async () => {
    const owner = ledgerOf('gw');
    const eve = ledgerOf('eve');
    onTestFinished(async () => void (await Promise.all([owner.close(), eve.close()])));
    await expect(eve.prune(SEEN)).rejects.toMatchObject({ code: 'ledger-not-permitted' });
    await owner.prune(SEEN);
    await owner.forget(AT.profile);
  });

  test('a second init brings functions and rights back as they were made', async () => {
    await cluster.query(
      database.name,
      `GRANT UPDATE ON gw.money_requests TO gw_operator_${database.name};
       CREATE OR REPLACE FUNCTION gw.settle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    );
    await makeLedger(server('gw'), SCHEMA);
    expect(await psql('eve', 'UPDATE gw.money_requests SET amount = 1')).toBe(NO_RIGHT);
    expect(await psql('eve', outcome('none', 'done'))).toEqual([]);
  });
});
