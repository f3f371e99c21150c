/** The commands of gw: a file `*.command.ts` below src/commands defines one. */
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

const FOLDER = 'src/commands';
const ENDING = '.command.ts';

/**
 * A command has the words of its path; the one that is named like its folder, `find/find.command.ts`, has the folder's.
 * @returns {{ id: string, file: string }[]} oclif's id, for example `purchase:get`, and the path of each, in order
 */
export function commandFiles() {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ENDING))
    .map((file) => {
      const words = file.slice(0, -ENDING.length).split(sep);
      if (words.at(-1) === words.at(-2)) words.pop();
      return { id: words.join(':'), file: join(FOLDER, file) };
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
