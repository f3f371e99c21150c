/** The groups of flags on a page come from the definitions of the flags, and from no list of names. */
import { expect, test } from 'vitest';
import { type Flag, inGroup, option } from '../../../../src/cli/flags/flag.ts';
import { outputFlags, requestFlags } from '../../../../src/cli/flags/global-flags.ts';
import { flagGroups, isCommon } from '../../../../src/cli/help/flag-groups.ts';

const named = <const F extends Flag>(name: string, flag: F) => ({ ...flag, name });
const RAW = named('raw', outputFlags.raw);
/** The flag of `gw listen`. */
const OWN_TIMEOUT = named(
  'timeout',
  inGroup('END').option({ description: 'Stop after this time.' }),
);

test('a flag is in the group of its definition, whatever its name is', () => {
  const flags = {
    raw: RAW,
    timeout: OWN_TIMEOUT,
    to: named('to', option({ description: 'Where.' })),
  };
  expect(
    flagGroups({ flags }).map(({ title, flags }) => [title, flags.map(({ name }) => name)]),
  ).toEqual([
    ['Flags', ['to']],
    ['When it ends', ['timeout']],
    ['Rarely needed', ['raw']],
  ]);
});

test('a command explains a flag of its own that is called like a common one', () => {
  const timeout = named('timeout', requestFlags.timeout);
  expect([timeout, OWN_TIMEOUT, RAW].map(isCommon)).toEqual([true, false, true]);
});
