import { expect, test } from 'vitest';
import { parseTarget } from '../../../../src/cli/flags/delivery-flags.ts';
import { failureOf } from '../../../helpers/failure.ts';

test('the address of a target has no credentials', async () => {
  expect(parseTarget('to', 'http://localhost:3000/a?b=1#c').href).toBe(
    'http://localhost:3000/a?b=1',
  );
  for (const text of ['localhost:3000', '127.0.0.1:5555/hooks', '[::1]:80']) {
    expect(parseTarget('to', text).href).toMatch(`http://${text.replace(':80', '')}`);
  }
  for (const text of [
    'gateway.example:80',
    'localhost',
    'file:///etc/passwd',
    'https://u:p@x/',
    '',
  ]) {
    expect((await failureOf(() => parseTarget('to', text))).kind).toBe('usage');
  }
});
