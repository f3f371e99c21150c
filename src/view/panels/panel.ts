/**
 * Shows one record to a person who has a customer on the phone. The outcome, the money and the date come first, then
 * related records, then the other fields.
 *
 *     ✓ Approved  25.00 AUD  2026-04-01 09:00
 *     Purchase 071-P-OESPIEL2, INV-1001
 *
 *     card      512345XXXXXX2346 of Ada Byron, expires 05/2099
 *     refunds   5.00 AUD refunded, 20.00 AUD left
 *               ✓ -5.00 AUD  2026-04-02  071-R-ISMAFBPA  RET-1  seen 3 days ago
 *
 *     authorization  945505
 *
 * Fields that only repeat the rows above are left out; `-o json` has all of them. In plain lines (for a screen reader)
 * each line is a name and its value. Words replace signs, and nothing is laid out in columns.
 */
import type { JsonObject } from '../../base/json.ts';
import { neutralise, toJson } from '../../host/redaction/safe.ts';
import type { PanelContent, PanelLine, PanelPart } from '../columns.ts';
import { painter } from '../text/color.ts';
import { type Canvas, type Measure, widest } from '../text/width.ts';
import { fill, type Piece, wrap } from '../text/wrap.ts';
import { inWords, otherRows, SIGNS } from './panel-rows.ts';

const GAP = 2;
/** The cells of a sign and the space after it. */
const SIGN_CELLS = 2;
/** The widest label that still moves the texts of the other rows to the right. */
const MAX_LABEL = 30;
/** The least cells of text, in a terminal of any width. */
const LEAST_TEXT = 24;

export function renderPanel(record: JsonObject, content: PanelContent, style: Canvas): string {
  const { outcome, head, title, rows, parts = [] } = content;
  const top = neutralise(head);
  const words = style.isPlain ? sentence(top) : signed(top, { outcome, role: 'heading' }, style);
  const groups = [
    [words, ...(title === undefined ? [] : [neutralise(title)])],
    layOut(rows, style),
    layOut(otherRows(record, content), style),
    ...parts.map((part) => partLines(part, style)),
  ];
  return groups
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line.trimEnd()}\n`).join(''))
    .join('\n');
}

function partLines({ title, json }: PanelPart, style: Canvas): string[] {
  const lines = toJson(json, 2).split('\n');
  const heading = painter(style)('heading', neutralise(title));
  return [style.isPlain ? `${title}:` : heading, ...lines.map((line) => `  ${line}`)];
}

/** Lays rows out with their texts in one column. In plain lines, each row has its own name. */
function layOut(rows: readonly PanelLine[], style: Canvas): string[] {
  if (style.isPlain) return plainLines(rows, style);
  const { columns, measure } = style;
  const labels = rows.map(({ label = '' }) => neutralise(label));
  const indent = Math.min(MAX_LABEL, widest(labels, measure)) + GAP;
  const signOf = ({ outcome }: PanelLine) => (outcome && style.blocks ? SIGN_CELLS : 0);
  const texts = rows.map((row) => neutralise(inWords(row, style)));
  // Ages end in one column, as close to the texts as the widest row allows.
  const ends = rows.map((row, at) =>
    row.age === undefined
      ? 0
      : indent + signOf(row) + measure(texts[at] ?? '') + GAP + measure(row.age),
  );
  const edge = Math.min(columns, Math.max(0, ...ends));
  return rows.flatMap((row, index) => {
    const { age } = row;
    const label = labels[index] ?? '';
    const start = label + ' '.repeat(Math.max(GAP, indent - measure(label)));
    const sign = signOf(row);
    const room = Math.max(LEAST_TEXT, columns - indent - sign);
    const lines = wrapped(texts[index] ?? '', room, measure);
    const [first = '', ...below] = lines.map((line, at) =>
      at === 0 ? signed(line, row, style) : signed(line, { role: row.role }, style),
    );
    const margin = ' '.repeat(indent + sign);
    const shown = [start + first, ...below.map((line) => margin + line)];
    return age === undefined
      ? shown
      : withAge(shown, age, { lines, room: edge - indent - sign, margin, style });
  });
}

interface Place {
  /** The lines of the row before they are painted, for measuring. */
  lines: readonly string[];
  /** The cells of a line together with the age beside it. */
  room: number;
  /** The space before every line of the row but the first. */
  margin: string;
  style: Canvas;
}

/** Puts the age beside a single line, in its column; otherwise after the last line, if it fits, or on a line below. */
function withAge(shown: string[], age: string, { lines, room, margin, style }: Place): string[] {
  const { measure } = style;
  const muted = painter(style)('muted', age);
  const free = room - measure(lines.at(-1) ?? '') - measure(age);
  if (free < GAP) return [...shown, margin + muted];
  const gap = ' '.repeat(lines.length === 1 ? free : GAP);
  return [...shown.slice(0, -1), `${shown.at(-1)}${gap}${muted}`];
}

/**
 * Breaks a text into lines of whole words. Parts with two spaces between them stay whole if they fit. A word that is
 * longer than a line gets its own line.
 */
function wrapped(text: string, cells: number, measure: Measure): string[] {
  const parts = pieces(text, /( {2,}|^)(.+?)(?= {2}|$)/g).flatMap(([partGap, part]): Piece[] =>
    measure(part) <= cells
      ? [[partGap, part]]
      : phrases(part, cells, measure).map(([gap, phrase]) => [gap || partGap, phrase]),
  );
  return fill(parts, cells, measure);
}

/** @returns the parts between commas; a part that is too long for a line is split into words */
function phrases(text: string, cells: number, measure: Measure): Piece[] {
  return pieces(text, /(?<! )( *)([^ ][\s\S]*?(?:,(?= )|$))/g).flatMap(([gap, phrase]) =>
    measure(phrase) <= cells ? [[gap, phrase]] : pieces(`${gap}${phrase}`, /(?<! )( *)([^ ]+)/g),
  );
}

/** @returns each with the spaces before it */
function pieces(text: string, pattern: RegExp): Piece[] {
  return [...text.matchAll(pattern)].map(([, gap = '', piece = '']) => [gap, piece]);
}

function signed(
  text: string,
  { outcome, role }: Pick<PanelLine, 'outcome' | 'role'>,
  style: Canvas,
): string {
  const paint = painter(style);
  if (outcome) return paint(outcome, style.blocks ? `${SIGNS[outcome]} ${text}` : text);
  return role && text !== '' ? paint(role, text) : text;
}

function plainLines(rows: readonly PanelLine[], { columns, measure }: Canvas): string[] {
  let name = '';
  return rows.flatMap((row) => {
    if (row.label !== undefined && row.label !== '') name = neutralise(row.label);
    const text = sentence(neutralise(inWords(row, { blocks: false })));
    const said = row.age === undefined ? text : `${text}, ${row.age}`;
    return wrap(name === '' ? said : `${name}: ${said}`, columns, measure);
  });
}

/** @returns the text with commas in place of wide gaps */
const sentence = (text: string) => text.trim().replaceAll(/,? {2,}/g, ', ');
