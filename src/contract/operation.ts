/** The form of an operation's row: everything gw knows about an endpoint of the interface. */
import type { RecordFields, RecordKind } from './record.ts';
import type { RequestBody, RequestField } from './request.ts';

/** `read` changes nothing; `write` changes a record; `money` moves money; `destroy` removes a record. */
export type Effect = 'read' | 'write' | 'money' | 'destroy';

export interface MoneyRule {
  /** Body fields that name the source or recipient of the money, dotted if nested. The first given one counts. */
  target: readonly string[];
  /** Kind of the record that the target names, if the operation refunds it. A refund never exceeds what it has. */
  givesBack?: RecordKind;
}

export interface Operation {
  /** The words after `gw`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base address, with at most one parameter in braces. */
  path: string;
  summary: string;
  kind: RecordKind;
  effect: Effect;
  /** Set if the effect is `money`, except for requests that are safe to send twice. */
  money?: MoneyRule;
  /** How reports count a successful request; absent if it neither takes nor refunds money. */
  countsAs?: 'purchases' | 'refunds';
  /** Set if a request may start charges by a plan, which move money later. `rowForRequest` tells which requests do. */
  recurring?: Recurring;
  /**
   * The key of a look-up; absent for other operations. With `id or reference`, the interface documents the id, and some
   * deployments accept the reference too.
   */
  lookUp?: 'id' | 'reference' | 'id or reference';
  body?: RequestBody;
  /** The body with the fields that deployments also take, although the text does not name them. */
  deployedBody?: RequestBody;
  /** Query parameters; each is optional. */
  query?: Readonly<Record<string, RequestField>>;
  /** Fields of one record of the response. */
  response: RecordFields;
  /** true if the envelope's `response` is a list of records. */
  list?: true;
  /** true for a custom request (`gw api`); its answer may have any form. */
  isForeign?: true;
  /** For a user's own look-up: the operation to read the answer as, if it does not fit this one. */
  otherwise?: Operation;
  success: 200 | 201;
  /** true if the record says whether the card issuer approved (section 3.1). */
  authorizes?: true;
  /** Failure statuses that section 4 or 5 names. */
  failures: readonly number[];
}

export interface Recurring {
  /** Flag in the body. A request starts no charges only if this is false. */
  flag: string;
  /** The place that names the plan: the body, or the record that the path names. */
  planIn: 'body' | 'record';
}
