/**
 * The theme: the meaning of each colour. Every terminal has these colours, and they are readable on dark and light
 * backgrounds. Colour is never the only sign of anything; the host decides whether there is any.
 */
import type { Outcome } from '../../contract/normal.ts';
import type { Output } from '../../host/host.ts';

const SGR = {
  approved: [32, 39],
  authorised: [32, 39],
  declined: [31, 39],
  rejected: [31, 39],
  // Magenta replaces yellow, which is hard to read on white.
  unclear: [35, 39],
  error: [31, 39],
  warning: [35, 39],
  /** A live profile. */
  live: ['1;31', '22;39'],
  heading: [1, 22],
  /** Commands for the user to type. */
  command: [36, 39],
  /** Details of little importance. */
  muted: [2, 22],
} as const satisfies Record<Outcome | string, readonly [on: number | string, off: number | string]>;

export type Role = keyof typeof SGR;

/** @returns the text in the look of a role */
export function paint(role: Role, text: string): string {
  const [on, off] = SGR[role];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** @returns `paint` for an output with colour; otherwise a function that leaves the text unchanged */
export function painter({ color }: Pick<Output, 'color'>): typeof paint {
  return color ? paint : (_, text) => text;
}
