import type { Output } from './host.ts';
import { neutraliseLines } from './redaction/safe.ts';

/** Writes a note to stderr, on lines of its own. A note is neither a record nor an error. */
export async function note(
  stderr: Pick<Output, 'write' | 'isTerminal' | 'isPlain'>,
  text: string,
): Promise<void> {
  // On a terminal, this line may show the progress of a batch. A line with a control sequence in it would not be broken
  // between its words, so each is a write of its own, and nothing is written between the two.
  const erased = stderr.isTerminal && !stderr.isPlain ? [stderr.write('\r\u001b[K')] : [];
  await Promise.all([...erased, stderr.write(`${neutraliseLines(text)}\n`)]);
}
