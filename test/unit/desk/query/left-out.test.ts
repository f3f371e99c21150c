/** A search of records says how many only webhooks told of. */
import { expect, test } from 'vitest';
import { onlyInEvents } from '../../../../src/desk/query/search.ts';
import type { SearchQuery } from '../../../../src/index/search-index.ts';
import { document, knownOf, type NamedDocument } from '../known-documents.ts';

const charge = (id: string, purchase: string, part: Partial<NamedDocument> = {}) =>
  document({ kind: 'event', id, purchase, customer: 'C-1', outcome: 'approved', ...part });

const KNOWN = [
  document({ kind: 'purchase', id: '071-P-1' }),
  document({ kind: 'customer', id: '071-C-1', reference: 'C-1' }),
  charge('1', '071-P-1'),
  charge('2', '071-P-2'),
  // A delivery that came twice tells of one purchase.
  charge('3', '071-P-2'),
  charge('4', '071-P-3', { outcome: 'contradicted' }),
  charge('5', '071-P-4', { customer: 'C-2' }),
];

function documentsOf(known: readonly NamedDocument[]) {
  const { documents } = knownOf(known);
  const search = async ({ kinds = [], limit }: SearchQuery) =>
    known.filter(({ kind }) => kinds.includes(kind)).slice(0, limit);
  return { tied: documents.tied, search };
}

test.each<[kinds: SearchQuery['kinds'], said: string]>([
  [
    ['purchase'],
    'Left out: 2 purchases that only webhooks told of. `gw find --kind event` finds them.\n',
  ],
  [['refund'], ''],
  [['purchase', 'event'], ''],
  [[], ''],
  [undefined, ''],
])('a search of %j says what it leaves out', async (kinds, said) => {
  expect(await onlyInEvents(documentsOf(KNOWN), { kinds })).toBe(said);
});

test('a customer is told of by reference or by id', async () => {
  const some = [...KNOWN, charge('6', '071-P-5', { customer: '071-C-1' })];
  expect(await onlyInEvents(documentsOf(some), { kinds: ['customer'] })).toBe(
    'Left out: 1 customer that only webhooks told of. `gw find --kind event` finds it.\n',
  );
});

test('a thousand events are counted, and no more', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => charge(`${n}`, `071-P-M${n}`));
  expect(await onlyInEvents(documentsOf(many), { kinds: ['purchase'] })).toContain(
    'at least 1000 purchases',
  );
});
