import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { bodySchema } from '../../../src/contract/field-schemas.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS, type OperationName } from '../../../src/contract/operations.ts';
import { planList } from '../../../src/contract/resources/plan.ts';

function schemaOf(name: OperationName) {
  const row = (OPERATIONS as readonly Operation[]).find((operation) => operation.name === name);
  if (!row?.body) throw new Error(`${name} has no body`);
  return bodySchema(row.body);
}

/** @returns the fields at fault, or none when the body may be sent */
function faults(name: OperationName, body: JsonObject): string[] {
  const result = schemaOf(name).safeParse(body);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
}

const refund = { transaction_id: '001-P-1', amount: 2500, reference: 'RF-1' };
const subscription = {
  customer: '001-C-1',
  plan: 'gold',
  frequency: 'Weekly',
  start_date: '2026-08-01',
  reference: 'SUB-1',
  is_active: true,
};

describe('a date', () => {
  const fault = (start_date: string) =>
    faults('subscription create', { ...subscription, start_date });

  test.each(['2026-02-28', '2028-02-29', '2000-02-29', '2026-12-31', '2026-01-01'])(
    '%s exists',
    (day) => {
      expect(fault(day)).toEqual([]);
    },
  );

  test.each([
    ...[
      '2026-02-30',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
    ],
    ...[
      '2026-1-1',
      '26-01-01',
      '01/02/2026',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '',
      'tomorrow',
    ],
  ])('%j is not a date', (day) => {
    expect(fault(day)).toEqual(['start_date']);
  });

  test('of any calendar day exists', () => {
    const days = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('2999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(days, (day) => fault(day.toISOString().slice(0, 10)).length === 0));
  });
});

test('text accepts any Unicode and comes back unchanged', () => {
  const schema = schemaOf('refund create');
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('🎉'.repeat(5_000), '"\'\\\n\r\t', '\u0000', 'x'.repeat(10_000)),
  );
  fc.assert(
    fc.property(texts, (reference) => {
      fc.pre(reference.trim() !== '');
      expect(schema.parse({ ...refund, reference })).toEqual({ ...refund, reference });
    }),
  );
});

test('paging accepts whole numbers from 1', () => {
  const query = bodySchema({ fields: planList.query });
  expect(query.safeParse({ limit: 20, offset: 1 }).success).toBe(true);
  expect(query.safeParse({}).success).toBe(true);
  for (const wrong of [
    { limit: 0 },
    { offset: 0 },
    { limit: 1.5 },
    { offset: -1 },
    { limit: '20' },
  ]) {
    expect(query.safeParse(wrong).success).toBe(false);
  }
});
