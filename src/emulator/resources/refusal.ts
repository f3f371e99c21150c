/** How a handler answers with a failure: thrown, so that the transaction it runs in is undone. */
import type { Json } from '../../base/json.ts';

/** Makes the error that says what is wrong: an endpoint's refusal with its record, or a seed file's. */
export type Refuse = (...errors: string[]) => Error;

/** A failure envelope (section 7). */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  readonly response: Json;
  /** Of the answer, beside those of every answer; names in lower case. */
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
