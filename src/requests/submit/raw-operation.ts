/** Finds the row that a request of the user's own is, so that it is treated like one. */

import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { kindOfId, plainId } from '../../contract/record-id.ts';
import { usage } from '../../failure.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export interface RawRequest {
  /** The row the request fits, with the path as the user wrote it. */
  operation: Operation;
  /** What a look-up is where its answer is none of the row's: what stands for the id may be a list, or anything. */
  otherwise?: Operation;
  /** The value that the path has for the row's parameter; of what is no row the last id in it. */
  id?: string;
  /** In order; a name may come twice. */
  query: [name: string, value: string][];
}

/**
 * @param method in any case
 * @param path below the base address, with or without a query
 * @param given names of further parameters, and of fields of the body
 * @throws Failure usage for another method, or a whole URL
 */
export function rawOperation(
  method: string,
  path: string,
  given: readonly string[] = [],
): RawRequest {
  const known = METHODS.find((name) => name === method.toUpperCase());
  if (!known)
    throw usage(
      'method-unknown',
      `${method} is not a method of the interface.`,
      `Use one of: ${METHODS.join(', ')}.`,
    );
  if (!path.startsWith('/') || path.startsWith('//')) {
    throw usage(
      'path-invalid',
      "The path must start with one slash; it is added to the profile's base address.",
      'Example: /v1.0/plans.json',
    );
  }
  const url = new URL(path, 'http://path.invalid');
  const { pathname, searchParams } = url;
  const query = [...searchParams];
  const isOther = [...given, ...query.map(([name]) => name)].some((name) => OVERRIDE.test(name));
  const own = ownOperation(known, pathname, isOther ? 'money' : undefined);
  const row = isOther ? undefined : OPERATIONS.find(isRowOf(known, pathname));
  const id = row ? idIn(row.path, pathname) : segments(pathname).findLast(isId);
  const isSure = id === undefined || kindOfId(plainId(id)) === row?.kind;
  const otherwise = row?.method === 'GET' && !isSure ? { otherwise: own } : {};
  const operation = row ? { ...row, path: pathname } : own;
  return { operation, ...otherwise, ...(id !== undefined && { id }), query };
}

/** What has a gateway take a request for one of another method. */
const OVERRIDE = /^_(?:http_?)?method$|method[-_]?override$/i;

/** A gateway may take a path with a slash too many, in other letters or with escapes for what it is without them. */
function segments(path: string): string[] {
  const all = path.split('/').filter((segment) => segment !== '');
  return all.map((segment) => decoded(segment).replace(/\.json$/i, ''));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // An escape that is none: it goes out as it stands.
    return segment;
  }
}

function idIn(template: string, path: string): string | undefined {
  const place = segments(template).findIndex((segment) => segment.startsWith('{'));
  return segments(path)[place];
}

function isRowOf(method: Operation['method'], path: string): (row: Operation) => boolean {
  const given = segments(path);
  return (row) => {
    const wanted = segments(row.path);
    return (
      row.method === method &&
      wanted.length === given.length &&
      wanted.every((segment, i) => segment.startsWith('{') || segment === given[i]?.toLowerCase())
    );
  };
}

const isId = (segment: string) => kindOfId(plainId(segment)) !== undefined;

/** A request that is no row: whatever may change something is treated like money, and known however it is written. */
function ownOperation(
  method: Operation['method'],
  path: string,
  effect: Operation['effect'] = method === 'GET' ? 'read' : 'money',
): Operation {
  const plain = segments(path).map((one) =>
    encodeURIComponent(isId(one) ? plainId(one) : one.toLowerCase()),
  );
  return {
    name: `api ${method} /${plain.join('/')}`,
    method,
    path,
    summary: '',
    kind: kindOfId(plainId(segments(path).findLast(isId) ?? '')) ?? 'purchase',
    effect,
    money: { target: ['transaction_id', 'card_token', 'card_number', '{id}'] },
    response: {},
    isForeign: true,
    success: 200,
    failures: [],
  };
}
