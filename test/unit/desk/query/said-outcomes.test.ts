/** Who said what of an outcome, on a real server. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { saidOfOutcomes } from '../../../../src/desk/query/said-outcomes.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';
import { recorded } from '../../../helpers/recorded.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('outcomes', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  test('an answer that comes late is of whoever sent it, not of whoever resolved it', async () => {
    const { url } = await cluster.database();
    const open = (operator: string) => {
      const author = { operator, machine: 'desk' };
      const clock = { now: () => new Date(), uptimeMs: () => performance.now() };
      const ledger = openPostgresLedger(serverOf(url), { author, clock });
      onTestFinished(() => ledger.close());
      return ledger;
    };
    const [ada, ben] = [open('ada'), open('ben')];
    const outcome = { status: null, recordId: null, message: null };
    const id = await recorded(ada, REFUND);
    await ada.settle(id, { ...outcome, state: 'unknown' });
    await ben.resolve(id, { ...outcome, state: 'not-done' }, 'the user said so');
    await ada.settle(id, { ...outcome, state: 'done' });
    const [entry] = await ben.find(id);
    const said = await saidOfOutcomes(ben, entry!, { write: async () => undefined });
    expect(said).toMatchObject({
      outcomes: [
        { state: 'unknown', operator: 'ada' },
        { state: 'not-done', operator: 'ben' },
        { state: 'done', operator: 'ada' },
      ],
    });
  });
});
