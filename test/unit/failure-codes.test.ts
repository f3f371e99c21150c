/** The table of failures: the compiler holds src to it, and this test holds it to src. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { FAILURE_GROUPS, type FailureCode } from '../../src/failure-codes.ts';

const CODES = FAILURE_GROUPS.flatMap((group) => Object.keys(group.codes) as FailureCode[]);
const SOURCE = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'failure-codes.ts')
  .map((name) => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');

test('every code is used in src', () => {
  expect(CODES.filter((code) => !SOURCE.includes(`'${code}'`))).toEqual([]);
});

test('every code stands once', () => {
  expect(new Set(CODES).size).toBe(CODES.length);
});

test('every meaning is a sentence without a full stop', () => {
  const meanings = FAILURE_GROUPS.flatMap((group) => Object.values<string>(group.codes));
  expect(meanings.filter((meaning) => !/^(?:[A-Z-]|gw |jq |`gw ).{8,}[^.]$/.test(meaning))).toEqual(
    [],
  );
});

test('a failure has the kind of its code, and says that nothing was sent as its code does', () => {
  for (const { kind, codes, ...group } of FAILURE_GROUPS)
    for (const code of Object.keys(codes) as FailureCode[]) {
      const sent = 'sent' in group ? group.sent : undefined;
      expect(new Failure(code, 'm', 'n')).toMatchObject({ kind, code, sent });
    }
});

test('a failure may be of another kind, and keeps it in a copy', () => {
  const failure = new Failure('file-unusable', 'm', 'n', { kind: 'guard', sent: false });
  expect(failure.with({ message: 'o' })).toMatchObject({
    kind: 'guard',
    sent: false,
    exitCode: 10,
  });
  expect(failure.with({ sent: undefined }).sent).toBeUndefined();
});
