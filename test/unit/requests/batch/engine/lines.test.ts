import { expect, test } from 'vitest';
import type { MoneyRequest } from '../../../../../src/journal/ledger.ts';
import type { Line } from '../../../../../src/requests/batch/engine/batch.ts';
import { Lines } from '../../../../../src/requests/batch/engine/lines.ts';

const keptOf = (n: number, note: string | null): MoneyRequest => ({
  ...{ account: 'a', profile: 'p', environment: 'test', host: 'h', operation: 'refund create' },
  ...{ target: `P-${n}`, refundOf: `P-${n}`, amount: n, currency: null },
  ...{ reference: `R-${n}`, body: { amount: n, 'ключ "': '\ud800' }, note },
});

function lineOf(n: number): Line {
  const row = {
    line: n + 2,
    fields: { amount: String(n) },
    isText: true,
    cells: [String(n), '🙂'],
  };
  const kept = keptOf(n, n % 2 === 0 ? null : 'own');
  const currency = n === 7 ? 'JPY' : undefined;
  return { number: n + 2, key: `k${n}`, occurrence: 1, body: { amount: n }, kept, currency, row };
}

/** @returns so many lines, each of a subject of its own but for the first and the last */
function linesOf(count: number): Lines {
  const lines = new Lines(new Map([[0, [{ amount: 0, lines: 2 }]]]));
  for (let n = 0; n < count; n++) lines.push(lineOf(n), n === count - 1 ? 0 : n);
  return lines;
}

test.each([1, 63, 64, 65, 200])('%i lines are read as they were added, in any order', (count) => {
  const lines = linesOf(count);
  expect(lines).toHaveLength(count);
  expect([...lines].map(({ siblings, ...line }) => line)).toEqual(
    Array.from({ length: count }, (_, n) => lineOf(n)),
  );
  for (const place of [count - 1, 0, Math.floor(count / 2)])
    expect(lines.slice(place, place + 1)).toMatchObject([lineOf(place)]);
  expect(lines.slice(count - 1, count + 5)).toHaveLength(1);
  const [first] = lines;
  const [last] = lines.slice(count - 1, count);
  expect([first?.siblings, last?.siblings]).toEqual(Array(2).fill([{ amount: 0, lines: 2 }]));
});

test('lines without a note or a currency have those of all, the last ones and those read before too', () => {
  const lines = linesOf(70);
  const [before] = lines;
  expect(before?.kept?.note).toBeNull();
  lines.note = 'of all';
  lines.currencies = new Map(Array.from({ length: 70 }, (_, n) => [`P-${n}`, 'AUD']));
  const read = [...lines].map(({ kept, currency }) => [kept?.note, currency]);
  expect(read).toEqual(
    Array.from({ length: 70 }, (_, n) => [n % 2 ? 'own' : 'of all', n === 7 ? 'JPY' : 'AUD']),
  );
});
