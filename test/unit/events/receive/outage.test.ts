import { expect, test } from 'vitest';
import { isFileAway, Outage } from '../../../../src/events/receive/outage.ts';
import { Failure } from '../../../../src/failure.ts';

const failure = (code: string) =>
  new Failure('guard', `It is ${code}.`, { code, next: 'Move it back.' });

test('a file is away where it was moved or may be two, and not where it refuses one delivery', () => {
  expect(isFileAway(failure('file-moved'))).toBe(true);
  expect(isFileAway(failure('file-linked'))).toBe(true);
  expect(isFileAway(failure('file-locked'))).toBe(false);
  expect(isFileAway(new Error('file-moved'))).toBe(false);
});

test('an outage is told once, and once more when it is over', () => {
  const notices: string[] = [];
  const outage = new Outage((text) => notices.push(text));
  outage.worked();
  outage.failed(failure('file-moved'));
  outage.failed(failure('file-moved'));
  outage.worked();
  outage.worked();
  expect(notices).toEqual([
    'It is file-moved. gw answers deliveries with 503 until it can store them. Move it back.',
    'The ledger is working again; 2 deliveries were answered with 503.',
  ]);
});
