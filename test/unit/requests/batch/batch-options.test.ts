/** From the flags of a batch to its options. */
import { describe, expect, test } from 'vitest';
import { type BatchOptions, batchOptions } from '../../../../src/requests/batch/batch-options.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';

type BatchFlags = Parameters<typeof batchOptions>[1];

const read = (flags: BatchFlags) => batchOptions(createTestHost(), flags);

describe('the options of a batch', () => {
  test.each<[string, BatchFlags, Partial<BatchOptions>]>([
    ['no flags', {}, { concurrency: 16, perSecond: undefined, maxCount: undefined }],
    [
      'no flags at all',
      {},
      { retriesUnknown: false, name: undefined, columns: { mapped: new Map(), ignored: [] } },
    ],
    ['--concurrency 1', { concurrency: '1' }, { concurrency: 1 }],
    ['--concurrency 256', { concurrency: '256' }, { concurrency: 256 }],
    ['--rate 0.5', { rate: '0.5' }, { perSecond: 0.5 }],
    ['--rate 10000', { rate: '10000' }, { perSecond: 10_000 }],
    ['--max-count 9', { 'max-count': '9' }, { maxCount: 9 }],
    ['--max-total 100', { 'max-total': '100' }, { maxTotal: 100 }],
    ['--stop-after-failures 3', { 'stop-after-failures': '3' }, { stopAfterFailures: 3 }],
    ['--batch march', { batch: 'march' }, { name: 'march' }],
    ['--retry-unknown', { 'retry-unknown': true }, { retriesUnknown: true }],
    [
      '--map amount=Betrag',
      { map: ['amount=Betrag', 'reference = a=b'] },
      {
        columns: {
          mapped: new Map([
            ['amount', 'Betrag'],
            ['reference', 'a=b'],
          ]),
          ignored: [],
        },
      },
    ],
    [
      '--ignore-columns a,B',
      { 'ignore-columns': 'a, B' },
      { columns: { mapped: new Map(), ignored: ['a', 'B'] } },
    ],
  ])('are read from %s', (_, flags, options) => {
    expect(read(flags)).toMatchObject(options);
  });

  test('include the options of each request', () => {
    const { request } = read({ 'dry-run': true, 'allow-duplicate': true, timeout: '2' });
    expect(request).toMatchObject({
      isDryRun: true,
      refusesDuplicates: false,
      recordsMoney: true,
      timeoutMs: 2_000,
    });
  });

  test.each<[string, BatchFlags]>([
    ['integer-invalid', { concurrency: '0' }],
    ['integer-invalid', { concurrency: '257' }],
    ['integer-invalid', { concurrency: '1.5' }],
    ['integer-invalid', { 'max-count': '-1' }],
    ['integer-invalid', { 'max-total': '1e3' }],
    ['integer-invalid', { 'stop-after-failures': 'all' }],
    ['number-invalid', { rate: '0' }],
    ['number-invalid', { rate: '10001' }],
    ['number-invalid', { rate: 'fast' }],
    ['number-invalid', { rate: '0x10' }],
    ['number-invalid', { rate: '1e2' }],
    ['amount-is-decimal', { 'max-total': '500.00' }],
    ['batch-name-invalid', { batch: ' ' }],
    ['batch-name-invalid', { batch: 'x'.repeat(129) }],
  ])('are refused with the code %s for %o', async (code, flags) => {
    expect(await failureOf(() => read(flags))).toMatchObject({ kind: 'usage', code });
  });
});
