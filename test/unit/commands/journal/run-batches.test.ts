import { expect, test } from 'vitest';
import { outputOptions } from '../../../../src/cli/flags/command-options.ts';
import { openLedgerAt } from '../../../../src/client/ledger/open.ts';
import { ownFile } from '../../../../src/client/ledger/place.ts';
import { listBatches, showBatch } from '../../../../src/commands/journal/run-batches.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import type { LineClaim } from '../../../../src/journal/ledger.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { REFUND } from '../../../helpers/money-request.ts';

const DIGEST = '0123456789abcdef0123456789abcdef';

/** A machine from which two lines of each of these batches were sent, the second was declined. */
/** The batches of the profile in use, as they are. */
const OWN = { profile: undefined, isOfAll: false, outcomes: undefined, output: outputOptions({}) };

async function machine(...batches: { operation?: string; batch: string }[]) {
  const host = createTestHost();
  const ledger = await openLedgerAt(host, ownFile(host.files));
  for (const { operation = 'refund create', batch } of batches)
    for (const [reference, state] of [
      ['A', 'done'],
      ['B', 'declined'],
    ] as const) {
      const line: LineClaim = {
        ...{ batch, line: reference, occurrence: 1 },
        ...{ siblings: [], among: 'own', retries: 'none' },
      };
      const request = { ...REFUND, operation, refundOf: null, reference };
      const conditions = { noDuplicate: false, noOverRefund: false, line };
      const intended = await ledger.intend(request, conditions);
      if (intended.kind !== 'recorded') throw new Error(intended.kind);
      const settlement = { state, status: 200, recordId: `071-R-${reference}`, message: null };
      await ledger.settle(intended.id, settlement);
    }
  await ledger.close();
  return { host, redactor: new Redactor(), root: '.' };
}

const MARCH = { batch: 'march' };
const NAMELESS = { batch: DIGEST };

test('batches are listed from the last one, and a note says that there are others', async () => {
  const context = await machine(MARCH, NAMELESS);
  await listBatches(context, {
    ...OWN,
    limit: 1,
    output: outputOptions({ output: 'csv', fields: 'id,lines,done,declined' }),
  });
  expect(context.host.stdout.text.split('\n')).toEqual([
    'id,lines,done,declined',
    expect.stringMatching(/^(march|0123456789abcdef\w+),2,1,1$/),
    '',
  ]);
  expect(context.host.stderr.text).toContain('1 older batch is not shown.');
});

test('a batch is shown by its name or the beginning of its digest', async () => {
  for (const id of ['march', '0123', DIGEST, 'refund create march']) {
    const context = await machine(MARCH, NAMELESS);
    await showBatch(context, id, {
      ...OWN,
      output: outputOptions({ output: 'csv', fields: 'reference,state,record_id' }),
    });
    expect(context.host.stdout.text).toBe(
      'reference,state,record_id\nA,done,071-R-A\nB,declined,071-R-B\n',
    );
    expect(context.host.stderr.text).toContain(
      ': 1 done, 1 declined. Total done: 1.00 (account currency).',
    );
  }
});

test('its lines may be filtered by outcome', async () => {
  const context = await machine(MARCH);
  await showBatch(context, 'march', {
    ...OWN,
    outcomes: ['declined'],
    output: outputOptions({ output: 'csv', fields: 'reference' }),
  });
  expect(context.host.stdout.text).toBe('reference\nB\n');
});

test('an unknown or ambiguous batch is reported', async () => {
  const context = await machine(MARCH, { ...MARCH, operation: 'purchase create' });
  expect(await failureOf(() => showBatch(context, '$(id)', OWN))).toMatchObject({
    ...{ kind: 'notFound', message: "No line of a batch '$(id)' was sent from here." },
  });
  const { next } = await failureOf(() => showBatch(context, 'march', OWN));
  expect(next).toContain("'refund create march'");
  await showBatch(context, 'refund create march', {
    ...OWN,
    output: outputOptions({ output: 'id' }),
  });
  expect(context.host.stdout.text.trimEnd().split('\n')).toHaveLength(2);
});
