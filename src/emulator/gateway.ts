/**
 * The test gateway: takes a request and returns an answer, without any transport.
 *
 * It has two entrances. `--profile local` calls `answer` in the same process, and `http/handler.ts` serves it over
 * HTTP. Both pass a plain request, so a call in the process loads no HTTP code.
 *
 * A request passes these steps: route (404, 405) → credentials (401) → size and form of the body (413, 400) in the
 * store's dialect → the handler of its operation, which only knows the form of the text. Everything after the route
 * runs in one transaction. Days that have passed are billed before it, so that every process sees the same state. An
 * error that a handler throws undoes the transaction. A Refusal is answered with its failure envelope; any other error
 * is thrown on.
 *
 * The route is the operation of a request line in the contract's table. Any path may end in `.json`. A path parameter is
 * decoded once, after the path was split at its slashes, so a reference may contain a slash.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import { type Fault, faultNames, parseFault } from '../contract/faults.ts';
import { DIALECT_HEADER, type Dialect } from '../contract/local-account.ts';
import { DEPLOYED_OPERATIONS, OPERATIONS } from '../contract/operations.ts';
import { catchUp } from './billing/billing-run.ts';
import { type GatewayAnswer, onDemand, spoiled, Trouble } from './faults.ts';
import { readBody } from './request-body.ts';
import { cardHandlers } from './resources/cards.ts';
import { customerHandlers } from './resources/customers.ts';
import { type Handler, type HandlerReply, Refusal } from './resources/handler.ts';
import { authenticate } from './resources/merchants.ts';
import { planHandlers } from './resources/plans.ts';
import { purchaseHandlers } from './resources/purchases.ts';
import { refundHandlers } from './resources/refunds.ts';
import { subscriptionHandlers } from './resources/subscriptions.ts';
import type { Store, Transaction } from './store.ts';

export interface GatewayRequest {
  method: string;
  /** The path and query, encoded as they were sent. */
  target: string;
  /** The value of the Authorization header. */
  authorization?: string | undefined;
  body?: string | Uint8Array | undefined;
  /** The value of the header `X-Gw-Fault`, if it is obeyed. */
  fault?: string | undefined;
}

export interface Gateway {
  /** @throws Failure if the store's file cannot be used; never because of a request */
  answer(request: GatewayRequest): Promise<GatewayAnswer>;
  /** @returns a failure envelope (section 7) as an answer; it never throws */
  refuse(refusal: Refusal): GatewayAnswer;
}

export interface GatewayOptions {
  store: Store;
  /** The envelope's `test`. By default it follows the store: true in a sandbox. */
  test?: boolean | undefined;
}

/** With this type, the compiler names an operation that is missing here. */
const HANDLERS: Readonly<Record<OperationRow['name'], Handler>> = {
  ...cardHandlers,
  ...purchaseHandlers,
  ...refundHandlers,
  ...planHandlers,
  ...customerHandlers,
  ...subscriptionHandlers,
};

export function createGateway({
  store,
  test = store.read((tx) => !tx.isLive),
}: GatewayOptions): Gateway {
  const refuse = (refusal: Refusal): GatewayAnswer => {
    const dialect = dialectIfKnown(store);
    const { status, errors, headers } = refusal;
    // Clients also read the record of a failure, and the text allows an empty one (section 2.1).
    const response = refusal.response ?? (dialect === 'deployed' ? {} : null);
    const body = { successful: false, response, errors: [...errors], test };
    const answer = json(status, body, dialect, headers);
    const hasText = isObject(response) && typeof response.decimal_amount === 'string';
    return hasText ? { ...answer, body: answer.body.replace(DECIMAL_TEXT, '$1$2') } : answer;
  };

  /** @throws Refusal for a request that is refused */
  const perform = (call: RoutedCall): GatewayAnswer => {
    const { success, effect } = call.row;
    // Days that have passed are billed first, in transactions of their own.
    const work = (tx: Transaction) =>
      tx.isBehind
        ? undefined
        : { dialect: tx.dialect, date: tx.now.toUTCString(), ...replyTo(tx, call) };
    for (;;) {
      const done = effect === 'read' ? store.read(work) : store.write(work);
      if (done) {
        const { dialect, date, response, counts, errors = [], fault } = done;
        const successful = errors.length === 0;
        const body = { successful, response, errors: [...errors], test, ...counts };
        return spoiled(json(success, body, dialect, { date }), fault);
      }
      catchUp(store);
    }
  };

  const meet = (fault: Fault) => spoiled(refuse(onDemand(fault)), fault);
  const answerOf = async ({ method: sent, ...request }: GatewayRequest) => {
    // The transport leaves the body of its answer out.
    const method = sent === 'HEAD' ? 'GET' : sent;
    try {
      const dialect = dialectOf(store);
      const unrouted = method === 'GET' ? await publicAnswer(request.target, store, dialect) : null;
      return unrouted ?? perform(route({ method, ...request }, dialect));
    } catch (error) {
      if (error instanceof Refusal) return refuse(error);
      if (error instanceof Trouble) return meet(error.fault);
      throw error;
    }
  };

  return {
    async answer(request) {
      if (request.fault === undefined) return answerOf(request);
      const fault = parseFault(request.fault);
      if (!fault) return refuse(new Refusal(400, [unknownFault(request.fault)]));
      return fault.isProcessed ? spoiled(await answerOf(request), fault) : meet(fault);
    },
    refuse,
  };
}

