import { expect, onTestFinished, test } from 'vitest';
import { parseTarget } from '../../../../src/cli/flags/delivery-flags.ts';
import { listHooks, registerHook } from '../../../../src/emulator/deliveries/hooks.ts';
import { openState } from '../../../../src/emulator/state.ts';
import { createClock } from '../../../../src/host/create.ts';
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

test('a hook of the test gateway takes the addresses that --forward-to takes, and no others', async () => {
  const store = openState({ path: ':memory:', clock: createClock() });
  onTestFinished(() => store.close());
  const hook = (url: string) => {
    const id = registerHook(store, { merchant: 'TEST', url });
    return listHooks(store).find((one) => one.id === id)?.url;
  };
  for (const text of [
    ...[
      'http://app:3000/',
      'http://app.internal/hooks',
      'http://0.0.0.0:4242/',
      'http://[::]:4242/',
    ],
    ...['http://172.17.0.2:3000/a?b=1#c', 'http://shop.example/', 'https://shop.example/hooks'],
    ...['http://127.0.0.1:3000', 'HTTP://APP:80/', 'localhost:3000/hooks', '[::1]:3000'],
  ]) {
    expect(hook(text)).toBe(parseTarget('forward-to', text).href);
  }
  for (const text of [
    ...[
      'app:3000',
      'shop.example:80/hooks',
      'app',
      'localhost',
      '/hooks',
      '',
      'http://',
      'http://a b/',
    ],
    ...[
      'ftp://app/',
      'file:///etc/passwd',
      'ws://app:3000/',
      'javascript:alert(1)',
      'mailto:a@b.example',
    ],
  ]) {
    for (const take of [hook, (one: string) => parseTarget('forward-to', one)])
      expect((await failureOf(() => take(text))).code).toBe('url-invalid');
  }
});
