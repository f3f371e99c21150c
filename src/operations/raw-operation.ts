/** Finds the row that a request of the user's own is, so that it is treated like one. */
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { purchaseRecord } from '../contract/purchase.ts';
import { usage } from '../failure.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export interface RawRequest {
  /** The row the request fits, with the path as the user wrote it. */
  operation: Operation;
  /** The value that the path has for the row's parameter. */
  id?: string;
  /** In order; a name may come twice. */
  query: [name: string, value: string][];
}

/**
 * @param method in any case
 * @param path below the base address, with or without a query
 * @throws Failure usage for another method, or a whole URL
 */
export function rawOperation(method: string, path: string): RawRequest {
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
  const row =
    OPERATIONS.find(
      (operation) => operation.method === known && fits(operation.path, url.pathname),
    ) ?? unknownOperation(known, url.pathname);
  const id = idIn(row.path, url.pathname);
  return {
    operation: { ...row, path: url.pathname },
    ...(id !== undefined && { id }),
    query: [...url.searchParams],
  };
}

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

function fits(template: string, path: string): boolean {
  const wanted = segments(template);
  const given = segments(path);
  return (
    wanted.length === given.length &&
    wanted.every((segment, i) => segment.startsWith('{') || segment === given[i]?.toLowerCase())
  );
}

/** A request that is no row: whatever may change something is treated like money. */
function unknownOperation(method: Operation['method'], path: string): Operation {
  return {
    name: `api ${method} ${path}`,
    method,
    path,
    summary: '',
    kind: 'purchase',
    effect: method === 'GET' ? 'read' : 'money',
    money: { target: ['transaction_id', 'card_token', 'card_number'] },
    response: purchaseRecord,
    isForeign: true,
    success: 200,
    failures: [],
  };
}
