/** The table of folders in ARCHITECTURE.md is what the rule about imports says. `npm run docs` writes it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GROUND, PERMISSIONS } from '../helpers/permissions.ts';
import { table, withPart } from './reference.ts';

const FILE = 'ARCHITECTURE.md';
const SOURCE = 'test/helpers/permissions.ts';

test('the table of folders is fresh; `npm run docs` writes it', async () => {
  const fresh = withPart(readFileSync(FILE, 'utf8'), SOURCE, folders());
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
