import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
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

/**
 * @param load what loads the program's way to the keychain, which needs libsecret on Linux
 * @returns whether it loads; says what is not there, for the reader of a skipped test
 */
export function haveLibsecret(load = () => createRequire(import.meta.url)('keytar')): boolean {
  try {
    load();
    return true;
  } catch {
    process.stderr.write('skipped, because this machine lacks libsecret-1-0\n');
    return false;
  }
}

/**
 * @param namespaces options of `unshare`, which needs a right that not everybody has
 * @returns whether a program may be run in namespaces of its own
 */
export function mayUnshare(...namespaces: string[]): boolean {
  const isPermitted = spawnSync('unshare', [...namespaces, 'true']).status === 0;
  if (!isPermitted)
    process.stderr.write(
      `skipped, because this user may not \`unshare ${namespaces.join(' ')}\`\n`,
    );
  return isPermitted;
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
