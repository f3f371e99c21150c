import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Programs that take other options on other systems. */
const OF_LINUX: readonly string[] = ['script'];

/** @returns whether each program is on PATH; says which are not, for the reader of a skipped test */
export function havePrograms(...names: string[]): boolean {
  const missing = names.filter((name) => !isHere(name));
  if (missing.length > 0) {
    process.stderr.write(`skipped, because this machine lacks ${missing.join(', ')}\n`);
  }
  return missing.length === 0;
}

/**
 * @param what of a package the programs need, for the reader of a skipped test
 * @returns the first of the programs that ends well with the arguments
 */
export function firstThatRuns(
  what: string,
  programs: readonly string[],
  args: readonly string[],
): string | undefined {
  const found = programs.find((program) => spawnSync(program, args).status === 0);
  if (found === undefined) process.stderr.write(`skipped, because this machine lacks ${what}\n`);
  return found;
}

function isHere(name: string): boolean {
  if (OF_LINUX.includes(name) && process.platform !== 'linux') return false;
  return (process.env.PATH ?? '').split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
