import { describe, expect, test } from 'vitest';
import { boundedRecord, boundedText } from '../../../src/base/bounded.ts';

describe('a text', () => {
  test('of the greatest length stays the same, and a longer one is cut', () => {
    expect(boundedText('x'.repeat(100), 100)).toBe('x'.repeat(100));
    expect(boundedText('x'.repeat(101), 100)).toBe(`${'x'.repeat(100)}…`);
    expect(boundedText('é😀\ud83d'.repeat(100), 100).slice(0, 8)).toBe('é😀\ud83dé😀\ud83d');
  });

  test.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111.1111-1111'])(
    'keeps no part of a cut card number: %s',
    (number) => {
      for (let at = 80; at < 101; at++) {
        const kept = boundedText(`${'x'.repeat(at)}${number}${'y'.repeat(100)}`, 100);
        expect(kept.replace(number, '')).not.toMatch(/4/);
      }
    },
  );
});

test('a record keeps the fields that fit, in any order', () => {
  const list = Array.from({ length: 1_000 }, (_, i) => i);
  let deep: unknown[] = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const record = JSON.parse(JSON.stringify({ list, id: '071-P-1', message: 'x'.repeat(500) }));
  expect(boundedRecord({ ...record, deep: deep as never }, 100, 200)).toEqual({
    id: '071-P-1',
    message: `${'x'.repeat(100)}…`,
  });
});
