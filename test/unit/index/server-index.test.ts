/** The index of a ledger on a server. */
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openServerEvents } from '../../../src/events/store/server-events.ts';
import { openPostgresLedger } from '../../../src/journal/postgres/postgres-ledger.ts';
import { Cluster, findPostgres, serverOf } from '../../helpers/postgres.ts';
import { indexCases, NOW } from './index-cases.ts';

const programs = findPostgres();
const author = { operator: 'ada@desk', machine: 'desk' };

describe.skipIf(programs === undefined)('on a server', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs ?? '');
  });
  afterAll(() => cluster.remove());

  indexCases(async () => {
    const { url } = await cluster.database();
    const clock = { now: () => new Date(NOW), uptimeMs: () => 0 };
    const ledger = openPostgresLedger(serverOf(url), { author, clock });
    const events = await openServerEvents(serverOf(url), 'desk');
    onTestFinished(async () => {
      await ledger.close();
      await events.close();
    });
    return { ledger, events };
  });
});
