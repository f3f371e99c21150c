/**
 * The one way to the gateway: `call(operation, input)` checks the request, asks the guard, records a
 * money request before its bytes leave, sends it, repeats a read that may be repeated, classifies
 * the answer and records what became of it.
 *
 * Bounds: one time limit for each try, at most three repeats of a read, none of anything else.
 */

import type { JsonObject } from '../base/json.ts';
import { startLimit } from '../base/limit.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure, invariant, usage } from '../failure.ts';
import type { Clock } from '../host/host.ts';
import {
  type Sender,
  TransportError,
  type WireReply,
  type WireRequest,
} from '../senders/sender.ts';
import { classifyLoss, classifyReply, type Reply } from './classify.ts';
import { isPassing, pauseMs } from './retry.ts';

const MONEY_TIMEOUT_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

export interface CallInput {
  /** Value of the path's parameter. */
  id?: string;
  /** By name, or as pairs where a name may come more than once. */
  query?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];
  body?: JsonObject;
}

/** Told of every exchange, for `--debug`. */
export interface Trace {
  request(request: WireRequest, attempt: number): void;
  reply(reply: WireReply, durationMs: number): void;
  lost(error: TransportError, durationMs: number): void;
}

/** Keeps the memory of money requests: intent before sending, outcome after. */
export interface MoneyRecorder {
  /** Returns when the intent is on disk. @throws Failure when it cannot be recorded: nothing may be sent then */
  intend(operation: Operation, input: CallInput): Promise<Intent>;
  /** Told of the answer to every other request that the gateway processed. */
  see?(operation: Operation, input: CallInput, reply: Reply): Promise<void>;
}

export interface Intent {
  /** What the recorder calls it, where it has a name for it. */
  id?: string;
  /** @throws Failure when the outcome cannot be recorded: the intent then stays unresolved */
  settle(result: Reply | Failure): Promise<void>;
}

export interface ClientOptions {
  baseUrl: URL;
  /** The value of the Authorization header (section 5). */
  authorization: string;
  userAgent: string;
  sender: Sender;
  clock: Clock;
  /** 0 to 1, to spread repeats. */
  random: () => number;
  interrupted: AbortSignal;
  /** Overrides the time limit of every request. */
  timeoutMs: number | undefined;
  recorder: MoneyRecorder;
  /** Refuses, by throwing, what may not be sent on the user's own terms. */
  guard: (operation: Operation, input: CallInput) => Promise<void>;
  trace: Trace | undefined;
}

export interface Client {
  /**
   * @returns the reply of a request that the gateway processed, a decline included
   * @throws Failure for everything else, classified by what is known to have happened
   */
  call(operation: Operation, input: CallInput): Promise<Reply>;
  /** As `call`, for a body that is sent as it is. */
  callUnchecked(operation: Operation, input: CallInput): Promise<Reply>;
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  return {
    async call(operation, input) {
      if (operation.body) {
        // With the schemas, which a look-up has no use for.
        const { checkRequest } = await import('./check.ts');
        checkRequest(operation, input.body ?? {});
      }
      return perform(options, operation, input);
    },
    callUnchecked: (operation, input) => perform(options, operation, input),
    close: () => options.sender.close(),
  };
}

