/** Text in the width of a terminal: paragraphs, and lists of terms with what they mean. */
import type { painter } from '../../view/text/color.ts';
import { wrap } from '../../view/text/wrap.ts';

/** How help is shown. */
export interface Style {
  /** Cells of a line. */
  width: number;
  paint: ReturnType<typeof painter>;
}

const INDENT = 2;
const GAP = 2;
/** Cells of the widest term that others are set in line with. */
const MAX_TERM = 28;
const MIN_TEXT = 24;

/**
 * @param text of gw's own, a character a cell
 * @param indent spaces before every line
 */
export function paragraph(text: string, width: number, indent = 0): string[] {
  if (text.trim() === '') return [];
  const room = Math.max(MIN_TEXT, width - indent);
  return wrap(text, room, (part) => part.length).map((line) => ' '.repeat(indent) + line);
}

/** @returns the lines of a titled part, and an empty one; none where there is nothing in it */
export function section(title: string, lines: readonly string[], { paint }: Style): string[] {
  return lines.length === 0 ? [] : ['', paint('heading', title), ...lines];
}

/** A term and what it means. */
export type Entry = readonly [term: string, meaning: string];

/** @returns cells of the column of terms, those too wide for it not counted */
export function termColumn(list: readonly Entry[]): number {
  return Math.max(0, ...list.map(([term]) => term.length).filter((cells) => cells <= MAX_TERM));
}

/**
 * @param column cells of the column of terms, the same for lists that are read together
 * @returns terms in a column and their meanings beside them; a term that is too wide for that has a
 *   line of its own
 */
export function entries(
  list: readonly Entry[],
  { width, paint }: Style,
  column = termColumn(list),
): string[] {
  const indent = INDENT + column + GAP;
  return list.flatMap(([term, meaning]) => {
    const text = paragraph(meaning, width, indent);
    const name = ' '.repeat(INDENT) + paint('command', term);
    if (term.length > column || text.length === 0) return [name, ...text];
    const [first = '', ...rest] = text;
    return [name + ' '.repeat(column - term.length + GAP) + first.trimStart(), ...rest];
  });
}

/** A part of a page: sentences, command lines, and terms with what they mean. */
export interface Part {
  title: string;
  text?: string;
  commands?: readonly string[];
  list?: readonly Entry[];
}

/** @returns the lines of a part, and an empty one; none where there is nothing in it */
export function partLines({ title, text = '', commands = [], list = [] }: Part, style: Style) {
  const lines = [
    ...paragraph(text, style.width, INDENT),
    ...(text && commands.length > 0 ? [''] : []),
    ...commandLines(commands, style),
    ...entries(list, style),
  ];
  return section(title, lines, style);
}

/** A word of a command line, with the quotes that hold it together. */
const SHELL_WORD = /(?:'[^']*'|"[^"]*"|\S)+/g;

/** A word, or a flag and the value that follows it. */
const FLAG_OR_WORD = new RegExp(
  `-[\\w-]+ (?![-|<>&])${SHELL_WORD.source}|${SHELL_WORD.source}`,
  'g',
);

/** @returns command lines; one that is too long goes on below, so that it can be copied as it stands */
export function commandLines(lines: readonly string[], { width, paint }: Style): string[] {
  return lines
    .flatMap((line) => brokenCommand(line, width - INDENT))
    .map((line) => ' '.repeat(INDENT) + paint('command', line));
}

const GOES_ON = ' \\';

function brokenCommand(command: string, width: number): string[] {
  if (command.length <= width) return [command];
  const lines: string[] = [];
  let line = '';
  const words = (command.match(FLAG_OR_WORD) ?? []).flatMap((part) =>
    part.length <= width / 2 ? part : (part.match(SHELL_WORD) ?? []),
  );
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length + GOES_ON.length > width) {
      lines.push(line + GOES_ON);
      line = ' '.repeat(INDENT) + word;
    } else line = longer;
  }
  return [...lines, line];
}
