/**
 * From a request line to the operation it asks for, read from the contract's table.
 *
 * `.json` may end any path or be left out. A path parameter is decoded once, after the path was cut
 * at its slashes, so a reference may hold a slash.
 */
import { OPERATIONS } from '../contract/operations.ts';

type OperationRow = (typeof OPERATIONS)[number];

interface Route {
  pattern: RegExp;
  row: OperationRow;
}

export type Match =
  | { row: OperationRow; key: string }
  /** The path is known, the method is not. */
  | { allowed: string[] };

const JSON_SUFFIX = '(?:\\.json)?';

const ROUTES: readonly Route[] = OPERATIONS.map((row) => ({
  pattern: new RegExp(
    `^${row.path
      .replace(/\.json$/, '')
      .replaceAll('.', '\\.')
      .replace(/\{\w+\}/, '([^/]+?)')}${JSON_SUFFIX}$`,
  ),
  row,
}));

/** @param path without its query, as sent @returns undefined for a path that is not in the table */
export function matchRoute(method: string, path: string): Match | undefined {
  const allowed: string[] = [];
  for (const { pattern, row } of ROUTES) {
    const match = pattern.exec(path);
    if (match && row.method === method) return { row, key: decoded(match[1] ?? '') };
    if (match) allowed.push(row.method);
  }
  return allowed.length === 0 ? undefined : { allowed };
}

/** A key that is not well encoded is taken as it is, and then not found. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
