import { describe, expect, test } from 'vitest';
import { agoText, boundedRecord, boundedText, count, quantity } from '../../../src/base/text.ts';

test('a count has a comma before each three digits', () => {
  const counts = [7, 999, 1_000, 12_345, -1_234_567, 12_345_678_901_234n].map(count);
  expect(counts).toEqual(['7', '999', '1,000', '12,345', '-1,234,567', '12,345,678,901,234']);
});

test('a counted thing has its number and the word that fits', () => {
  const said = [0, 1, 1_000, 1n].map((n) => quantity(n, 'entry', 'entries'));
  expect(said).toEqual(['0 entries', '1 entry', '1,000 entries', '1 entry']);
});

test('an age is in the largest unit that fits, and none is in the future', () => {
  const now = new Date('2026-03-10T09:30:00Z');
  const of = (seconds: number) =>
    agoText(new Date(now.getTime() - seconds * 1000).toISOString(), now);
  expect([-90, 59, 60, 3_599, 3_600, 86_399, 86_400, 172_800].map(of)).toEqual([
    ...['just now', 'just now', '1 min ago', '59 min ago', '1 h ago', '23 h ago'],
    ...['1 day ago', '2 days ago'],
  ]);
});

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
