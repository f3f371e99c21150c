import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** @returns whether each program is on PATH; says which are not, for the reader of a skipped test */
export function havePrograms(...names: string[]): boolean {
  const missing = names.filter((name) => !isOnPath(name));
  if (missing.length > 0) {
    process.stderr.write(`skipped, because this machine lacks ${missing.join(', ')}\n`);
  }
  return missing.length === 0;
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
