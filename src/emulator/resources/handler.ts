/** The input of a handler, and its result: a reply, or a refusal. */
import type { Json, JsonObject } from '../../base/json.ts';
import type { ListCounts } from '../../contract/envelope.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Transaction } from '../store.ts';
import type { Merchant } from './merchants.ts';

export interface Call {
  merchant: Merchant;
  /** The path's parameter, decoded and without `.json`; empty where the path has none. */
  key: string;
  query: URLSearchParams;
  /** The request body in the form of the text; empty where there is none. Not checked yet. */
  body: JsonObject;
  /** What the strict dialect found at fault with its form. */
  faults: readonly string[];
}

/** A success, answered with the status of the operation's row; so is a failure that leaves a record. */
export interface Reply {
  response: Json;
  counts?: Required<ListCounts>;
  /** What a failure is for. */
  errors?: readonly string[];
}

/** The behaviour of one endpoint. @throws Refusal for every failure */
export type Handler = (tx: Transaction, call: Call) => Reply;

/** The handlers of a kind of record, by the names of their operations. */
export type Handlers = Readonly<Partial<Record<OperationName, Handler>>>;

/** Makes the error that says what is wrong: an endpoint's refusal with its record, or a seed file's. */
export type Refuse = (...errors: string[]) => Error;

/** A failure envelope (section 7), which a handler throws before it writes. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  readonly response: Json;
  /** Headers of this answer, beside those of every answer; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    errors: readonly string[],
    response: Json = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors.join('; '));
    this.name = 'Refusal';
    this.status = status;
    this.errors = errors;
    this.response = response;
    this.headers = headers;
  }
}
