import { expect, test } from 'vitest';
import { progressText } from '../../../../../src/requests/batch/batch-report.ts';
import { emptyTally } from '../../../../../src/requests/batch/engine/batch.ts';
import { Progress } from '../../../../../src/requests/batch/engine/progress.ts';
import { Capture } from '../../../../helpers/capture.ts';

/** Shows a run of 4,000 lines after this many seconds. */
async function shown(options: ConstructorParameters<typeof Capture>[0], seconds = 20) {
  const output = new Capture({ isTerminal: true, ...options });
  let now = 0;
  const progress = new Progress(output, { now: () => new Date(now) }, progressText);
  const tally = { ...emptyTally(), done: 990, rejected: 10 };
  progress.begin(4_000);
  progress.show(tally);
  now = seconds * 1_000;
  progress.show(tally);
  now += 100;
  progress.show(tally);
  await progress.above(() => output.write('Line 7 declined\n'));
  await progress.clear();
  return output.writes;
}

const ERASE = '\r\u001b[K';

test('the progress line is drawn a few times a second below all output, and is erased at the end', async () => {
  const line = '██████░░░░░░░░░░░░░░░░░░  1,000 of 4,000  990 done, 10 failed  60 s left  50/s';
  expect(await shown({ columns: 80 })).toEqual([
    ...[line, ERASE, 'Line 7 declined\n', line, ERASE],
  ]);
});

test.each([
  [78, '█████░░░░░░░░░░░░░░░░░░  1,000 of 4,000  990 done, 10 failed  60 s left  50/s'],
  [60, '1,000 of 4,000  990 done, 10 failed  60 s left  50/s'],
  [40, '1,000 of 4,000  990 done, 10 failed'],
  [30, '███░░░░░░░░░░  1,000 of 4,000'],
  [10, '1,000 of '],
])('the progress fits one line in %i cells', async (columns, line) => {
  const [first] = await shown({ columns });
  expect(first).toBe(line);
});

test('the bar has ASCII signs on terminals without block characters', async () => {
  expect((await shown({ columns: 80, blocks: false }))[0]).toContain(
    '######..................  1,000',
  );
});

test('plain mode prints whole lines from time to time', async () => {
  expect(await shown({ isPlain: true })).toEqual([
    '1,000 of 4,000, 990 done, 10 failed, 60 s left, 50/s.\n',
    'Line 7 declined\n',
  ]);
  expect(await shown({ isPlain: true }, 5)).toEqual(['Line 7 declined\n']);
});

test('a long run says at once what it does', async () => {
  const output = new Capture({ isTerminal: true, columns: 40 });
  const progress = new Progress(output, { now: () => new Date(0) }, () => 'reading records');
  progress.begin(617, true);
  await progress.clear();
  expect(output.writes).toEqual(['░░░░░░░░░░░░  0 of 617  reading records', ERASE]);
});

test('the progress is not drawn again after its end', async () => {
  const output = new Capture({ isTerminal: true });
  let now = 0;
  const progress = new Progress(output, { now: () => new Date(now) }, progressText);
  progress.begin(10);
  now = 1_000;
  progress.show({ ...emptyTally(), done: 1 });
  let written: () => void = () => undefined;
  const writing = progress.above(
    () =>
      new Promise((resolve) => {
        written = resolve;
      }),
  );
  now = 2_000;
  progress.show({ ...emptyTally(), done: 2 });
  await progress.clear();
  written();
  await writing;
  expect(output.writes).toEqual([expect.stringContaining('1 of 10'), ERASE]);
});

test('a pipe gets no progress', async () => {
  expect(await shown({ isTerminal: false })).toEqual(['Line 7 declined\n']);
});
