/** The table of folders in ARCHITECTURE.md is what the rule about imports says. `npm run docs` writes it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GROUND, PERMISSIONS } from '../helpers/permissions.ts';
import { table } from './reference.ts';

const FILE = 'ARCHITECTURE.md';
const BEGIN =
  '<!-- Written by `npm run docs` from test/helpers/permissions.ts, up to the end mark: change that. -->';
const END = '<!-- End of what is written. -->';

test('the table of folders is fresh; `npm run docs` writes it', async () => {
  const text = readFileSync(FILE, 'utf8');
  const [before, rest = ''] = text.split(`${BEGIN}\n`);
  const [, after] = rest.split(END);
  expect(after, `${FILE} has both marks`).toBeDefined();
  const fresh = [before, BEGIN, '\n\n', folders(), '\n\n', END, after].join('');
  await expect(fresh).toMatchFileSnapshot(path.resolve(FILE));
});

function folders(): string {
  const rows = Object.entries(PERMISSIONS).map(
    ([part, { purpose, parts = [], types = [], packages = [] }]) => [
      `\`${existsSync(`src/${part}.ts`) ? `src/${part}.ts` : `src/${part}/`}\``,
      purpose,
      names(parts),
      names(types),
      names(packages.filter((name) => !name.startsWith('node:'))),
    ],
  );
  return [
    `Everything may import ${names(GROUND)}.`,
    table(['folder', 'what is in it', 'may import', 'types only', 'packages'], rows),
  ].join('\n\n');
}

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ');
