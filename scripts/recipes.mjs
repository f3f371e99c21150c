/** The recipes of the pages that are written by hand: help finds them by their words. */
import { readFileSync } from 'node:fs';

const PAGES = [
  ...['cookbook', 'scripts', 'batches', 'bookkeeping', 'webhooks', 'test-gateway', 'team', 'data'],
  ...['profiles-and-credentials', 'output', 'assistants', 'money-and-secrets'],
];

const SECTION = /^#{2,3} /m;
/** A step of a list has its block indented. */
const BLOCK = /^( *)```sh[^\n]*\n([\s\S]*?)^ *```$/gm;

/**
 * @returns {import('../src/cli/help/help-data.ts').Recipe[]} each section of a page that has lines for a shell, in the
 *   order of the pages
 */
export function recipes() {
  return PAGES.flatMap((page) => {
    const sections = readFileSync(`docs/${page}.md`, 'utf8').split(SECTION).slice(1);
    return sections.flatMap((section) => {
      const [title = '', ...body] = section.split('\n');
      const text = body.join('\n');
      const lines = [...text.matchAll(BLOCK)].flatMap(([, indent = '', code = '']) =>
        code.split('\n').map((line) => line.slice(indent.length)),
      );
      const commands = lines.filter(Boolean);
      if (!commands.some((line) => /\bgw /.test(line))) return [];
      return [{ title, text: proseOf(text), commands }];
    });
  });
}

/** @param {string} text of a section @returns its sentences without code, tables, links and comments */
function proseOf(text) {
  return text
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)\n]*\)/g, ']')
    .replace(/[\s|`*[\]]+/g, ' ')
    .trim();
}
