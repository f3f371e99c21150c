import type { Output } from './host.ts';
import { neutraliseLines } from './redaction/safe.ts';

/** Writes a note to stderr, on lines of its own. A note is neither a record nor an error. */
export async function note(
  stderr: Pick<Output, 'write' | 'isTerminal' | 'isPlain'>,
  text: string,
): Promise<void> {
  // On a terminal, this line may show the progress of a batch.
  const clear = stderr.isTerminal && !stderr.isPlain ? '\r\u001b[K' : '';
  await stderr.write(`${clear}${neutraliseLines(text)}\n`);
}
