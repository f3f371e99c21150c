/** Lays text out in the width of a terminal: paragraphs, and lists of terms with their meanings. */
import type { painter } from '../../view/text/color.ts';
import { wrap } from '../../view/text/wrap.ts';

/** How help is shown. */
export interface Style {
  /** The cells of a line. */
  width: number;
  paint: ReturnType<typeof painter>;
}

const INDENT = 2;
const GAP = 2;
/** The widest term that still moves the meanings of the others to the right. */
const MAX_TERM = 28;
const MIN_TEXT = 24;

/**
 * @param text gw's own text, with one cell for each character
 * @param indent spaces before every line
 */
export function paragraph(text: string, width: number, indent = 0): string[] {
  if (text.trim() === '') return [];
  const room = Math.max(MIN_TEXT, width - indent);
  return wrap(text, room, (part) => part.length).map((line) => ' '.repeat(indent) + line);
}

/** @returns an empty line, a title and the lines of a part; empty if the part has no lines */
export function section(title: string, lines: readonly string[], { paint }: Style): string[] {
  return lines.length === 0 ? [] : ['', paint('heading', title), ...lines];
}

/** A term and what it means. */
export type Entry = readonly [term: string, meaning: string];

/** @returns the width of the column of terms, without those that are too wide for it */
export function termColumn(list: readonly Entry[]): number {
  return Math.max(0, ...list.map(([term]) => term.length).filter((cells) => cells <= MAX_TERM));
}

/**
 * @param column the width of the column of terms, the same for lists that are read together
 * @returns terms in a column with their meanings beside them; a term that is too wide has its own line
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

/** A part of a page: sentences, command lines, and terms with their meanings. */
export interface Part {
  title: string;
  text?: string;
  /** One paragraph is text; several are the items of a list. */
  paragraphs?: readonly string[];
  commands?: readonly string[];
  list?: readonly Entry[];
}

/** @returns the lines of a part after an empty one; empty if the part has no content */
export function partLines(part: Part, style: Style) {
  const { title, text = '', paragraphs = [], commands = [], list = [] } = part;
  const lines = [
    ...paragraph(text, style.width, INDENT),
    ...items(paragraphs, style.width),
    ...(text && commands.length > 0 ? [''] : []),
    ...commandLines(commands, style),
    ...entries(list, style),
  ];
  return section(title, lines, style);
}

const ITEM = '- ';

function items(paragraphs: readonly string[], width: number): string[] {
  if (paragraphs.length === 1) return paragraph(paragraphs[0] ?? '', width, INDENT);
  return paragraphs.flatMap((text) => {
    const [first = '', ...rest] = paragraph(text, width, INDENT + ITEM.length);
    return [' '.repeat(INDENT) + ITEM + first.trimStart(), ...rest];
  });
}

/** A word of a command line, with quotes around it. */
const SHELL_WORD = /(?:'[^']*'|"[^"]*"|\S)+/g;

/** A word, or a flag and the value that follows it. */
const FLAG_OR_WORD = new RegExp(
  `-[\\w-]+ (?![-|<>&])${SHELL_WORD.source}|${SHELL_WORD.source}`,
  'g',
);

/** @returns command lines; a long one continues on the next line, so that it can be copied whole */
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
