/** Man pages: one for gw and one for each first word, which the formatters of man take without a word. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { manPages } from '../../../../src/cli/help/man-page.ts';
import { helpSource } from '../../../helpers/help.ts';
import { havePrograms } from '../../../helpers/skip.ts';

const source = await helpSource();
const pages = manPages(source, '1.2.3');

test('there is a page for gw and for each first word of a command', () => {
  const heads = Object.keys(source.index.commands).map((id) => `gw-${id.split(':')[0]}.1`);
  expect([...pages.keys()].toSorted()).toEqual([...new Set(['gw.1', ...heads])].toSorted());
  expect(pages.get('gw-purchase.1')).toContain('gw purchase create');
  expect(pages.get('gw.1')).toContain('gw\\-purchase(1)');
});

test('package.json lists them, for npm to link them where man finds them', () => {
  const { man } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(man).toEqual([...pages.keys()].map((name) => `man/${name}`).toSorted());
});

test.skipIf(!havePrograms('mandoc'))('mandoc finds nothing wrong with them', () => {
  for (const [name, input] of pages) {
    const said = lint(['mandoc', '-Tlint', '-W', 'warning'], input);
    const faults = said.split('\n').filter((line) => line !== '' && !/date/.test(line));
    expect({ name, faults }).toEqual({ name, faults: [] });
  }
});

test.skipIf(!havePrograms('groff'))('groff shows an example as it is typed', () => {
  const text = execFileSync('groff', ['-ww', '-man', '-Tascii'], {
    input: pages.get('gw-customer.1'),
    encoding: 'utf8',
  });
  expect(stripVTControlCharacters(text)).toContain(
    `--jq 'select(.outcome == "done") | {customer: .record.id,`,
  );
});

function lint([program = '', ...args]: readonly string[], input: string): string {
  try {
    return execFileSync(program, args, { input, encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}
