/**
 * The theme: what each colour means, in colours that every terminal has and a dark and a light background show. Colour
 * is never all that says a thing; whether there is any is the host's decision.
 */
import type { Outcome } from '../../contract/normal.ts';
import type { Output } from '../../host/host.ts';

const SGR = {
  approved: [32, 39],
  declined: [31, 39],
  rejected: [31, 39],
  // Yellow is hard to read on white.
  unclear: [35, 39],
  error: [31, 39],
  warning: [35, 39],
  /** A live profile. */
  live: ['1;31', '22;39'],
  heading: [1, 22],
  /** What is to be typed. */
  command: [36, 39],
  /** What may be overlooked. */
  muted: [2, 22],
} as const satisfies Record<Outcome | string, readonly [on: number | string, off: number | string]>;

export type Role = keyof typeof SGR;

/** @returns the text in the look of a role */
export function paint(role: Role, text: string): string {
  const [on, off] = SGR[role];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** @returns `paint` where the output has colour; elsewhere the text stays as it is */
export function painter({ color }: Pick<Output, 'color'>): typeof paint {
  return color ? paint : (_, text) => text;
}
