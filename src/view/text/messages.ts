/**
 * The look of everything that gw prints on stderr: errors, warnings, notes, questions of guards.
 *
 * The code that knows what happened writes a message as plain sentences. This file colours labels, commands and LIVE,
 * and breaks lines between words. Text with its own layout (columns, JSON, a trace, a line that is drawn again) stays
 * unchanged.
 */
import { holdsControl } from '../../base/clean-text.ts';
import type { Output } from '../../host/host.ts';
import { painter, type Role } from './color.ts';
import { wrap } from './wrap.ts';

const LABELS: Readonly<Record<string, Role>> = {
  Error: 'error',
  Warning: 'warning',
  WARNING: 'warning',
  Note: 'heading',
};

/** Text with its own layout: columns, tabs, JSON, requests and answers, lines of a stack, a command to copy whole. */
const IS_LAID_OUT = /^ {2}gw |\S {2,}\S|\t|^ *[{[<>*]|^ *"[^"]*":|^ {4}at /;
/** The first of the wide characters. */
const FIRST_WIDE = 0x1100;

/**
 * @param text neutralised, whole lines
 * @returns the text as the output shows it
 */
export function layMessages(
  text: string,
  output: Pick<Output, 'isTerminal' | 'columns' | 'color'>,
): string {
  if (!output.isTerminal && !output.color) return text;
  return text
    .split('\n')
    .map((line) => layLine(line, output))
    .join('\n');
}

function layLine(line: string, output: Pick<Output, 'isTerminal' | 'columns' | 'color'>): string {
  if (holdsControl(line) || IS_LAID_OUT.test(line)) return line;
  const paint = painter(output);
  const indent = /^ */.exec(line)?.[0] ?? '';
  const isLong = output.isTerminal && cellsAtMost(line) > output.columns;
  const lines = isLong
    ? wrap(line.slice(indent.length), output.columns - indent.length, cellsAtMost)
    : [line.slice(indent.length)];
  return lines
    .map((one) => paintWords(one, output))
    .map((one, i) => (i > 0 ? one : one.replace(/^\w+:(?= )/, label(paint))))
    .map((one) => indent + one)
    .join('\n');
}

/** @returns a sentence with its commands and LIVE in their colours */
export function paintWords(text: string, output: Pick<Output, 'color'>): string {
  const paint = painter(output);
  const roleOf = (found: string): Role => (found === 'LIVE' ? 'live' : 'command');
  return text.replace(/`[^`]+`|\bLIVE\b/g, (found) => paint(roleOf(found), found));
}

function label(paint: ReturnType<typeof painter>) {
  return (word: string): string => {
    const role = LABELS[word.slice(0, -1)];
    return role === undefined ? word : paint(role, word);
  };
}

/** Rather counts too many cells than too few: loading the exact measure takes as long as loading a command. */
function cellsAtMost(text: string): number {
  let cells = text.length;
  for (const character of text) if ((character.codePointAt(0) ?? 0) >= FIRST_WIDE) cells++;
  return cells;
}
