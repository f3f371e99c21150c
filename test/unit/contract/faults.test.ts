import { describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../src/contract/cards/test-cards.ts';
import { FAULTS, faultNames, parseFault } from '../../../src/contract/faults.ts';

test.each(Object.entries(FAULTS))('%s is a fault', (name, { ending, isProcessed }) => {
  expect(parseFault(name)).toMatchObject({ ending, isProcessed });
  expect(faultNames()).toContain(name);
});

describe('a fault with a number', () => {
  test.each([
    ['400', { status: 400, isProcessed: false }],
    ['503', { status: 503, isProcessed: false }],
    ['599', { status: 599, isProcessed: false }],
    ['slow=0.5s', { lateMs: 500, isProcessed: true }],
    ['slow=0.001s', { lateMs: 1, isProcessed: true }],
    ['slow=600s', { lateMs: 600_000, isProcessed: true }],
  ])('%s is taken', (text, fault) => {
    expect(parseFault(text)).toMatchObject(fault);
  });
});

test.each([
  ...['', 'explode', 'Timeout', 'timeout ', 'reset', 'toString', '__proto__'],
  ...['200', '399', '600', '5000', '50', '500,timeout', '-500'],
  ...['slow', 'slow=', 'slow=3', 'slow=3ms', 'slow=s', 'slow=1e3s', 'slow=-1s', 'slow=1000s'],
])('%j is no fault', (text) => {
  expect(parseFault(text)).toBeUndefined();
});

test('each fault that a server can make has a test card', () => {
  const behaviours: string[] = Object.values(TEST_CARDS).map(({ behaviour }) => behaviour);
  const missing = Object.keys(FAULTS).filter((name) => !behaviours.includes(name));
  expect(missing).toEqual(['unreachable']);
});
