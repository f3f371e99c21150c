/** Names as those write them who have not all of their letters. */
import { expect, test } from 'vitest';
import { foldedForms, isSameName } from '../../../src/things/normalise.ts';

test.each([
  ['Günther Müller', 'guenther mueller'],
  ['Günther Müller', 'GUNTHER MULLER'],
  ['Mueller', 'Müller'],
  ['Mu\u0308ller', 'mueller'],
  ['Søren Kjær', 'soren kjaer'],
  ['Soeren Kjaer', 'Søren Kjær'],
  ['Jürgen Groß', 'jurgen gross'],
  ['Juergen Gross', 'Jürgen Groß'],
  ['Åse', 'aase'],
  ['Siobhán Ó Briain', 'siobhan o briain'],
  ['Đorđe', 'djordje'],
  ["Sean O'Neill", 'sean oneill'],
  ["Sean O'Neill", 'Sean O’Neill'],
  ['Mary O’Brien-Smith', 'mary obrien-smith'],
])('%s is %s', (one, other) => {
  expect(isSameName(one, other)).toBe(true);
  expect(isSameName(other, one)).toBe(true);
});

test.each([
  ['Muller', 'Mueller'],
  ['Samuel', 'Samul'],
  ['Soren', 'Soeren'],
])('%s is not %s', (one, other) => {
  expect(isSameName(one, other)).toBe(false);
});

test('a name of nothing but apostrophes has one form', () => {
  expect(foldedForms("''")).toEqual(["''"]);
});
