/**
 * Prints lines in their order, although some are not known yet; all lines that are ready are written together. If the
 * reader of the output is slow, `room` makes the source of lines wait, so that memory stays bounded.
 */
import type { Output } from '../../host/host.ts';

const MAX_WAITING_UNITS = 16 * 1024 * 1024;
const MAX_WAITING_LINES = 20_000;

export interface OrderedOutput {
  /** @param text with its line end, now or later; a text that fails makes `end` fail */
  add(text: string | Promise<string>): void;
  /** @returns undefined if there is room; else, resolves when the output has caught up */
  room(): Promise<void> | undefined;
  /** Resolves when everything is written. @throws the error of writing, or of a text */
  end(): Promise<void>;
}

/** @param onFailure called once if the output or a text fails; nothing is written after that */
export function createOrderedOutput(
  output: Pick<Output, 'write'>,
  onFailure: () => void,
): OrderedOutput {
  let waiting: (string | Promise<string>)[] = [];
  let units = 0;
  let writing: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  const writeAll = async (lines: readonly (string | Promise<string>)[]) => {
    let text = '';
    for (const line of lines) {
      if (typeof line === 'string') text += line;
      else {
        if (text !== '') await output.write(text);
        text = await line;
      }
    }
    if (text !== '') await output.write(text);
  };
  const run = async () => {
    while (waiting.length > 0) {
      // Lines that arrived meanwhile are written together.
      const lines = waiting;
      waiting = [];
      units = 0;
      await writeAll(lines);
    }
  };
  const start = () => {
    writing ??= run()
      .catch((error: unknown) => {
        failure = { error };
        waiting = [];
        onFailure();
      })
      .finally(() => {
        writing = undefined;
        if (waiting.length > 0) start();
      });
  };
  return {
    add(text) {
      if (failure) return;
      if (typeof text === 'string') units += text.length;
      // Its failure is handled when its turn comes.
      else text.catch(() => undefined);
      waiting.push(text);
      start();
    },
    room: () =>
      units > MAX_WAITING_UNITS || waiting.length > MAX_WAITING_LINES ? writing : undefined,
    async end() {
      while (writing) await writing;
      if (failure) throw failure.error;
    },
  };
}