async function perform(
  options: ClientOptions,
  operation: Operation,
  input: CallInput,
): Promise<Reply> {
  // Before anything is asked or recorded: it may turn out that there is no such request.
  const request = wireRequest(options, operation, input);
  await options.guard(operation, input);
  if (operation.effect !== 'money') {
    const reply = await exchange(options, operation, request);
    await options.recorder.see?.(operation, input, reply);
    return reply;
  }
  const intent = await options.recorder.intend(operation, input);
  const result = await exchange(options, operation, request).catch(asFailure);
  const unrecorded = await settle(intent, result);
  if (!(result instanceof Failure)) return unrecorded ? { ...result, unrecorded } : result;
  throw unrecorded
    ? result.reworded({ next: `${result.next} The journal does not know: ${unrecorded.message}` })
    : result;
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** What became of the money is known by now, and must be told whatever becomes of the note about it. */
async function settle(intent: Intent, result: Reply | Failure): Promise<Failure | undefined> {
  try {
    await intent.settle(result);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    return new Failure('guard', `The outcome could not be recorded: ${String(error)}.`, {
      next: 'Please report it.',
      cause: error,
    });
  }
}

async function exchange(
  options: ClientOptions,
  operation: Operation,
  request: WireRequest,
): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(options, operation, request, attempt);
    const pause = isPassing(outcome) ? pauseMs(attempt, outcome, options) : undefined;
    if (operation.effect === 'read' && pause !== undefined && !options.interrupted.aborted) {
      await rest(options, operation, pause);
    } else if (outcome instanceof TransportError) {
      throw classifyLoss(operation, options.baseUrl, outcome, options.interrupted.aborted);
    } else {
      return classifyReply(operation, options.baseUrl, outcome);
    }
  }
}

async function rest(options: ClientOptions, operation: Operation, ms: number): Promise<void> {
  try {
    await options.clock.sleep(ms, options.interrupted);
  } catch (cause) {
    throw new Failure('interrupted', 'Interrupted.', {
      operation: operation.name,
      next: 'Nothing was changed; run it again.',
      cause,
    });
  }
}

async function attemptOnce(
  options: ClientOptions,
  operation: Operation,
  request: WireRequest,
  attempt: number,
): Promise<WireReply | TransportError> {
  const limitMs =
    options.timeoutMs ?? (operation.effect === 'money' ? MONEY_TIMEOUT_MS : DEFAULT_TIMEOUT_MS);
  const startedAt = options.clock.now().getTime();
  const elapsedMs = () => options.clock.now().getTime() - startedAt;
  options.trace?.request(request, attempt);
  const limit = startLimit(options.interrupted, limitMs);
  try {
    const reply = await options.sender.send(request, limit.signal);
    options.trace?.reply(reply, elapsedMs());
    return reply;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    options.trace?.lost(error, elapsedMs());
    return error;
  } finally {
    limit.release();
  }
}

/**
 * @returns the request as it will be sent; also what `--dry-run` shows
 * @throws Failure usage when an id or a body cannot be written down in a request
 */
export function wireRequest(
  options: Pick<ClientOptions, 'baseUrl' | 'authorization' | 'userAgent'>,
  operation: Operation,
  input: CallInput,
): WireRequest {
  const headers: Record<string, string> = {
    accept: 'application/json',
    authorization: options.authorization,
    'user-agent': options.userAgent,
  };
  const request: WireRequest = {
    method: operation.method,
    url: urlOf(options.baseUrl, operation.path, input),
    headers,
  };
  if (input.body !== undefined) {
    headers['content-type'] = 'application/json';
    request.body = jsonOf(input.body);
  }
  return request;
}

function urlOf(baseUrl: URL, path: string, { id, query = {} }: CallInput): URL {
  const filled = path.replace(/\{\w+\}/, (name) => {
    invariant(id !== undefined, `a request without ${name}`);
    return encodeId(id);
  });
  const url = new URL(baseUrl.href.replace(/\/$/, '') + filled);
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  for (const [name, value] of pairs) url.searchParams.append(name, value);
  return url;
}

/** A segment of dots cannot be escaped, and would lead to another endpoint; half a character cannot be sent. */
function encodeId(id: string): string {
  if (!/^\.{1,2}$|\p{Cs}/u.test(id)) return encodeURIComponent(id);
  throw usage(`${JSON.stringify(id)} cannot be an id.`, 'Nothing was sent. Check the id.');
}

function jsonOf(body: JsonObject): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    // The only one that JSON can cause: the stack is used up.
    if (!(error instanceof RangeError)) throw error;
    throw usage('The body is nested too deeply.', 'Nothing was sent. Check the body.', error);
  }
}
