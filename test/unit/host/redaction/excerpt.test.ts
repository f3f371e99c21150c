import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXCERPT_LENGTH, excerpt } from '../../../../src/host/redaction/excerpt.ts';
import { anyText, DANGEROUS } from '../../../helpers/arbitraries.ts';

test.each([
  [
    '<!doctype html><html><head><title>502 Bad Gateway</title><style>p { color: red }</style></head>\n' +
      '<body><script>alert("<b>")</script><h1>502</h1>\n\n<p class="a>b">Try  later</p></body></html>',
    '502 Bad Gateway 502 b">Try later',
  ],
  ['<SCRIPT>a</script >b<style>c<script>d</style>e', 'b e'],
  ['a<script>b</style>c', 'a'],
  ['a</script>b', 'a b'],
  ['plain text', 'plain text'],
  ['', ''],
  ['  \n\t ', ''],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['\u001b[2Jcleared', '\\u001b[2Jcleared'],
  ['{"error": "no", "cvv": "123"}', '{"error":"no","cvv":"***"}'],
  ['{"successful": tru', '{"successful": tru'],
  ['{"card_number": "5123456789012346", "a', '{"card_number": "512345XXXXXX2346", "a'],
  ['<p>Card 5123456789012346, cvv=123</p>', 'Card 512345XXXXXX2346, cvv=***'],
  ['<td>5123</td><td>4567</td><td>8901</td><td>2346</td>', '5123 45XX XXXX 2346'],
  ['<td>CVV</td><td>123</td>', 'CVV ***'],
  [
    '{"error":"no","access_token":"a1","data":{"token":"b2"}}',
    '{"error":"no","access_token":"***","data":{"token":"***"}}',
  ],
  ['<p>bad token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln</p>', 'bad token ***'],
])('the excerpt of %j is %j', (body, text) => {
  expect(excerpt(body)).toBe(text);
});

test('any body has a short, harmless excerpt on one line', () => {
  fc.assert(
    fc.property(anyText, fc.nat(100), (text, times) => {
      const shown = excerpt(`<p>${text.repeat(times)}</p>`);
      expect(shown.length).toBeLessThanOrEqual(EXCERPT_LENGTH);
      expect(shown).not.toMatch(DANGEROUS);
    }),
  );
});
