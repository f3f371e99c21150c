import type { Output } from './host.ts';
import { neutraliseLines } from './redaction/safe.ts';

/** Says something on stderr that is neither a record nor an error, on lines of its own. */
export async function note(
  stderr: Pick<Output, 'write' | 'isTerminal' | 'isPlain'>,
  text: string,
): Promise<void> {
  // On a terminal, the progress of a batch may be in this line.
  const clear = stderr.isTerminal && !stderr.isPlain ? '\r\u001b[K' : '';
  await stderr.write(`${clear}${neutraliseLines(text)}\n`);
}
