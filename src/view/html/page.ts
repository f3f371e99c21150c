/**
 * The frame of the pages that reports and receipts write: one file without a script, which fetches nothing and prints on
 * paper.
 *
 * Tests: test/unit/desk/report/owner-page.test.ts
 */
import { type Html, html } from './html.ts';

/** @param body of the page @returns the whole document, in the style of reports */
export function pageOf(title: string, body: Html): string {
  return documentOf({ title, style: STYLE, body, schemes: 'light dark' });
}

/** @returns a document that has no script and asks for nothing. `schemes` are those for which its style has colours */
export function documentOf({
  title,
  style,
  body,
  schemes,
}: {
  title: string;
  style: Html;
  body: Html;
  schemes: 'light' | 'light dark';
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${schemes}">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

/** Prints on two pages of A4 or Letter: the sums and the chart, then the rest. */
const STYLE: Html = html`
:root { --ink: #1b1f24; --paper: #fff; --soft: #5b6570; --line: #d5dae0; --bar: #2563a8; --below: #b3372c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --paper: #14171b; --soft: #9aa4af; --line: #333a42; --bar: #6aa9e9; --below: #e5786d; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 52rem; color: var(--ink); background: var(--paper); font: 1rem/1.4 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.8rem; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: .75rem 0 .25rem; font-size: 1rem; }
header p, footer, .below, figcaption { color: var(--soft); }
p, ul { margin: .25rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1rem 0; }
.tile { padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .4rem; }
.tile dt { color: var(--soft); }
.tile dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tile dd.below { font-size: .85rem; }
figure { margin: 1rem 0; }
svg { width: 100%; height: auto; }
svg rect { fill: var(--bar); }
svg rect.below { fill: var(--below); }
svg line { stroke: var(--soft); }
svg text { fill: var(--soft); font: 10px system-ui, sans-serif; text-anchor: middle; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .5rem; text-align: left; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
table.numbers { font-size: .85rem; }
code { font: .9em ui-monospace, monospace; }
section, footer { overflow-x: auto; }
footer { margin-top: 1.5rem; font-size: .85rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #444; --line: #bbb; --bar: #2563a8; --below: #b3372c; }
  @page { margin: 11mm; }
  body { max-width: none; padding: 0; font-size: 8.5pt; line-height: 1.2; }
  h2 { margin: .8rem 0 .3rem; }
  svg { max-height: 26mm; }
  .declines svg, .declines figcaption { display: none; }
  figure { margin: .5rem 0; }
  table.numbers { display: block; columns: 4; border: 0; font-size: 7.5pt; }
  table.numbers thead { display: none; }
  table.numbers tbody { display: block; }
  table.numbers tr { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line); }
  table.numbers td { border: 0; padding: 0 .3rem; }
  tr, h2, h3, .tiles { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  section.table { break-inside: avoid; }
}
`;
