/** The tables of folders in ARCHITECTURE.md are what the rule about imports says. `npm run docs` writes them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GROUND, PERMISSIONS } from '../helpers/permissions.ts';
import { table, withPart } from './reference.ts';

const FILE = 'ARCHITECTURE.md';
const SOURCE = 'test/helpers/permissions.ts';

test('the tables of folders are fresh; `npm run docs` writes them', async () => {
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
  const rooms = Object.entries(PERMISSIONS).flatMap(([part, { rooms: inside = {} }]) =>
    Object.entries(inside).map(([room, purpose]) => [`\`src/${part}/${room}/\``, purpose]),
  );
  return [
    `Everything may import ${names(GROUND)}; a wing imports only what stands above it.`,
    table(['wing', 'what is in it', 'may import', 'types only', 'packages'], rows),
    'The rooms of the wings:',
    table(['room', 'what is in it'], rooms),
  ].join('\n\n');
}

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ');
