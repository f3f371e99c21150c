/**
 * The parts that tests need of a machine beside Node, git and coreutils. A test that needs more asks here, and is
 * skipped where that is missing. The run says once, at its end, what was missing (run-root.ts).
 */
import { spawnSync } from 'node:child_process';
import { accessSync, appendFileSync, constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** In the folder of the run, which all its processes know: a line for each time that a part was missed. */
const MISSED = 'missed-parts';
/** Programs that take other options on other systems. */
const OF_LINUX: readonly string[] = ['script'];

/** Notes that a test, or a group of them, is skipped for want of a part. @param part as the reader knows it */
export function notePart(part: string): void {
  const root = process.env.GW_TEST_ROOT;
  if (root) appendFileSync(path.join(root, MISSED), `${part}\n`);
  else process.stderr.write(`This machine lacks ${part}.\n`);
}

/**
 * @param root folder of the run
 * @returns the parts that were missed, and how often; undefined where nothing was
 */
export function missedParts(root: string): string | undefined {
  const file = path.join(root, MISSED);
  if (!existsSync(file)) return undefined;
  const counts = new Map<string, number>();
  for (const part of readFileSync(file, 'utf8').trimEnd().split('\n'))
    counts.set(part, (counts.get(part) ?? 0) + 1);
  const list = [...counts].sort().map(([part, count]) => `${part} (${count})`);
  return `Skipped, because this machine lacks a part (how many tests or groups of tests need it):\n${list.join(', ')}\n`;
}

/** @returns whether each program is on PATH; notes those that are not */
export function havePrograms(...names: string[]): boolean {
  const missing = names.filter((name) => !isOnPath(name));
  missing.forEach(notePart);
  return missing.length === 0;
}

/**
 * @param part that the programs need, noted where none of them has it
 * @returns the first of the programs that ends well with the arguments
 */
export function firstThatRuns(
  part: string,
  programs: readonly string[],
  args: readonly string[],
): string | undefined {
  const found = programs.find((program) => spawnSync(program, args).status === 0);
  if (found === undefined) notePart(part);
  return found;
}

/**
 * @param load what loads the program's way to the keychain, which needs libsecret on Linux
 * @param note is told of libsecret where it does not load
 * @returns whether it loads
 */
export function haveLibsecret(
  load = () => createRequire(import.meta.url)('keytar'),
  note = notePart,
): boolean {
  try {
    load();
    return true;
  } catch {
    note('libsecret-1-0');
    return false;
  }
}

/**
 * @param namespaces options of `unshare`, which needs a right that not everybody has
 * @returns whether a program may be run in namespaces of its own
 */
export function mayUnshare(...namespaces: string[]): boolean {
  const isPermitted = spawnSync('unshare', [...namespaces, 'true']).status === 0;
  if (!isPermitted) notePart(`the right to \`unshare ${namespaces.join(' ')}\``);
  return isPermitted;
}

export function isOnPath(name: string): boolean {
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
