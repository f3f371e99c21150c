/**
 * A screen of a terminal as an SVG picture: text that can be selected, in colours for dark and light, and
 * nothing that is fetched from anywhere.
 *
 * Fonts differ from machine to machine, and a character that a font lacks comes from another one. So each
 * piece of a row says where it begins and how wide it is, and columns stay columns.
 */
import type { Look, Piece } from './terminal.ts';

const CELL = { width: 8.4, height: 19 };
const MARGIN = 16;
const FONT_SIZE = 14;
/** From the top of a row to the line that its characters stand on. */
const BASE_LINE = 14;
const FONTS = [
  'ui-monospace',
  'SFMono-Regular',
  'Menlo',
  'Consolas',
  "'Liberation Mono'",
  "'DejaVu Sans Mono'",
  'monospace',
];

export interface Palette {
  background: string;
  border: string;
  foreground: string;
  /** The colour of dim text. */
  dim: string;
  /** Black, red, green, yellow, blue, magenta, cyan, white; then the bright ones. */
  colours: readonly string[];
}

/** Each is readable on its background: a test asks for the contrast. */
const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    foreground: '#1f2328',
    dim: '#59636e',
    colours: [
      ...['#24292f', '#b3202c', '#116329', '#7d4e00', '#0550ae', '#6639ba', '#0b6470', '#57606a'],
      ...['#59636e', '#a40e26', '#0f5323', '#633c01', '#0a3069', '#512a97', '#084c56', '#1f2328'],
    ],
  },
  dark: {
    background: '#0d1117',
    border: '#30363d',
    foreground: '#e6edf3',
    dim: '#9198a1',
    colours: [
      ...['#8b949e', '#ff7b72', '#3fb950', '#d29922', '#79c0ff', '#d2a8ff', '#56d4dd', '#b1bac4'],
      ...['#9198a1', '#ffa198', '#56d364', '#e3b341', '#a5d6ff', '#e2c5ff', '#76e3ea', '#ffffff'],
    ],
  },
};

export interface Picture {
  /** A few words: what it is a picture of. */
  title: string;
  /** A description for people who do not see the picture. */
  description: string;
  /** Width of the screen in cells. */
  columns: number;
  rows: Piece[][];
}

/** @returns the picture as the text of a file */
export function screenSvg({ title, description, columns, rows }: Picture): string {
  const width = round(columns * CELL.width + 2 * MARGIN);
  const height = rows.length * CELL.height + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description" xml:space="preserve">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>\n${styles(rows)}</style>`,
    `<rect class="screen" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...rows.flatMap((pieces, y) => rowOf(pieces, MARGIN + y * CELL.height)),
    '</svg>\n',
  ].join('\n');
}

function rowOf(pieces: Piece[], top: number): string[] {
  const backgrounds = pieces.flatMap(({ column, width, look }) => {
    const { background } = namesOf(look);
    return background
      ? `<rect class="${background}" x="${left(column)}" y="${top}" width="${round(width * CELL.width)}" height="${CELL.height}"/>`
      : [];
  });
  const text = pieces.flatMap(columnsOf).map(pieceOf).join('');
  return text === ''
    ? backgrounds
    : [...backgrounds, `<text y="${top + BASE_LINE}">${text}</text>`];
}

/**
 * @returns the piece in parts, each of which begins a column: after two spaces or more, and where
 *   characters of another width begin. The spaces stay, for those who copy.
 */
function columnsOf({ column, text, width, look }: Piece): Piece[] {
  const isWide = width !== [...text].length;
  const parts = isWide ? [text] : text.split(/(?<= {2})(?=\S)/);
  let at = column;
  return parts.map((part) => {
    const own = { column: at, text: part, width: isWide ? width : [...part].length, look };
    at += own.width;
    return own;
  });
}

function pieceOf({ column, width, text, look }: Piece): string {
  const { ink, others } = namesOf(look);
  const names = [...(ink ? [ink] : []), ...others];
  const classes = names.length > 0 ? ` class="${names.join(' ')}"` : '';
  const length = round(width * CELL.width);
  return `<tspan x="${left(column)}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${classes}>${escaped(text)}</tspan>`;
}

interface Names {
  /** The class for the colour of the text, if it is not the screen's own. */
  ink?: string;
  background?: string;
  others: string[];
}

/** @returns the names of the rules that a look follows */
function namesOf({ foreground, background, inverse, ...effects }: Look): Names {
  const front = foreground === undefined ? undefined : `f${foreground}`;
  const back = background === undefined ? undefined : `b${background}`;
  const [ink, behind] = inverse ? [back ?? 'paper', front ?? 'ink'] : [front, back];
  return {
    ...(ink ? { ink } : {}),
    ...(behind ? { background: behind } : {}),
    others: Object.keys(effects),
  };
}

/** Only the styles that the rows use. */
function styles(rows: Piece[][]): string {
  const names = rows.flat().map(({ look }) => namesOf(look));
  const used = new Set(
    names.flatMap(({ ink, background, others }) => [ink, background, ...others]),
  );
  const inUse = (rules: [name: string, rule: string][]) =>
    rules.filter(([name]) => used.has(name)).map(([name, rule]) => `.${name} { ${rule} }`);
  return [
    `text { font: ${FONT_SIZE}px ${FONTS.join(', ')}; white-space: pre; }`,
    ...inUse([
      ['bold', 'font-weight: 600;'],
      ['italic', 'font-style: italic;'],
      ['underline', 'text-decoration: underline;'],
    ]),
    ...screenColours(PALETTES.light),
    ...inUse(colourRules(PALETTES.light)),
    '@media (prefers-color-scheme: dark) {',
    ...screenColours(PALETTES.dark),
    ...inUse(colourRules(PALETTES.dark)),
    '}\n',
  ].join('\n');
}

const screenColours = ({ background, border, foreground }: Palette) => [
  `.screen { fill: ${background}; stroke: ${border}; }`,
  `text { fill: ${foreground}; }`,
];

function colourRules({
  foreground,
  background,
  dim,
  colours,
}: Palette): [name: string, rule: string][] {
  const all: [string, string][] = [
    ['dim', dim],
    ['ink', foreground],
    ['paper', background],
    ...colours.flatMap((colour, n): [string, string][] => [
      [`f${n}`, colour],
      [`b${n}`, colour],
    ]),
  ];
  return all.map(([name, colour]) => [name, `fill: ${colour};`]);
}

const left = (column: number) => round(MARGIN + column * CELL.width);
const round = (n: number) => Math.round(n * 10) / 10;
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
