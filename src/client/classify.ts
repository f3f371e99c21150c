/**
 * What an answer, or its absence, says about what happened. The one place that decides between
 * done, declined, rejected, not reached and unknown, for every sender.
 *
 *   answer                          read           write or money
 *   2xx, successful                 done (a declined card is done too: see `outcome`)
 *   401, 403 | 404                  auth | notFound, whatever the body
 *   429                             rejected, whatever the body
 *   failure envelope, below 500     rejected
 *   failure envelope, 501           rejected (the interface uses it so)
 *   failure envelope, other 5xx     rejected       rejected; for money unknown
 *   no envelope, redirect           notReached     unknown
 *   none, and no byte was sent      notReached     notReached
 *   none, after bytes were sent     notReached     unknown
 *
 * A 5xx may come from anything between here and the gateway, after the gateway has done its work.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { type Envelope, readEnvelope } from '../contract/envelope.ts';
import { normalRecord, type Outcome, outcomeOf, recordsOf } from '../contract/normal.ts';
import type { Operation } from '../contract/operations.ts';
import { oddFields } from '../contract/record.ts';
import { Failure, type FailureDetails } from '../failure.ts';
import { excerpt } from '../redaction/excerpt.ts';
import { cut } from '../redaction/safe.ts';
import type { TransportError, WireReply } from '../senders/sender.ts';
import { httpDate } from './retry.ts';

/** How much of what a gateway says becomes part of a message. */
const MAX_ERRORS = 20;
const MAX_SAID = 2_000;

export interface Reply {
  operation: Operation;
  status: number;
  envelope: Envelope;
  /** In normal form. */
  records: JsonObject[];
  /** For requests that ask a card: what became of it. */
  outcome: Outcome | undefined;
  /** Fields that are not what the interface says. */
  oddFields: string[];
  /** The body as it came. */
  raw: string;
  /** For money requests: why the ledger still calls this one unresolved, when it could not be written. */
  unrecorded?: Failure;
}

/** @throws Failure unless the gateway processed the request */
export function classifyReply(operation: Operation, baseUrl: URL, reply: WireReply): Reply {
  const envelope = parseEnvelope(reply.body);
  if (reply.status >= 200 && reply.status < 300 && envelope?.successful) {
    return processed(operation, reply, envelope);
  }
  throw refused(operation, baseUrl, reply, envelope);
}

function parseEnvelope(body: string): Envelope | undefined {
  try {
    return readEnvelope(JSON.parse(body) as Json);
  } catch {
    return undefined;
  }
}

function processed(operation: Operation, reply: WireReply, envelope: Envelope): Reply {
  const originals = recordsOf(envelope.response);
  const records = originals.map((record) => normalRecord(operation.kind, record));
  return {
    operation,
    status: reply.status,
    envelope,
    records,
    outcome: operation.authorizes ? outcomeOf(operation.kind, records[0] ?? {}) : undefined,
    oddFields: [...new Set(originals.flatMap((record) => oddFields(operation.response, record)))],
    raw: reply.body,
  };
}

function refused(
  operation: Operation,
  baseUrl: URL,
  reply: WireReply,
  envelope: Envelope | undefined,
): Failure {
  const { status } = reply;
  const said = saidBy(envelope);
  const errors = envelope?.errors ?? [];
  const details = { operation: operation.name, status, errors, body: reply.body };
  if (status === 401) {
    return new Failure('auth', `${baseUrl.host} did not accept the credentials${quoted(said)}.`, {
      ...details,
      next: 'Run `gw whoami` to see which credentials are used and where they come from, and `gw login` to store new ones.',
    });
  }
  if (status === 403) {
    return new Failure('auth', said ?? `${baseUrl.host} does not permit this.`, {
      ...details,
      next: 'The record may belong to another account: run `gw whoami` to see the one in use.',
    });
  }
  if (status === 404) {
    return new Failure('notFound', said ?? `${baseUrl.host} has nothing at this address.`, {
      ...details,
      next: envelope
        ? 'Check the id, and the profile with `gw whoami`: sandbox and live have separate records.'
        : 'Check the base address of the profile with `gw whoami`.',
    });
  }
  if (status === 429) {
    return new Failure('rejected', `${baseUrl.host} takes no more requests for the moment.`, {
      ...details,
      next: `Nothing was processed. Run it again ${whenToRepeat(reply)}.`,
    });
  }
  const trusted = envelope && !envelope.successful;
  if (trusted && (status < 500 || status === 501 || operation.effect !== 'money')) {
    return new Failure('rejected', `The gateway rejected the request${quoted(said)}.`, {
      ...details,
      next: 'Nothing was processed. Correct the request and run it again.',
    });
  }
  return untrusted(operation, `${baseUrl.host} answered ${describe(reply, envelope)}`, details);
}

/** No trustworthy answer: harmless for a read, unknown for everything else. */
function untrusted(
  operation: Operation,
  what: string,
  details: Omit<FailureDetails, 'next'>,
): Failure {
  if (operation.effect === 'read') {
    return new Failure('notReached', `${what}.`, {
      ...details,
      next: 'Nothing was changed. Try again; if it stays so, check the base address with `gw whoami`.',
    });
  }
  return new Failure('unknown', `Outcome unknown: ${what}, after the request was sent.`, {
    ...details,
    next:
      operation.effect === 'money'
        ? 'It may or may not have happened. Do not send it again before you know: `gw journal list --unresolved` keeps it.'
        : 'It may or may not have happened. Look the record up before you send it again.',
  });
}

/**
 * Classifies a request that got no complete answer.
 * @param interrupted whether the user ended it
 */
export function classifyLoss(
  operation: Operation,
  baseUrl: URL,
  loss: TransportError,
  interrupted: boolean,
): Failure {
  if (interrupted && (!loss.sent || operation.effect === 'read')) {
    return new Failure('interrupted', 'Interrupted.', {
      operation: operation.name,
      next: 'Nothing was changed; run it again.',
      cause: loss,
    });
  }
  if (loss.sent) {
    return untrusted(operation, `no answer came from ${baseUrl.host} (${loss.message})`, {
      operation: operation.name,
      cause: loss,
    });
  }
  return new Failure('notReached', `${baseUrl.host} was not reached: ${loss.message}.`, {
    operation: operation.name,
    next: 'Nothing was processed. Check the network and the base address (`gw whoami`), then run it again.',
    cause: loss,
  });
}

function describe({ status, headers, body }: WireReply, envelope: Envelope | undefined): string {
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `${status}, a redirect to ${headers.location}, which is not followed with credentials`;
  }
  if (envelope?.successful) return `${status} and that it was successful`;
  if (envelope) return `${status}${quoted(saidBy(envelope))}`;
  const text = excerpt(body);
  return `${status} with ${text === '' ? 'an empty body' : `something that is not the gateway's envelope (${text})`}`;
}

/** @returns the beginning of what an envelope says is wrong; all of it is in the failure's `errors` */
function saidBy(envelope: Envelope | undefined): string | undefined {
  const errors = envelope?.errors ?? [];
  return errors.length > 0 ? cut(errors.slice(0, MAX_ERRORS).join('; '), MAX_SAID) : undefined;
}

function quoted(said: string | undefined): string {
  return said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
}

function whenToRepeat(reply: WireReply): string {
  const after = reply.headers['retry-after'] ?? '';
  if (/^\d+$/.test(after)) return `in ${after} seconds`;
  return httpDate(after) === undefined ? 'in a minute' : `after ${after}`;
}
