/**
 * Lines of a batch as money requests: what the ledger knows of a line, and what a call, or its
 * failure, makes of one.
 */

import type { JsonObject } from '../base/json.ts';
import type { Reply } from '../client/classify.ts';
import type { CallInput } from '../client/client.ts';
import { Failure } from '../failure.ts';
import type { Ledger, LedgerEntry } from '../journal/ledger.ts';
import { type LineClaim, LineHeld, RequestRefused } from '../journal/recorder.ts';
import { submitFailure } from '../operations/submit.ts';
import type { Attempt, Line, LineResult } from './engine/batch.ts';

/** Which batch it is, and whether lines whose outcome is unknown are sent again. */
export interface BatchClaim {
  batch: string;
  retryUnknown: boolean;
}

interface InFlight {
  claim: LineClaim;
  answered(): void;
  entry: string | undefined;
}

export class BatchGateway {
  /** By the input of the call, which passes through the client to the recorder as it is. */
  readonly #inFlight = new Map<CallInput, InFlight>();

  claimOf(input: CallInput): LineClaim | undefined {
    return this.#inFlight.get(input)?.claim;
  }

  /** The answer to an input, or its absence, is known and about to be written down. */
  answered(input: CallInput, entry?: string): void {
    const line = this.#inFlight.get(input);
    if (!line) return;
    line.entry = entry;
    line.answered();
  }

  /** @returns the result of a line that is not to be sent */
  async lookUp(
    ledger: Ledger,
    { batch, retryUnknown }: BatchClaim,
    { key }: Line,
  ): Promise<LineResult | undefined> {
    const entry = await ledger.lineEntry({ batch, line: key });
    if (!entry || (entry.state === 'unknown' && retryUnknown)) return undefined;
    return earlier(entry);
  }

  async send(
    call: (input: CallInput) => Promise<Reply>,
    { batch, retryUnknown }: BatchClaim,
    { key, body }: Line,
    answered: () => void,
  ): Promise<Attempt> {
    const input: CallInput = { body };
    const flight: InFlight = {
      claim: { batch, line: key, retryUnknown },
      answered,
      entry: undefined,
    };
    this.#inFlight.set(input, flight);
    try {
      return { ...resultOf(await call(input)), entry: flight.entry };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error instanceof LineHeld) return earlier(error.entry);
      return { ...failed(error), entry: flight.entry ?? error.id };
    } finally {
      this.#inFlight.delete(input);
    }
  }
}

function earlier(entry: LedgerEntry): LineResult {
  const { id, state, recordId, message } = entry;
  const known: JsonObject = { id: recordId, message };
  if (state === 'done') return { outcome: 'done', isEarlier: true, entry: id, record: known };
  const outcome = state === 'sending' ? 'elsewhere' : 'unknown';
  return { outcome, isEarlier: true, entry: id, error: { message } };
}

function resultOf(reply: Reply): Attempt {
  const failure = submitFailure(reply);
  const [record] = reply.records;
  if (!failure) return { outcome: 'done', isEarlier: false, record };
  const outcome = failure.kind === 'declined' ? 'declined' : 'unknown';
  return { outcome, isEarlier: false, record, error: errorOf(failure) };
}

function failed(failure: Failure): Attempt {
  const base = { isEarlier: false, error: errorOf(failure) };
  switch (failure.kind) {
    case 'notReached':
      return {
        ...base,
        outcome: 'not-sent',
        mayRepeat: true,
        endsAll: 'the gateway is not reached',
      };
    case 'rejected':
      if (failure.status !== 429) return { ...base, outcome: 'rejected' };
      return {
        ...base,
        outcome: 'rejected',
        mayRepeat: true,
        endsAll: 'the gateway takes no more requests for the moment',
      };
    case 'auth':
      return {
        ...base,
        outcome: 'rejected',
        endsAll: failure.status === 401 ? 'the credentials are not accepted' : undefined,
      };
    case 'notFound':
      return { ...base, outcome: 'rejected' };
    case 'guard':
      if (failure instanceof RequestRefused) return { ...base, outcome: 'refused' };
      return { ...base, outcome: 'not-sent', endsAll: failure.message.replace(/\.$/, '') };
    case 'usage':
      return { ...base, outcome: 'refused' };
    default:
      return { ...base, outcome: 'unknown' };
  }
}

function errorOf({ kind, message, next, status, errors }: Failure): JsonObject {
  return { kind, message, next, status: status ?? null, errors: [...errors] };
}
