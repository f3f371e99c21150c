/**
 * Runs the scripts that have two doors at the other one too, and some by oclif's parser: one of each kind.
 * fast-path.test.ts checks that both parsers understand the same words in the same way.
 */
import { expect, test } from 'vitest';
import { type Run, readScripts, testScripts } from '../helpers/scripts.ts';

const BY_OCLIF = [
  'bad-input/amounts.script',
  'bad-input/words.script',
  'commands/api.script',
  'commands/help.script',
  'commands/profiles.script',
  'endpoints/02-purchase-create.script',
  'endpoints/04-refund-create.script',
  'endpoints/16-subscription-update.script',
  'output/formats.script',
  'regressions/batch-refund-currency.script',
  'regressions/flag-given-twice.script',
  'secrets/nothing-leaks.script',
  'text/any-text.script',
];

test('the scripts that are run by oclif exist', () => {
  expect([...readScripts().keys()]).toEqual(expect.arrayContaining(BY_OCLIF));
});

// An update writes each script once, for all its doors.
const isUpdate = Boolean(process.env.UPDATE);

testScripts((name, { doors }) => {
  if (isUpdate) return [];
  const others: Run[] = doors.slice(0, -1).map((door) => ({ door, way: 'fast path' }));
  const last = doors.at(-1) ?? 'none';
  return BY_OCLIF.includes(name) ? [...others, { door: last, way: 'oclif' }] : others;
});
