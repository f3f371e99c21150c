/**
 * Classifies a request of the user's own: a look-up, a write that has a command, or another write.
 *
 * A write is recognised in every spelling in which a gateway may accept its path. The effect of another write is
 * unknown, so it is treated like money.
 */

import { commandText } from '../../base/shell.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { kindOfId, plainId } from '../../contract/record.ts';
import { usage } from '../../failure.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** A placeholder for the profile's address: only path and query of a request are the user's own. */
const ANY_ADDRESS = 'http://path.invalid';

export interface RawRequest {
  /** The request, with its path as the user wrote it. */
  operation: Operation;
  /** The row of the command that sends this write. */
  command?: Operation;
  /**
   * The look-up to use if the answer does not fit the row: the part of the path in the id's place may be a list, or
   * anything.
   */
  otherwise?: Operation;
  /** The kind of the records whose list the path seems to be, where the interface has none. */
  listed?: Operation['kind'];
  /** The value in the path for the row's parameter; without a row, the last id in the path. */
  id?: string;
  /** The pairs in order; a name may occur twice. */
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
      'The path must start with one slash. gw adds it to the base address of the profile.',
      `Run \`${commandText(['api', known, ownPath(path)], [])}\`.`,
    );
  }
  const { pathname, searchParams } = new URL(path, ANY_ADDRESS);
  const query = [...searchParams];
  const request = known === 'GET' ? lookUpAt(pathname) : writeAt(known, pathname);
  return { ...request, query };
}

/** @returns the path of a whole address, or the one that lacks its slash; an example if it is neither */
function ownPath(typed: string): string {
  if (!URL.canParse(typed, ANY_ADDRESS)) return '/v1.0/plans.json';
  const { pathname, search } = new URL(typed, ANY_ADDRESS);
  return pathname + search;
}

/** Names of fields by which a gateway may take a request for one of another method. */
const OVERRIDE = /^_(?:http_?)?method$|method[-_]?override$/i;

/**
 * @param names of fields in the query and the body
 * @throws Failure usage if one of them asks for another method: gw would not know what it sent
 */
export function refuseOverride(names: readonly string[]): void {
  const name = names.find((one) => OVERRIDE.test(one));
  if (name === undefined) return;
  throw usage(
    'method-overridden',
    `${JSON.stringify(name)} asks the gateway to treat the request as another method.`,
    'Leave it out, and give the method itself: `gw api METHOD PATH`.',
  );
}

type Request = Omit<RawRequest, 'query'>;

function lookUpAt(path: string): Request {
  const fit = fitOf('GET', segmentsOf(path), (given, wanted) => given.toLowerCase() === wanted);
  const other = ownOperation('GET', path);
  if (!fit) {
    const made = fitOf('POST', segmentsOf(path), isWordOfWrite)?.row;
    return withId({ operation: other, ...(made && { listed: made.kind }) }, lastId(path));
  }
  const { row, id } = fit;
  const isSure = id === undefined || kindOfId(plainId(id)) === row.kind;
  return withId({ operation: { ...row, path }, ...(isSure ? {} : { otherwise: other }) }, id);
}

function writeAt(method: Operation['method'], path: string): Request {
  const operation = ownOperation(method, path);
  for (const segments of readingsOf(path)) {
    const fit = fitOf(method, segments, isWordOfWrite);
    if (fit) return withId({ operation, command: fit.row }, fit.id);
  }
  return withId({ operation }, lastId(path));
}

function withId(request: Request, id: string | undefined): Request {
  return id === undefined ? request : { ...request, id };
}

/** A gateway may ignore spaces, the parameters of a segment, and a file extension that asks for a format. */
function isWordOfWrite(given: string, wanted: string): boolean {
  const word = given.replace(/;.*$/s, '').trim();
  return word.replace(/\.[a-z]+$/i, '').toLowerCase() === wanted;
}

/** @returns the row that fits a path, and the value for the row's parameter */
function fitOf(
  method: Operation['method'],
  segments: readonly string[],
  isWord: (given: string, wanted: string) => boolean,
): { row: Operation; id: string | undefined } | undefined {
  for (const row of OPERATIONS as readonly Operation[]) {
    const wanted = segmentsOf(row.path);
    if (row.method !== method || wanted.length !== segments.length) continue;
    const isFit = wanted.every((one, i) => one.startsWith('{') || isWord(segments[i] ?? '', one));
    if (isFit) return { row, id: segments[wanted.findIndex((one) => one.startsWith('{'))] };
  }
  return undefined;
}

/** A gateway may decode escapes before it splits a path into segments, or after, and more than once. */
function readingsOf(path: string): string[][] {
  const readings = [segmentsOf(path)];
  let text = path;
  for (let plain = undone(text); plain !== text; plain = undone(text)) {
    text = plain;
    readings.push(segmentsOf(new URL(`${ANY_ADDRESS}/${text}`).pathname));
  }
  return readings;
}

function undone(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, decoded);
}

/** A gateway may ignore extra slashes and escapes in a path. */
function segmentsOf(path: string): string[] {
  const all = path.split('/').filter((segment) => segment !== '');
  return all.map((segment) => decoded(segment).replace(/\.json$/i, ''));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // An invalid escape is sent as it stands.
    return segment;
  }
}

const isId = (segment: string) => kindOfId(plainId(segment)) !== undefined;

function lastId(path: string): string | undefined {
  return segmentsOf(path).findLast(isId);
}

/** An operation for a request that fits no row. */
function ownOperation(method: Operation['method'], path: string): Operation {
  return {
    name: `api ${method} ${path}`,
    method,
    path,
    summary: '',
    kind: kindOfId(plainId(lastId(path) ?? '')) ?? 'purchase',
    effect: method === 'GET' ? 'read' : 'money',
    money: { target: [] },
    response: {},
    isForeign: true,
    success: 200,
    failures: [],
  };
}
