import { expect, test } from 'vitest';
import { isLoopback } from '../../../src/base/loopback.ts';

test.each(['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]'])('%s is loopback', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  ...['0.0.0.0', '::', '10.0.0.1', 'gateway.example'],
  ...['127.0.0.1.example.com', 'localhost.example.com'],
])('%s is not loopback', (host) => {
  expect(isLoopback(host)).toBe(false);
});
