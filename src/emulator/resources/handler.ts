/** The input of a handler, and its result: a reply, or a refusal. */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Fault } from '../../contract/faults.ts';
import type { Transaction } from '../store.ts';
import type { Merchant } from './merchants.ts';

export interface Call {
  merchant: Merchant;
  /** The path's parameter, decoded and without `.json`; empty if the path has none. */
  key: string;
  query: URLSearchParams;
  /** The request body in the form of the text, not checked yet; empty if there is none. */
  body: JsonObject;
  /** The strict dialect's faults in the body's form. */
  faults: readonly string[];
}

/** A success, answered with the status of the operation's row. A failure that leaves a record is a reply too. */
export interface HandlerReply {
  response: Json;
  /** Counts of a list, under the names that the endpoint gives them. */
  counts?: Readonly<Record<string, number>>;
  /** The messages of a failure. */
  errors?: readonly string[];
  /** What becomes of the answer on its way. */
  fault?: Fault | undefined;
}

/** Performs the operation of one endpoint. @throws Refusal for every failure */
export type Handler = (tx: Transaction, call: Call) => HandlerReply;

/** Makes an error from messages: an endpoint's refusal with its record, or that of a seed file. */
export type Refuse = (...errors: string[]) => Error;

/** A failure envelope (section 7), which a handler throws before it writes. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  readonly response: Json;
  /** Further headers of this answer; names in lower case. */
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
