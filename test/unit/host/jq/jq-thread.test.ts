/** jq on its thread: order, how much is on its way, and how it is ended. */
import { beforeAll, expect, test } from 'vitest';
import type { Jq } from '../../../../src/host/host.ts';
import { testJq } from '../../../helpers/jq.ts';

let jq: Jq;
beforeAll(async () => {
  jq = await testJq();
});

async function run(expression: string, ...input: string[]) {
  let stdout = '';
  const write = async (text: string) => {
    stdout += text;
  };
  return { ...(await jq.run(expression, input, { write })), stdout };
}

test('runs that are asked for together keep to themselves', async () => {
  const ends = await Promise.all(['.', '. + 1', 'error', '. + 2'].map((one) => run(one, '1')));
  expect(ends.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
    ['1\n', 0],
    ['2\n', 0],
    ['', 5],
    ['3\n', 0],
  ]);
});

test('input may be cut anywhere, and be of several texts', async () => {
  expect((await run('.', '{"a', '":', '"\u00e4', '\u{1d11e}"} 1', '2')).stdout).toBe(
    '{"a":"\u00e4\u{1d11e}"}\n12\n',
  );
  const long = 'x'.repeat(3_000_000);
  expect((await run('length', '"', long, '"', '"', long, '"')).stdout).toBe('3000000\n3000000\n');
});

test('nothing is written before what came before it, and jq waits for who reads', async () => {
  let isWriting = false;
  let text = '';
  const { exitCode } = await jq.run('range(200000)', ['1'], {
    async write(lines) {
      expect(isWriting).toBe(false);
      isWriting = true;
      await new Promise(setImmediate);
      text += lines;
      isWriting = false;
    },
  });
  expect(exitCode).toBe(0);
  expect(text.split('\n')).toEqual([...Array.from({ length: 200_000 }, (_, n) => `${n}`), '']);
});

test('whoever has read enough ends it', async () => {
  const enough = new Error('enough');
  let writes = 0;
  const write = async () => {
    writes++;
    if (writes === 3) throw enough;
  };
  await expect(jq.run('repeat(1)', ['1'], { write })).rejects.toBe(enough);
  expect(writes).toBe(3);
});

test.each(['repeat(1)', 'range(20000), (def f: f; f)'])('an interrupt ends %s', async (endless) => {
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const run = { write: async () => interrupt.abort(reason), interrupted: interrupt.signal };
  await expect(jq.run(endless, ['1'], run)).rejects.toBe(reason);
});

test('an interrupt that came before it does not end it', async () => {
  const write = async () => {};
  const interrupted = AbortSignal.abort(new Error('interrupted'));
  expect(await jq.run('.', ['1'], { write, interrupted })).toMatchObject({ exitCode: 0 });
});

test('what takes too much memory breaks off, and the next one runs', async () => {
  expect(await run('"x" * 1e9', '1')).toEqual({
    exitCode: undefined,
    stderr: 'jq: error: cannot allocate memory',
    stdout: '',
  });
  expect((await run('.', '1')).stdout).toBe('1\n');
});

test('a program that is not there is told', async () => {
  const { createJq } = await import('../../../../src/host/jq/jq-thread.ts');
  const end = await createJq('/nowhere/jq-worker.cjs').run('.', [], { write: async () => {} });
  expect(end).toMatchObject({ exitCode: undefined, stderr: expect.stringContaining('nowhere') });
});
