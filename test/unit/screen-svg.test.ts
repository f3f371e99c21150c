import { describe, expect, test } from 'vitest';
import { PALETTES, screenSvg } from '../helpers/screen-svg.ts';
import type { Piece } from '../helpers/terminal.ts';

/** What the contrast of text and its background is at least, where it has the size of a screen's. */
const LEAST_CONTRAST = 4.5;

const piece = (text: string, own: Partial<Piece> = {}): Piece => ({
  column: 0,
  width: text.length,
  text,
  look: {},
  ...own,
});
const picture = (...rows: Piece[][]) =>
  screenSvg({ title: 'A <title>', description: 'What is "seen"', columns: 10, rows });

describe('a picture of a screen', () => {
  test('has a title and a description, and is as large as the screen', () => {
    const svg = picture([piece('a')], [], [piece('b')]);
    expect(svg).toContain('<title id="title">A &lt;title&gt;</title>');
    expect(svg).toContain('<desc id="description">What is &quot;seen&quot;</desc>');
    expect(svg).toContain('width="116" height="89"');
  });

  test('has its text as text', () => {
    expect(picture([piece("a < b && 'c'")])).toContain(">a &lt; b &amp;&amp; 'c'</tspan>");
  });

  test('begins a column where the screen has it, however wide the font is', () => {
    const svg = picture([piece('id  amount'), piece('王', { column: 10, width: 2 })]);
    expect([...svg.matchAll(/x="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]*)/g)]).toMatchObject([
      { 1: '16', 2: '33.6', 3: 'id  ' },
      { 1: '49.6', 2: '50.4', 3: 'amount' },
      { 1: '100', 2: '16.8', 3: '王' },
    ]);
  });

  test('has rules for the looks that it has, and for no others', () => {
    const svg = picture([
      piece('a', { look: { foreground: 2, bold: true } }),
      piece('b', { look: { background: 1 } }),
    ]);
    expect(svg.match(/\.f2 \{ fill: #\w+; \}/g)).toHaveLength(2);
    expect(svg.match(/\.b1 \{ fill: #\w+; \}/g)).toHaveLength(2);
    expect(svg).toContain('class="f2 bold"');
    expect(svg).toContain('<rect class="b1"');
    expect(svg).not.toMatch(/\.f1|italic|underline|dim/);
  });

  test('inverse text has the colour of the screen on its own', () => {
    const svg = picture([piece('a', { look: { foreground: 2, inverse: true } })]);
    expect(svg).toContain('<rect class="f2"');
    expect(svg).toContain('class="paper">a</tspan>');
  });

  test('refers to nothing outside of it', () => {
    const svg = picture([piece('https://example.com')]);
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /href|url\(|@import|src=/,
    );
  });
});

test.each(Object.entries(PALETTES))('the colours for %s can be read', (_scheme, palette) => {
  const texts = [palette.foreground, palette.dim, ...palette.colours];
  const faint = texts.filter((text) => contrast(text, palette.background) < LEAST_CONTRAST);
  expect(faint).toEqual([]);
  expect(contrast('#000000', '#ffffff')).toBe(21);
});

/** @returns the contrast ratio of two colours, from 1 to 21, as WCAG has it */
function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
