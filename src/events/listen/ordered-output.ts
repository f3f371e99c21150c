/**
 * Lines in their order, some of which are not known yet, written together as far as they are. When
 * the reader of the output is slow, `room` makes the writer of lines wait, so that memory stays bounded.
 */
import type { Output } from '../../host/host.ts';

const MAX_WAITING_UNITS = 16 * 1024 * 1024;
const MAX_WAITING_LINES = 20_000;

export interface OrderedOutput {
  /** @param text with its line end, now or later; one that fails fails `end` */
  add(text: string | Promise<string>): void;
  /** Resolves at once, or when the output has caught up. */
  room(): Promise<void>;
  /** Resolves when everything is written. @throws what writing, or a text, failed with */
  end(): Promise<void>;
}

/** @param onFailure called once, when the output or a text fails; nothing is written after it */
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
      // What came meanwhile goes out in one write.
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
      // Its failure is met when its turn comes.
      else text.catch(() => undefined);
      waiting.push(text);
      start();
    },
    async room() {
      if (units > MAX_WAITING_UNITS || waiting.length > MAX_WAITING_LINES) await writing;
    },
    async end() {
      while (writing) await writing;
      if (failure) throw failure.error;
    },
  };
}
