/** Names of records in the cells of a bank. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownNames } from '../../../../src/commands/reconcile/known-names.ts';

const NAMES = ['INV-1042', '8871', 'ACME GmbH 7', 'A/B.9', 'INV-1042-B', '2026', '伟-3'];

function known(references: readonly string[] = NAMES): KnownNames {
  const names = new KnownNames();
  for (const [n, reference] of references.entries())
    names.add({ kind: 'purchase', id: `071-P-ZZ${n}Q`, reference, outcome: 'approved' });
  return names;
}

const named = (cell: string, names = known()) =>
  names.in([cell]).flatMap((records) => records.map(({ id, reference }) => reference ?? id));

test.each<[string, string[]]>([
  ['CARD PMT INV-1042 REF 88710', ['INV-1042']],
  ['card pmt inv 1042', ['INV-1042']],
  ['INV1042', ['INV-1042']],
  ['SVWZ+INV-1042,EREF:77', ['INV-1042']],
  ['CARD PMT INV-1042 REF 8871', ['8871', 'INV-1042']],
  ['(8871)', ['8871']],
  ['payment 071 P ZZ1Q thanks', ['8871']],
  ['ACME-GMBH 7', ['ACME GmbH 7']],
  ['a b 9', ['A/B.9']],
  ['伟3 paid', ['伟-3']],
  ['INV-1042-B', ['INV-1042-B']],
  ['UPI-A CUSTOMER-INV-1042', ['INV-1042']],
  ['IMPS-608012345678-INV-1042-CUSTOMER', ['INV-1042']],
])('%s names %j', (cell, names) => {
  expect(named(cell).sort()).toEqual(names.sort());
});

test.each([
  'INV-10421',
  'XINV-1042',
  'X-INV-1042',
  'INV-1042-C',
  'UPI-A CUSTOMER-INV-1042-C',
  'UPI-A CUSTOMER-INV-1042-7',
  'UPI-A CUSTOMER-XINV-1042',
  '8871.50',
  '18,871 8,871',
  '31/12/2026',
  '2026-12-31',
  '20:26:2026',
  'INV 10 42',
  '88 71',
  'nothing',
  '',
])('%s names nothing', (cell) => {
  expect(named(cell)).toEqual([]);
});

test('an id is named by its form, though no record is known to have it', () => {
  expect(new KnownNames().in(['PMT 071-r-ABCDEF, 071-PX-1 X071-P-ABCDEF'])).toEqual([
    [{ kind: 'refund', id: '071-R-ABCDEF', reference: null, outcome: null }],
  ]);
});

test('a name that stands in another one is not named', () => {
  expect(named('ACME GmbH 7', known(['7', 'ACME GmbH 7', 'ACME']))).toEqual(['ACME GmbH 7']);
});

test('two references that a bank writes alike are both named', () => {
  expect(named('INV1042', known(['INV-1042', 'inv 1042']))).toEqual(['INV-1042', 'inv 1042']);
});

test('any reference with a letter or a digit is found between other words', () => {
  const reference = fc.stringMatching(/^[A-Z0-9]+([-_/ .]?[A-Z0-9]+){0,3}$/);
  fc.assert(
    fc.property(reference, fc.constantFrom('', 'PMT ', 'ref: '), (name, before) => {
      expect(named(`${before}${name} xyzzy`, known([name]))).toContain(name);
    }),
  );
});
