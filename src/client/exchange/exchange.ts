/**
 * Makes one request to the gateway. Sends it, repeats a read that may succeed in a moment, and classifies the answer or
 * its absence.
 *
 * Bounds: one time limit per try, at most three repeats of a read, no repeats of anything else.
 */

import type { Clock } from '../../host/host.ts';
import type { Scrub } from '../../host/redaction/redactor.ts';
import {
  type Sender,
  TransportError,
  type WireReply,
  type WireRequest,
} from '../senders/sender.ts';
import { classifyLoss, classifyReply, failureOf, type Reply } from './classify.ts';
import type { JudgedRequest } from './evidence.ts';
import { isTransientAnswer, pauseMs } from './retry.ts';
import type { Addressee } from './wire-request.ts';

const MONEY_TIMEOUT_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Called for every try. */
export interface Trace {
  request(request: WireRequest, attempt: number): void;
  reply(reply: WireReply, durationMs: number): void;
  lost(error: TransportError, durationMs: number): void;
}

export interface Wire extends Addressee {
  sender: Sender;
  clock: Clock;
  /** Returns 0 to 1, to spread retries. */
  random: () => number;
  interrupted: AbortSignal;
  /** Overrides the time limit of every try. */
  timeoutMs: number | undefined;
  trace: Trace | undefined;
  /** Called with the milliseconds of each pause before a read is tried again. */
  onPause?: ((ms: number) => void) | undefined;
  scrub: Scrub;
  /** A sentence: how to give other credentials than these. */
  renewal?: string | undefined;
}

/**
 * @param asked the content of the request, which the answer is compared with
 * @param mayLeave passed to the sender
 * @returns the reply to a request that the gateway processed, including a decline
 * @throws Failure for everything else, classified by what is known to have happened
 */
export async function exchange(
  wire: Wire,
  asked: JudgedRequest,
  request: WireRequest,
  mayLeave?: () => boolean,
): Promise<Reply> {
  const { interrupted, baseUrl } = wire;
  const { operation } = asked;
  const usualMs = operation.effect === 'money' ? MONEY_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
  const timeoutMs = wire.timeoutMs ?? usualMs;
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(wire, request, { attempt, timeoutMs, mayLeave });
    const mayRepeat =
      operation.effect === 'read' && isTransientAnswer(outcome) && !interrupted.aborted;
    const pause = mayRepeat ? pauseMs(attempt, outcome, wire) : undefined;
    if (pause !== undefined) {
      wire.onPause?.(pause);
      await wire.clock.sleep(pause, interrupted).catch((cause) => {
        throw failureOf('interrupted', { ...asked, baseUrl, cause });
      });
    } else if (outcome instanceof TransportError) {
      throw classifyLoss(asked, baseUrl, outcome, interrupted.aborted);
    } else {
      return classifyReply(asked, baseUrl, outcome, wire);
    }
  }
}

interface Try {
  /** Counts from 0. */
  attempt: number;
  timeoutMs: number;
  mayLeave: (() => boolean) | undefined;
}

async function attemptOnce(
  { clock, interrupted, sender, trace }: Wire,
  request: WireRequest,
  { attempt, timeoutMs, mayLeave }: Try,
): Promise<WireReply | TransportError> {
  const startedAt = clock.now().getTime();
  const elapsedMs = () => clock.now().getTime() - startedAt;
  trace?.request(request, attempt);
  try {
    const reply = await sender.send(request, { timeoutMs, interrupted, mayLeave });
    trace?.reply(reply, elapsedMs());
    return reply;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    trace?.lost(error, elapsedMs());
    return error;
  }
}
