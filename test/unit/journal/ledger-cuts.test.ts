/**
 * The connection to a server is cut at every message of an intent, a claim and an outcome, in every way:
 * what was said of each has to be what the server holds, and an outcome is never lost.
 *
 * How many messages there are is found out by a run in which nothing is cut.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { createFiles } from '../../../src/host/files/files.ts';
import type { IntentConditions, Ledger, LineClaim } from '../../../src/journal/ledger.ts';
import { KeptOutcomes, OutcomeOutbox } from '../../../src/journal/outcome-outbox.ts';
import { openPostgresLedger } from '../../../src/journal/postgres/postgres-ledger.ts';
import type { Server } from '../../../src/store/postgres/server.ts';
import {
  CUTS,
  type CuttingProxy,
  type CuttingProxyOptions,
  type Message,
  startCuttingProxy,
} from '../../helpers/cutting-proxy.ts';
import { REFUND } from '../../helpers/money-request.ts';
import { Cluster, findPostgres, serverOf, type TestDatabase } from '../../helpers/postgres.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const programs = findPostgres();
const LIMIT_MS = 300_000;
const WAYS = [...CUTS.map((how) => [how, false] as const), ['after', true] as const];
const DONE = { state: 'done', status: 200, recordId: '071-R-1', message: null } as const;
const GUARDED: IntentConditions = { noDuplicate: true, noOverRefund: true };
const LINE: LineClaim = {
  batch: 'b',
  line: 'l',
  occurrence: 1,
  siblings: [{ amount: REFUND.amount, lines: 1 }],
  among: 'all',
  retries: 'none',
};

describe.skipIf(programs === undefined)('a connection that is cut', () => {
  const cluster = new Cluster(programs);
  let database: TestDatabase;
  let direct: Server;
  beforeAll(async () => {
    database = await cluster.database();
    direct = serverOf(database.url);
  });
  afterAll(async () => {
    await direct.close();
    cluster.remove();
  });

  interface Story {
    proxy: CuttingProxy;
    /** The result of the intent; undefined if it failed. */
    entry: string | undefined;
    failures: unknown[];
    /** Outcomes that wait. */
    kept: KeptOutcomes;
    open(url: string): Ledger;
  }

  /** Sends one refund as gw does, and stops where gw would. */
  async function send(options: CuttingProxyOptions, conditions: IntentConditions): Promise<Story> {
    await direct.run('DELETE FROM gw.money_requests');
    const proxy = await startCuttingProxy(database.url, options);
    const files = createFiles({ HOME: temporaryDirectory() });
    const kept = new KeptOutcomes(files, path.join(files.stateDirectory, 'outcomes'));
    const author = { operator: 'ada', machine: 'desk' };
    const clock = { now: () => new Date(), uptimeMs: () => performance.now() };
    const open = (url: string) =>
      openPostgresLedger(serverOf(url), {
        ...{ author, clock },
        outbox: new OutcomeOutbox(kept, 'a/b'),
      });
    const ledger = open(proxy.url);
    const failures: unknown[] = [];
    let entry: string | undefined;
    try {
      const intended = await ledger.intend(REFUND, conditions);
      if (intended.kind !== 'recorded') throw new Error(intended.kind);
      entry = intended.id;
      // Now it is sent: so it is known to everybody that it is.
      const sending = "SELECT id FROM gw.money_requests WHERE id = $1 AND state = 'sending'";
      expect(await direct.run(sending, [entry])).toHaveLength(1);
      await ledger.settle(entry, DONE);
    } catch (error) {
      failures.push(error);
    }
    await ledger.close();
    return { proxy, entry, failures, kept, open };
  }

  const states = () =>
    direct.run<{ id: string; state: string }>(
      'SELECT id, state FROM gw.money_requests ORDER BY number',
    );

  async function check({ entry, failures, kept, open }: Story): Promise<void> {
    for (const failure of failures) expect(failure).toBeInstanceOf(Failure);
    const [failure] = failures as Failure[];
    if (entry === undefined) {
      // Nothing was sent, and that is what it says.
      expect(failure?.sent).toBe(false);
    } else if (failure) expect(failure.code).toBe('outcome-kept');
    else return expect(await states()).toEqual([{ id: entry, state: 'done' }]);

    // The next process that reaches the server writes the stored outcomes.
    const later = open(database.url);
    await later.list({ limit: 1 });
    await later.close();
    const [ledger] = await direct.run<{ id: string }>('SELECT id FROM gw.ledger');
    expect(kept.of(ledger?.id ?? '')).toEqual([]);
    const expected = entry === undefined ? [] : [{ id: entry, state: 'done' }];
    const left = (await states()).filter(({ state }) => state !== 'not-sent');
    expect(left).toEqual(expected);
  }

  /** The messages of connecting are the same in both cases, so they are tried once. */
  const isConnected = ({ type }: Message, seen: readonly Message[]) =>
    seen.some((message) => message.from === 'server' && message.type === 'Z') || type === 'Z';

  async function cutEverywhere(
    conditions: IntentConditions,
    isTried: (message: Message, seen: readonly Message[]) => boolean,
  ): Promise<void> {
    const whole = await send({}, conditions);
    expect(whole.failures).toEqual([]);
    await whole.proxy.close();
    const { messages } = whole.proxy;
    expect(messages.length).toBeGreaterThan(30);
    const known = new Set<number>();
    for (const [at, message] of messages.entries()) {
      if (!isTried(message, messages.slice(0, at))) continue;
      for (const [how, staysAway] of WAYS) {
        const story = await send({ cut: { at, how }, staysAway }, conditions);
        const what = `${how} message ${at} (${message.type} of ${message.from}), ${staysAway ? 'for good' : 'once'}`;
        try {
          expect(story.proxy.hasCut()).toBe(true);
          await check(story);
        } catch (error) {
          throw new Error(`${what}: ${error}; ${story.failures}`, { cause: error });
        } finally {
          await story.proxy.close();
        }
        if (story.failures.length === 0 && !staysAway) known.add(at);
      }
    }
    // A cut of an open connection is noticed, and the work continues.
    const made = messages.findIndex((message, at) => isConnected(message, messages.slice(0, at)));
    for (const at of messages.keys()) if (at > made) expect(known, `message ${at}`).toContain(at);
  }

  test('at any message of an intent and its outcome is reported truthfully', {
    timeout: LIMIT_MS,
  }, async () => {
    await cutEverywhere(GUARDED, () => true);
  });

  test('at any message of a claim and its outcome is reported truthfully', {
    timeout: LIMIT_MS,
  }, async () => {
    await cutEverywhere({ ...GUARDED, line: LINE }, isConnected);
  });

  test('in single bytes is reported truthfully', async () => {
    const story = await send({ splits: true }, GUARDED);
    expect(story.failures).toEqual([]);
    await check(story);
    await story.proxy.close();
  });
});
