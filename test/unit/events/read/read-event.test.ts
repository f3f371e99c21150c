import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptHeaders } from '../../../../src/events/read/read-event.ts';
import { redactHeader, redactText } from '../../../../src/host/redaction/redact.ts';

test('headers are kept as they were written, in their order, without credentials', () => {
  const sent = ['X-ODD-Case', 'a, b', 'Cookie', 'id=1', 'x-odd-case', 'c'];
  const kept = [
    ['X-ODD-Case', 'a, b'],
    ['Cookie', '***'],
    ['x-odd-case', 'c'],
  ];
  expect(keptHeaders(sent)).toEqual(kept);
  expect(keptHeaders(sent)).toEqual(kept);
});

test('what is remembered of one header says nothing of another', () => {
  const text = fc.constantFrom('Host', 'Token', 'X-Api-Key', 'a', '4111111111111111', 'id=1', '');
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (headers) => {
      const masked = headers.map(([name, value]) => [redactText(name), redactHeader(name, value)]);
      expect(keptHeaders(headers.flat())).toEqual(masked);
    }),
  );
});
