/** To which question what is typed goes, however it comes; a stream stands for the terminal. */
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TypedKeys } from '../../../../src/host/prompts/typed-keys.ts';

/** A question that takes a line which it likes. @returns the pieces that came, and the line */
function lineOf(keys: Readable, isGood: (line: string) => boolean) {
  const pieces: string[] = [];
  let line = '';
  return new Promise<{ line: string; pieces: string[] }>((resolve) => {
    keys.on('data', (bytes: Buffer) => {
      const piece = String(bytes);
      pieces.push(piece);
      if (piece !== '\r' && piece !== '\n') line += piece;
      else if (isGood(line)) resolve({ line, pieces });
      else line = '';
    });
    keys.once('end', () => resolve({ line: 'ended', pieces }));
  });
}

function desk() {
  const stdin = new PassThrough();
  const typed = new TypedKeys(stdin as unknown as NodeJS.ReadStream);
  const ask = (isGood = (_: string) => true, isConfirmation = false) =>
    typed.answered((keys) => lineOf(keys, isGood), isConfirmation);
  /** @returns the answer, or undefined where there is none in ten turns */
  const soon = async (answer: ReturnType<typeof ask>) => {
    const turns = async () => {
      for (let i = 0; i < 10; i++) await setImmediate();
    };
    return (await Promise.race([answer, turns()]))?.line;
  };
  return { stdin, typed, ask, soon };
}

describe('typed keys', () => {
  test.each([
    ['abc\r', ['abc', '\r']],
    ['abc\u001b[B\r', ['abc', '\u001b[B', '\r']],
    ['ab\tc\u007f\n', ['ab', '\tc', '\u007f', '\n']],
    ['é€😀\r', ['é€😀', '\r']],
  ])('%j comes as %j', async (keys, pieces) => {
    const { stdin, ask, soon } = desk();
    const answer = ask();
    await soon(answer);
    stdin.write(keys);
    expect((await answer).pieces).toEqual(pieces);
  });

  test.each([
    ['in one piece', ['one\rtwo\rthree\r']],
    ['with line ends of two characters', ['one\r\ntwo\r', '\nthree\r\n']],
    ['cut anywhere', ['o', 'ne\rt', 'wo', '\r', 'thr', 'ee', '\r']],
    ['in bytes', [...Buffer.from('one\rtwo\rthree\r')].map((byte) => Buffer.from([byte]))],
  ])('what is typed ahead %s answers one question after the other', async (_, pieces) => {
    const { stdin, ask } = desk();
    for (const piece of pieces) stdin.write(piece);
    const lines = [await ask(), await ask(), await ask()].map(({ line }) => line);
    expect(lines).toEqual(['one', 'two', 'three']);
  });

  test('an Enter that was typed ahead, without a text before it, answers nothing', async () => {
    const { stdin, ask, soon } = desk();
    stdin.write('\r\rone\r\r\r');
    const first = ask();
    expect(await soon(first)).toBeUndefined();
    stdin.write('1\r\r\r');
    expect(await soon(first)).toBe('1');
    const second = ask();
    expect(await soon(second)).toBeUndefined();
    stdin.write('\r');
    expect(await soon(second)).toBe('');
  });

  test('an arrow that was typed ahead picks nothing either', async () => {
    const { stdin, ask, soon } = desk();
    stdin.write('on\u001b[B\r');
    expect(await soon(ask())).toBeUndefined();
  });

  test('what is typed behind a refused answer is forgotten, and what follows is not', async () => {
    const { stdin, ask, soon } = desk();
    const first = ask((line) => line !== 'no');
    stdin.write('no\rtwo\r');
    expect(await soon(first)).toBeUndefined();
    stdin.write('yes\rthree\r');
    expect(await soon(first)).toBe('yes');
    expect(await soon(ask())).toBe('three');
  });

  test('a confirmation is not typed ahead, unless it is the first question', async () => {
    const { stdin, ask, soon } = desk();
    stdin.write('live\rlive\rmore\r');
    expect(await soon(ask(() => true, true))).toBe('live');
    const second = ask(() => true, true);
    expect(await soon(second)).toBeUndefined();
    stdin.write('\r');
    expect(await soon(second)).toBe('live');
  });

  test('Ctrl-C goes before all that waits', async () => {
    const { stdin, ask, soon } = desk();
    stdin.write('one\rtwo\u0003');
    const first = ask();
    expect(await soon(first)).toBeUndefined();
    stdin.write('\r');
    expect(await soon(first)).toBe('\u0003');
  });

  test('the keys end where those of the terminal do', async () => {
    const { stdin, ask, soon } = desk();
    const first = ask();
    stdin.end();
    expect(await soon(first)).toBe('ended');
    expect(await soon(ask())).toBe('ended');
  });
});
