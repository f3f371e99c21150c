/**
 * The embedded gateway: one request in, one answer out, no transport.
 *
 * It has two doors. `--profile local` calls `answer` in the same process; `http/door.ts` puts it behind
 * HTTP. Both hand over a plain request, so an in-process call loads no HTTP stack.
 *
 * A request passes: route (404, 405) → credentials (401) → size and form of the body (413, 400), in
 * the dialect that the gateway speaks → the handler of its operation, which knows the text's form only.
 * All of it after the route is one transaction, before which the days that have passed are billed, so
 * that every process sees the same state. A handler that throws a Refusal is answered with its failure
 * envelope and has changed nothing. Anything else it throws is passed on.
 *
 * This folder is a gateway of its own behind the interface: what it remembers and how it begins;
 * billing, deliveries, resources and HTTP have folders.
 */
import type { JsonObject } from '../base/json.ts';
import type { OperationName } from '../contract/operations.ts';
import { catchUp } from './billing/billing-run.ts';
import type { Dialect } from './dialect.ts';
import { readBody } from './request-body.ts';
import { cardHandlers } from './resources/cards.ts';
import { customerHandlers } from './resources/customers.ts';
import type { Handler, Reply } from './resources/handler.ts';
import { authenticate } from './resources/merchants.ts';
import { planHandlers } from './resources/plans.ts';
import { purchaseHandlers } from './resources/purchases.ts';
import { refundHandlers } from './resources/refunds.ts';
import { Refusal } from './resources/refusal.ts';
import { subscriptionHandlers } from './resources/subscriptions.ts';
import { matchRoute } from './routes.ts';
import type { Store, Transaction } from './store.ts';

interface GatewayRequest {
  method: string;
  /** Path and query, encoded as on the wire. */
  target: string;
  /** Value of the Authorization header. */
  authorization?: string | undefined;
  body?: string | Uint8Array | undefined;
}

export interface GatewayAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface Gateway {
  /** @throws Failure when the store's file cannot be used; never for what a request says */
  answer(request: GatewayRequest): Promise<GatewayAnswer>;
  /** @returns the answer to a request that its door cannot hand over */
  refuse(refusal: Refusal): GatewayAnswer;
}

export interface GatewayOptions {
  store: Store;
  /** The envelope's `test`; without it as the store is: true in a sandbox. */
  test?: boolean;
}

/** The compiler names an operation that is missing here. */
const HANDLERS: Readonly<Record<OperationName, Handler>> = {
  ...cardHandlers,
  ...purchaseHandlers,
  ...refundHandlers,
  ...planHandlers,
  ...customerHandlers,
  ...subscriptionHandlers,
};

export function createGateway({ store, test = isSandbox(store) }: GatewayOptions): Gateway {
  const answerCall = (request: GatewayRequest, dialect: Dialect): GatewayAnswer => {
    const [path = '', query = ''] = request.target.split(/\?(.*)/s);
    const match = matchRoute(request.method, path);
    if (!match) throw new Refusal(404, ['Path not found']);
    if ('allowed' in match) {
      const allow = match.allowed.join(', ');
      throw new Refusal(405, [`Method ${request.method} is not allowed here`], null, { allow });
    }
    const { row, key } = match;
    catchUp(store);
    const perform = (tx: Transaction): Reply => {
      const merchant = authenticate(tx, request.authorization);
      if (!merchant)
        throw new Refusal(401, ['Username or API token is not valid'], null, CHALLENGE);
      const { body, faults } = readBody(row, request.body ?? '', dialect);
      const call = { merchant, key, query: new URLSearchParams(query), body, faults };
      return HANDLERS[row.name](tx, call);
    };
    const { response, counts } = row.effect === 'read' ? store.read(perform) : store.write(perform);
    return json(row.success, { successful: true, response, errors: [], test, ...counts });
  };

  const refuse = ({ status, errors, headers, ...refusal }: Refusal, dialect: Dialect) => {
    // Clients look into the record of a failure too, and the text allows an empty one (section 2.1).
    const response = refusal.response ?? (dialect === 'deployed' ? {} : null);
    return failure({ status, errors, response }, test, headers);
  };

  /** Answers in the dialect of the moment, which the answer names. */
  const answerWith = (answerIn: (dialect: Dialect) => GatewayAnswer): GatewayAnswer => {
    const dialect = store.read((tx) => tx.dialect);
    const { headers, ...answer } = answerIn(dialect);
    return { ...answer, headers: { ...headers, [DIALECT_HEADER]: dialect } };
  };

  return {
    async answer(request) {
      if (request.method === 'GET' && request.target === OPENAPI_PATH) return openApi();
      return answerWith((dialect) => {
        try {
          return answerCall(request, dialect);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return refuse(error, dialect);
        }
      });
    },
    refuse: (refusal) => answerWith((dialect) => refuse(refusal, dialect)),
  };
}

/** @returns what `test` says in the answers of this store's gateway */
export function isSandbox(store: Store): boolean {
  return store.read((tx) => !tx.isLive);
}

/** Says which dialect answered. */
const DIALECT_HEADER = 'x-gw-dialect';

const OPENAPI_PATH = '/openapi.json';
const CHALLENGE = { 'www-authenticate': 'Basic realm="gw embedded gateway", charset="UTF-8"' };

/** @returns a failure envelope (section 7) as an answer */
export function failure(
  { status, errors, response }: Pick<Refusal, 'status' | 'errors' | 'response'>,
  test: boolean,
  headers: Readonly<Record<string, string>> = {},
): GatewayAnswer {
  return json(status, { successful: false, response, errors: [...errors], test }, headers);
}

async function openApi(): Promise<GatewayAnswer> {
  const { openApiDocument } = await import('../contract/openapi.ts');
  return json(200, openApiDocument());
}

function json(
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): GatewayAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}
