/** The profile in use as a part of a shell's prompt. */
import { paint } from '../../view/text/color.ts';

export const PROMPT_SHELLS = ['bash', 'zsh', 'fish'] as const;

/** How a shell marks text without a width. */
const MARKS: Readonly<Record<(typeof PROMPT_SHELLS)[number] | 'none', readonly [string, string]>> =
  {
    bash: ['\u0001', '\u0002'],
    zsh: ['%{', '%}'],
    fish: ['', ''],
    none: ['', ''],
  };

/**
 * @param color the shell for which a live profile is red; `none` for a terminal, undefined for no colour
 * @returns for example `gw:sandbox`, `gw:LIVE`, `gw:LIVE:shop`
 */
export function promptText(
  { name, environment }: { name: string; environment: string },
  color?: keyof typeof MARKS,
): string {
  if (environment !== 'live') return `gw:${name}`;
  const text = name === 'live' ? 'gw:LIVE' : `gw:LIVE:${name}`;
  if (color === undefined) return text;
  const [begin, end] = MARKS[color];
  const [on = '', off = ''] = paint('live', '|').split('|');
  return `${begin}${on}${end}${text}${begin}${off}${end}`;
}
