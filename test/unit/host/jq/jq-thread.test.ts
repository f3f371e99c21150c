/** jq on its thread: order, how much is on its way, and how it is ended. */
import { beforeAll, expect, test } from 'vitest';
import type { Jq } from '../../../../src/host/host.ts';
import { testJq } from '../../../helpers/jq.ts';

let jq: Jq;
beforeAll(async () => {
  jq = await testJq();
});

const run = (expression: string, ...input: string[]) => jq.run(expression, input);

test('simultaneous runs do not mix', async () => {
  const ends = await Promise.all(['.', '. + 1', 'error', '. + 2'].map((one) => run(one, '1')));
  expect(ends.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
    ['1\n', 0],
    ['2\n', 0],
    ['', 5],
    ['3\n', 0],
  ]);
});

test('input may be cut anywhere and have several texts', async () => {
  expect((await run('.', '{"a', '":', '"\u00e4', '\u{1d11e}"} 1', '2')).stdout).toBe(
    '{"a":"\u00e4\u{1d11e}"}\n12\n',
  );
  const long = 'x'.repeat(3_000_000);
  expect((await run('length', '"', long, '"', '"', long, '"')).stdout).toBe('3000000\n3000000\n');
});

test.each(['repeat(1)', 'def f: f; f'])('an interrupt ends %s', async (endless) => {
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const ended = jq.run(endless, ['1'], interrupt.signal);
  setImmediate(() => interrupt.abort(reason));
  await expect(ended).rejects.toBe(reason);
  expect((await run('.', '1')).stdout).toBe('1\n');
});

test('an earlier interrupt does not end a run', async () => {
  const interrupted = AbortSignal.abort(new Error('interrupted'));
  expect(await jq.run('.', ['1'], interrupted)).toMatchObject({ exitCode: 0 });
});

test('an expression that needs too much memory fails, and the next one runs', async () => {
  expect(await run('"x" * 1e9', '1')).toEqual({
    exitCode: undefined,
    stderr: 'cannot allocate memory',
    stdout: '',
  });
  expect((await run('.', '1')).stdout).toBe('1\n');
});

test('results that need too much memory end the run, and the next one runs', async () => {
  const small = await testJq(64 * 1024 * 1024);
  expect(await small.run('repeat("x" * 1e5)', ['1'])).toEqual({
    exitCode: undefined,
    stderr: 'its results take too much memory',
    stdout: '',
  });
  expect((await small.run('.', ['1'])).stdout).toBe('1\n');
}, 60_000);

test('a missing program is reported', async () => {
  const { createJq } = await import('../../../../src/host/jq/jq-thread.ts');
  const end = await createJq('/nowhere/jq-worker.cjs').run('.', []);
  expect(end).toMatchObject({ exitCode: undefined, stderr: expect.stringContaining('nowhere') });
});
