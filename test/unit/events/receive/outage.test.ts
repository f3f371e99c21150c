import { expect, test } from 'vitest';
import { isLedgerAway, Outage } from '../../../../src/events/receive/outage.ts';
import { Failure } from '../../../../src/failure.ts';

const failure = (code: string) => new Failure('guard', `It is ${code}.`, { code, next: '' });

function setUp() {
  const notices: string[] = [];
  return { notices, outage: new Outage((text) => notices.push(text)) };
}

test('a ledger is away unless it refuses one statement', () => {
  expect(isLedgerAway(failure('ledger-unreachable'))).toBe(true);
  expect(isLedgerAway(failure('ledger-failed'))).toBe(false);
  expect(isLedgerAway(failure('file-locked'))).toBe(false);
  expect(isLedgerAway(new Error('ledger-lost'))).toBe(false);
});

test('whatever works shows that the connection does', () => {
  const { notices, outage } = setUp();
  outage.worked('keep');
  outage.failed('pass-on', failure('ledger-lost'));
  outage.failed('keep', failure('ledger-unreachable'));
  outage.worked('pass-on');
  outage.worked('keep');
  expect(notices).toEqual([
    'It is ledger-lost. gw answers deliveries with 503 until it can store them.',
    'The ledger is working again; 1 delivery was answered with 503.',
  ]);
});

test('a full disk is over when something was kept', () => {
  const { notices, outage } = setUp();
  outage.failed('keep', failure('ledger-disk-full'));
  outage.worked('pass-on');
  outage.failed('keep', failure('ledger-disk-full'));
  expect(notices).toHaveLength(1);
  outage.worked('keep');
  expect(notices.at(-1)).toContain('2 deliveries were answered with 503');
});
