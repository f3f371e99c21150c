/** The index of a ledger on a server, beside the events that this machine received. */
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { EventFile } from '../../../src/events/store/event-file.ts';
import { openPostgresLedger } from '../../../src/journal/postgres/postgres-ledger.ts';
import { learnAllDue } from '../../../src/requests/known/learn-due.ts';
import { ownEvents } from '../../../src/requests/known/own-events.ts';
import { ledgerPath } from '../../../src/store/paths.ts';
import { createTestHost } from '../../helpers/cli.ts';
import { indexing } from '../../helpers/indexing.ts';
import { Cluster, findPostgres, serverOf } from '../../helpers/postgres.ts';
import { indexCases, NOW } from './index-cases.ts';
import { subscriptionStateCases } from './subscription-state-cases.ts';

const programs = findPostgres();
const author = { operator: 'ada@desk', machine: 'desk' };

describe.skipIf(programs === undefined)('on a server', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs);
  });
  afterAll(() => cluster.remove());

  const open = async () => {
    const { url } = await cluster.emptied();
    const clock = { now: () => new Date(NOW), uptimeMs: () => 0 };
    const host = createTestHost();
    const path = ledgerPath(host.files);
    const events = new EventFile(path);
    const own = await ownEvents(host);
    const ledger = indexing(openPostgresLedger(serverOf(url), { author, clock, own }));
    onTestFinished(async () => {
      await ledger.close();
      await events.close();
    });
    const indexDue = async () => {
      await learnAllDue(ledger.sql);
      await ownEvents(host);
    };
    return { ledger, events, indexDue };
  };

  indexCases(open);
  subscriptionStateCases(open);
});
