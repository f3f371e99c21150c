import { expect, test } from 'vitest';
import { createOrderedOutput } from '../../../../src/commands/listen/ordered-output.ts';
import { settle } from '../../events/support.ts';

test('a pending line delays the next ones', async () => {
  const writes: string[] = [];
  const output = createOrderedOutput(
    { write: async (text) => void writes.push(text) },
    () => undefined,
  );
  let know: (text: string) => void = () => undefined;
  output.add('a');
  output.add(new Promise((resolve) => (know = resolve)));
  output.add('c');
  await settle();
  expect(writes.join('')).toBe('a');
  know('b');
  await output.end();
  expect(writes.join('')).toBe('abc');
});

test('a slow reader makes the writer wait', async () => {
  const taken: (() => void)[] = [];
  const write = () => new Promise<void>((resolve) => taken.push(resolve));
  const output = createOrderedOutput({ write }, () => undefined);
  output.add('first');
  await output.room();
  output.add('x'.repeat(20 * 1024 * 1024));
  let hasRoom = false;
  const room = output.room()?.then(() => (hasRoom = true));
  await settle();
  expect(hasRoom).toBe(false);
  taken.shift()?.();
  await settle();
  taken.shift()?.();
  await room;
  expect(hasRoom).toBe(true);
});

test('a failed write is reported once, at the end', async () => {
  let failures = 0;
  const write = async () => {
    throw new Error('no space');
  };
  const output = createOrderedOutput({ write }, () => failures++);
  output.add('a');
  await settle();
  output.add('b');
  await expect(output.end()).rejects.toThrow('no space');
  expect(failures).toBe(1);
});
