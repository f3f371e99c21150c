/**
 * One record for whoever has a customer on the phone: what came of it, its money and its date first, then
 * what it is tied to, then its other fields.
 *
 *     ✓ Approved  25.00 AUD  2026-04-01 09:00
 *     Purchase 071-P-OY3F7M21, INV-1001
 *
 *     card      512345XXXXXX2346 of Ada Byron, expires 05/2099
 *     refunds   5.00 AUD refunded, 20.00 AUD left
 *               ✓ -5.00 AUD  2026-04-02  071-R-DV1OTFUO  RET-1       seen 3 days ago
 *
 *     authorization  945505
 *
 * This folder has the cards, one file for each kind of record, made of rows that this file lays out.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import { neutralise } from '../../redaction/safe.ts';
import { paint } from '../color.ts';
import { flatten, textOf } from '../values.ts';
import type { Measure } from '../width.ts';

/** A line of a card. */
export interface Row {
  /** Nothing under the label of the row above. */
  label?: string;
  text: string;
  /** Its sign is drawn. */
  outcome?: Outcome | undefined;
  /** How long ago it was seen, where it is not as of now. */
  age?: string | undefined;
}

export interface CardContent {
  outcome?: Outcome | undefined;
  /** In words, without the sign. */
  head: string;
  title?: string | undefined;
  rows: readonly Row[];
  /** Fields of the record that the rows have already. */
  shown: readonly string[];
}

export interface CardStyle {
  /** Cells of a line. */
  columns: number;
  color: boolean;
  /** true where signs can be drawn; where they cannot, the words have to do. */
  blocks: boolean;
  measure: Measure;
}

const SIGNS: Readonly<Record<Outcome, string>> = { approved: '✓', declined: '✗', unclear: '?' };
const GAP = 2;
/** Of a sign and the space after it. */
const SIGN_CELLS = 2;
/** A longer label does not push the texts of the others to the right. */
const MAX_LABEL = 30;
/** A line that is narrower shows no ages beside its texts. */
const LEAST_TEXT = 24;

export function renderCard(record: JsonObject, content: CardContent, style: CardStyle): string {
  const { outcome, head, title, rows } = content;
  const others = flatten(record)
    .filter(([name]) => !content.shown.includes(name))
    .flatMap(([name, value]): Row[] => {
      const text = textOf(value);
      return text === undefined || text === '' ? [] : [{ label: name, text }];
    });
  const top = signed(neutralise(head), outcome, style);
  const parts = [
    [top, ...(title === undefined ? [] : [neutralise(title)])],
    layOut(rows, style),
    layOut(others, style),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line.trimEnd()}\n`).join(''))
    .join('\n');
}

function layOut(rows: readonly Row[], style: CardStyle): string[] {
  const { columns, measure } = style;
  const labels = rows.map(({ label = '' }) => neutralise(label));
  const indent = Math.min(MAX_LABEL, Math.max(0, ...labels.map(measure))) + GAP;
  return rows.flatMap(({ text, outcome, age }, index) => {
    const label = labels[index] ?? '';
    const start = label + ' '.repeat(Math.max(GAP, indent - measure(label)));
    const sign = outcome && style.blocks ? SIGN_CELLS : 0;
    const ageCells = age === undefined ? 0 : measure(age) + GAP;
    const room = Math.max(LEAST_TEXT, columns - indent - sign);
    const hasAge = ageCells > 0 && room - ageCells >= LEAST_TEXT;
    const cells = hasAge ? room - ageCells : room;
    const [first = '', ...others] = wrapped(neutralise(text), cells, measure);
    const padding = ' '.repeat(Math.max(0, cells - measure(first)) + GAP);
    const top = start + signed(first, outcome, style) + (hasAge ? padding + age : '');
    return [top, ...others.map((line) => ' '.repeat(indent + sign) + line)];
  });
}

/**
 * @returns lines of whole words, and where there is room of whole parts, which have two spaces between
 *   them; a word that is longer than a line is one by itself
 */
function wrapped(text: string, cells: number, measure: Measure): string[] {
  const lines: string[] = [];
  const add = (gap: string, piece: string) => {
    const longer = lines.length === 0 ? piece : `${lines.at(-1)}${gap}${piece}`;
    if (lines.length === 0 || measure(longer) > cells) lines.push(piece);
    else lines[lines.length - 1] = longer;
  };
  for (const [partGap, part] of pieces(text, /( {2,}|^)(.+?)(?= {2}|$)/g)) {
    if (measure(part) <= cells) add(partGap, part);
    else for (const [gap, word] of pieces(part, /( *)([^ ]+)/g)) add(gap || partGap, word);
  }
  return lines;
}

/** @returns each with the spaces before it */
function pieces(text: string, pattern: RegExp): [gap: string, piece: string][] {
  return [...text.matchAll(pattern)].map(([, gap = '', piece = '']) => [gap, piece]);
}

function signed(text: string, outcome: Outcome | undefined, style: CardStyle): string {
  if (!outcome) return text;
  const all = style.blocks ? `${SIGNS[outcome]} ${text}` : text;
  return style.color ? paint(outcome, all) : all;
}