function unknownFault(text: string): string {
  return `X-Gw-Fault asks for ${text}, which is no fault. Use one of ${faultNames()}`;
}

/** A request whose operation is known. */
interface RoutedCall {
  row: OperationRow;
  key: string;
  query: URLSearchParams;
  request: GatewayRequest;
}

/** @throws Refusal for an unknown path or method */
function route(request: GatewayRequest, dialect: Dialect): RoutedCall {
  const { method, target } = request;
  const [path = '', ...query] = target.split('?');
  if (OUTSIDE.test(path)) throw new Refusal(404, ['Record not found']);
  const match = matchRoute(method, path, dialect);
  if (match && 'row' in match)
    return { ...match, query: new URLSearchParams(query.join('?')), request };
  const also = dialect === 'strict' ? onlyDeployed(method, path) : [];
  if (!match) throw new Refusal(404, ['Record not found', ...also]);
  const allow = match.allowed.join(', ').replace('GET', 'GET, HEAD');
  throw new Refusal(405, [`Method ${method} is not allowed here`, ...also], null, { allow });
}

/** Deployments void payments and list settlements at such a path, which is not a record's. */
const OUTSIDE = /^\/v1\.0\/(?:purchases|refunds)\/(?:void|settlement)(?:\.json)?$/;

/** @returns the strict dialect's reason for a refusal of what deployments have in addition to the text */
function onlyDeployed(method: string, path: string): string[] {
  const match = matchRoute(method, path, 'deployed');
  const has = (what: string) => [`Only the deployed dialect has ${method} ${what}`];
  if (match && 'row' in match) return has(match.row.path);
  return method === 'GET' && PING.test(path) ? has(path) : [];
}

/** @throws Refusal for a request that is refused */
function replyTo(tx: Transaction, { row, key, query, request }: RoutedCall): HandlerReply {
  const merchant = authenticate(tx, request.authorization);
  if (!merchant) throw new Refusal(401, ['Username or API token is not valid'], null, CHALLENGE);
  const { body, faults } = readBody(row, request.body ?? '', tx.dialect);
  return HANDLERS[row.name](tx, { merchant, key, query, body, faults });
}

const dialectOf = (store: Store) => store.read((tx) => tx.dialect);

/** A refusal is answered even if the store cannot be read. */
function dialectIfKnown(store: Store): Dialect | undefined {
  try {
    return dialectOf(store);
  } catch {
    return undefined;
  }
}

const OPENAPI_PATH = '/openapi.json';
/** Clients ask this without an account, and deployments answer without an envelope. */
const PING = /^(?:\/v1\.0)?\/ping(?:\.json)?(?:\?|$)/;

function ping(target: string, store: Store): GatewayAnswer {
  const { searchParams } = new URL(target, 'http://gateway');
  const timestamp = Math.floor(store.read((tx) => tx.now).getTime() / 1000);
  const answer = { timestamp, echo: searchParams.get('echo') ?? '' };
  return json(200, answer, 'deployed');
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="gw embedded gateway", charset="UTF-8"' };

/** The decimal of a large amount that is refused: JSON can write it, and a double cannot hold it. */
const DECIMAL_TEXT = /([{,]"decimal_amount":)"(-?[\d.]+)"/;

/** @returns the answer to what needs no account; null for any other request */
async function publicAnswer(
  target: string,
  store: Store,
  dialect: Dialect,
): Promise<GatewayAnswer | null> {
  if (target === OPENAPI_PATH) return openApi(dialect);
  return dialect === 'deployed' && PING.test(target) ? ping(target, store) : null;
}

async function openApi(dialect: Dialect): Promise<GatewayAnswer> {
  const { openApiDocument } = await import('../contract/openapi.ts');
  return json(200, openApiDocument(), dialect);
}

function json(
  status: number,
  body: JsonObject,
  dialect: Dialect | undefined,
  more: Readonly<Record<string, string>> = {},
): GatewayAnswer {
  const headers: GatewayAnswer['headers'] = {
    'content-type': 'application/json; charset=utf-8',
    ...more,
  };
  if (dialect) headers[DIALECT_HEADER] = dialect;
  return { status, headers, body: JSON.stringify(body) };
}

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
function matchRoute(method: string, path: string, dialect: Dialect): Match | undefined {
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
