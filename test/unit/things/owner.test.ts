/**
 * One table of cases holds the predicate, and its SQL in a file and on a server, to the same answer. Each line has the row,
 * the owner, and which of the three rules say that it is theirs.
 */
import { describe, expect, test } from 'vitest';
import { allRows } from '../../../src/store/sql.ts';
import { isOwnedBy, type Owner, ownerCondition, ownerValues } from '../../../src/things/owner.ts';
import { findPostgres } from '../../helpers/postgres.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { postgresIndex } from './postgres-index.ts';
import type { TestIndex } from './search-cases.ts';
import { sqliteIndex } from './sqlite-index.ts';

type Parts = readonly [
  account: string | null,
  profile: string | null,
  environment: string | null,
  host: string | null,
];

const CASES: readonly (readonly [about: string, row: Parts, owner: Parts, theirs: string])[] = [
  // Both have an account, which decides alone.
  ['the same account', ['a', 'shop', 'live', 'h'], ['a', 'shop', 'live', 'h'], 'same listed named'],
  [
    'the same account of another profile, at another address',
    ['a', 'till', 'live', 'h'],
    ['a', 'shop', 'sandbox', 'i'],
    'same listed named',
  ],
  ['another account of the profile', ['b', 'shop', 'live', 'h'], ['a', 'shop', 'live', 'h'], ''],
  // A list does not guess whose account it is. A name belongs to the profile.
  ['an unknown owner', ['a', 'shop', 'live', 'h'], [null, 'shop', 'live', 'h'], 'named'],
  ['an unknown owner elsewhere', ['a', 'shop', 'live', 'h'], [null, 'shop', 'live', 'i'], ''],
  ['an unknown owner of another name', ['a', 'shop', 'live', 'h'], [null, 'till', 'live', 'h'], ''],
  // An event names no account.
  ['an event', [null, 'shop', 'live', null], ['a', 'shop', 'live', 'h'], 'listed named'],
  [
    'an event in capitals',
    [null, 'shop', 'Live', null],
    ['a', 'shop', 'live', 'h'],
    'listed named',
  ],
  [
    'an event of the sandbox, for its other name',
    [null, 'shop', 'Sandbox', null],
    ['a', 'shop', 'local', 'h'],
    'listed named',
  ],
  ['an event of the sandbox', [null, 'shop', 'Sandbox', null], ['a', 'shop', 'live', 'h'], 'named'],
  ['a live event', [null, 'shop', 'live', null], ['a', 'shop', 'sandbox', 'h'], 'named'],
  [
    'an event without a mode',
    [null, 'shop', null, null],
    ['a', 'shop', 'live', 'h'],
    'listed named',
  ],
  ['an event without a profile', [null, null, 'live', null], ['a', 'shop', 'live', 'h'], 'named'],
  ['an event of another profile', [null, 'till', 'live', null], ['a', 'shop', 'live', 'h'], ''],
  ['an event of another host', [null, 'shop', 'live', 'i'], ['a', 'shop', 'live', 'h'], 'listed'],
  ['an event, for nobody', [null, 'shop', 'live', null], [null, null, null, null], 'named'],
  [
    'an event of nobody, for nobody',
    [null, null, null, null],
    [null, null, null, null],
    'same named',
  ],
  // A profile that is gone has no environment.
  [
    'an event of a lost profile',
    [null, 'shop', 'live', null],
    [null, 'shop', null, null],
    'listed named',
  ],
  // Two events, or an event and a profile that was never used.
  ['two events', [null, 'shop', 'Live', null], [null, 'shop', 'Live', null], 'same named'],
  [
    'two events of both sides',
    [null, 'shop', 'Live', null],
    [null, 'shop', 'Sandbox', null],
    'named',
  ],
  ['two events of two profiles', [null, 'shop', 'Live', null], [null, 'till', 'Live', null], ''],
  [
    'an unused profile',
    [null, 'shop', 'live', null],
    [null, 'shop', 'live', 'h'],
    'same listed named',
  ],
];

function ownerOf([account, profile, environment, host]: Parts): Owner {
  return { account, profile, environment, host };
}

test.each(CASES)('%s', (_, row, owner, theirs) => {
  const of = [ownerOf(row), ownerOf(owner)] as const;
  const said = [
    isOwnedBy(...of, 'same') && 'same',
    isOwnedBy(...of, 'listed') && 'listed',
    isOwnedBy(...of, 'named') && 'named',
  ];
  expect(said.filter(Boolean).join(' ')).toBe(theirs);
});

/** Puts each row into the table of things, and asks for those that are listed. */
async function holdsInSql({ store, put }: TestIndex): Promise<void> {
  for (const [about, row, owner, theirs] of CASES) {
    const { account, profile, environment, host } = ownerOf(row);
    await put([{ ...EMPTY_THING, id: 'f-1', account, profile, environment, host }]);
    const listed = await store.read(() =>
      allRows(`SELECT doc FROM gw.things WHERE ${ownerCondition()}`, ownerValues(ownerOf(owner))),
    );
    expect([about, listed.length === 1]).toEqual([about, theirs.includes('listed')]);
  }
}

test('the SQL of lists, in a file', () => holdsInSql(sqliteIndex()));

const programs = findPostgres();

describe.skipIf(programs === undefined)('on a server', () => {
  const index = postgresIndex(programs);

  test('the SQL of lists', () => holdsInSql(index()));
});
