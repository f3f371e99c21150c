/** Colour by what a record says of its outcome. Plain SGR: whether to colour is the host's decision. */
import type { Outcome } from '../contract/normal.ts';

const SGR = { approved: 32, declined: 31, unclear: 33, error: 31, heading: 1 } as const;

/** @returns the text in the colour of an outcome, of an error, or bold for a heading. */
export function paint(style: Outcome | 'error' | 'heading', text: string): string {
  const code = SGR[style];
  return `\u001b[${code}m${text}\u001b[${code === 1 ? 22 : 39}m`;
}
