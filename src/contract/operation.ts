/** The form of an operation's row: what gw knows of an endpoint of the interface. */
import type { RecordFields } from './record.ts';
import type { RecordKind } from './record-id.ts';
import type { RequestBody, RequestField } from './request.ts';

/** `read` changes nothing; `write` changes a record; `money` moves money; `destroy` removes a record. */
export type Effect = 'read' | 'write' | 'money' | 'destroy';

export interface Money {
  /** Fields of the body that tell whose money it is, dotted where they are nested; the first that is given counts. */
  target: readonly string[];
  /** Kind of the record that the target names, when money of it is given back: never more than it has. */
  givesBack?: RecordKind;
}

export interface Operation {
  /** What a user types after `gw`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base address, with at most one parameter in braces. */
  path: string;
  summary: string;
  kind: RecordKind;
  effect: Effect;
  /** Given when the effect is `money`, but for what may be sent twice. */
  money?: Money;
  /** What a request of it that succeeded counts as in reports; absent where it is neither taken nor given back. */
  countsAs?: 'purchases' | 'refunds';
  /** Given where a request may start charges by a plan, which moves money later: `asAsked` tells which do. */
  recurring?: Recurring;
  /**
   * By what the row looks a record of its kind up; absent when it is no look-up. Where it says `id or
   * reference` the interface shows the id, and some deployments take the reference too.
   */
  lookUp?: 'id' | 'reference' | 'id or reference';
  body?: RequestBody;
  /** Parameters of the query, each of which may be left out. */
  query?: Readonly<Record<string, RequestField>>;
  /** One record of the response. */
  response: RecordFields;
  /** true when `response` of the envelope is an array of records. */
  list?: true;
  /** true for a request of the user's own that is no row: its answer may be of any form. */
  isForeign?: true;
  /** Of a look-up of the user's own that may be none of the row's: as what any other answer to it is read. */
  otherwise?: Operation;
  success: 200 | 201;
  /** true when the record says whether the card issuer approved (section 3.1). */
  authorizes?: true;
  /** Failure statuses that section 4 or 5 names. */
  failures: readonly number[];
}

export interface Recurring {
  /** Flag of the body: only a request in which it is false starts no charges. */
  flag: string;
  /** What names the plan: the body, or the record that the path names. */
  planIn: 'body' | 'record';
}
