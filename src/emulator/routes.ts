/**
 * Finds the operation of a request line in the contract's table.
 *
 * Any path may end in `.json`. A path parameter is decoded once, after the path was split at its slashes, so a
 * reference may contain a slash.
 */
import type { Dialect } from '../contract/local-account.ts';
import { DEPLOYED_OPERATIONS, OPERATIONS } from '../contract/operations.ts';

export type OperationRow = (typeof OPERATIONS | typeof DEPLOYED_OPERATIONS)[number];

interface Route {
  pattern: RegExp;
  row: OperationRow;
}

export type Match =
  | { row: OperationRow; key: string }
  /** The path is known, but not for this method. */
  | { allowed: string[] };

const JSON_SUFFIX = '(?:\\.json)?';

const routesOf = (rows: readonly OperationRow[]): readonly Route[] =>
  rows.map((row) => ({
    pattern: new RegExp(
      `^${row.path
        .replace(/\.json$/, '')
        .replaceAll('.', '\\.')
        .replace(/\{\w+\}/, '([^/]+?)')}${JSON_SUFFIX}$`,
    ),
    row,
  }));

const ROUTES: Readonly<Record<Dialect, readonly Route[]>> = {
  strict: routesOf(OPERATIONS),
  deployed: routesOf([...OPERATIONS, ...DEPLOYED_OPERATIONS]),
};

/** @param path as sent, without its query @returns undefined for a path that is not in the table */
export function matchRoute(method: string, path: string, dialect: Dialect): Match | undefined {
  const allowed: string[] = [];
  for (const { pattern, row } of ROUTES[dialect]) {
    const match = pattern.exec(path);
    if (match && row.method === method) return { row, key: decoded(match[1] ?? '') };
    if (match) allowed.push(row.method);
  }
  return allowed.length === 0 ? undefined : { allowed };
}

/** A key with invalid encoding stays as it is, so no record is found. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
