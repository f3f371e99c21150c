/** A pipe that a user names is read to its end, within limits, and can be left. */
import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNamed } from '../../../../src/host/files/files.ts';
import { isPipe, readPipe } from '../../../../src/host/files/read-pipe.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const never = new AbortController().signal;

function makePipe(): string {
  const fifo = path.join(temporaryDirectory(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  return fifo;
}

/** Writes to a pipe from another process, which waits until it is read. */
const writing = (fifo: string, command: string) =>
  spawn('sh', ['-c', `${command} > "$0"`, fifo], { stdio: 'ignore' });

describe.skipIf(!havePrograms('mkfifo', 'sh'))('a named pipe', () => {
  test('a pipe is read to its end, in pieces or not', async () => {
    const fifo = makePipe();
    writing(fifo, '{ printf "\\357\\273\\277{"; printf "}"; }');
    expect(await readNamed(fifo, 100, never)).toBe('{}');
  });

  test('a pipe that gives too much is refused before its end', async () => {
    const fifo = makePipe();
    writing(fifo, 'yes');
    const failure = await failureOf(() => readNamed(fifo, 1000, never));
    expect(failure.code).toBe('file-too-large');
  });

  test('a pipe that gives no UTF-8 is refused', async () => {
    const fifo = makePipe();
    writing(fifo, "printf '\\351'");
    expect((await failureOf(() => readNamed(fifo, 10, never))).code).toBe('file-not-utf8');
  });

  test('a pipe that nobody writes to is left, after a time or at an interruption', async () => {
    const fifo = makePipe();
    const options = { interrupted: never, firstByteMs: 1 };
    const failure = await failureOf(() => readPipe(fifo, 10, options));
    expect(failure).toMatchObject({ kind: 'usage', code: 'pipe-silent' });
    const controller = new AbortController();
    const reading = readPipe(fifo, 10, { interrupted: controller.signal });
    const reason = new Error('Ctrl-C');
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await expect(readPipe(fifo, 10, { interrupted: controller.signal })).rejects.toBe(reason);
  });

  test('a file that is no pipe is read as any file', async () => {
    expect(isPipe('/dev/zero')).toBe(false);
    expect(isPipe(temporaryDirectory())).toBe(false);
    expect(await readNamed(path.join(temporaryDirectory(), 'none'), 10, never)).toBeUndefined();
    expect((await failureOf(() => readNamed('/dev/zero', 10, never))).code).toBe(
      'file-not-regular',
    );
  });
});
