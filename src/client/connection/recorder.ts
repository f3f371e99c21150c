/**
 * Between a call and the ledger: what is looked at and written before a money request leaves, what
 * is written after, and which records are remembered.
 */
import { boundedText } from '../../base/bounded.ts';
import type { JsonObject } from '../../base/json.ts';
import { isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { redactText } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson } from '../../host/redaction/scrub-json.ts';
import type {
  Destination,
  Intended,
  IntentConditions,
  Ledger,
  LineClaim,
  Refused,
  Settlement,
  Sighting,
} from '../../journal/ledger.ts';
import { keptId, MAX_KEPT_TEXT } from '../../journal/records/limits.ts';
import type { Reply } from '../exchange/classify.ts';
import type { CallInput } from '../exchange/wire-request.ts';
import { moneyRequestOf } from './money-request-of-call.ts';
import { amountOnly, sightingsOf } from './snapshots-of-reply.ts';

export interface RecorderParts {
  destination: Destination;
  clock: Pick<Clock, 'now'>;
  /** Opens the ledger when the first request needs it. */
  openLedger: () => Promise<Ledger>;
  /** Keeps records that a look-up saw. @throws Failure when they cannot be kept */
  remember: (seen: readonly Sighting[]) => Promise<void>;
  scrub: Scrub;
  /** Told when what was seen cannot be remembered; the answer is printed all the same. */
  onForgotten: (failure: Failure) => void;
}

export interface RecorderOptions {
  refusesDuplicates: boolean;
  refusesOverRefunds: boolean;
  /** false keeps of what is seen only what refunds are compared with. */
  keepsRecords: boolean;
}

/** What is asked of a request before it is intended. */
export interface Foreseen {
  /** Of a batch. */
  line?: LineClaim;
  /** Only what attempts there were at the line counts: it is judged again when it is intended. */
  isForAttempts?: boolean;
}

export class MoneyRecorder {
  readonly #parts: RecorderParts;
  readonly #options: RecorderOptions;

  constructor(parts: RecorderParts, options: RecorderOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /**
   * Resolves when the intent is on disk, or was refused: then nothing may be sent.
   * @param line claimed with it, for a request of a batch
   * @throws Failure when it cannot be recorded: nothing may be sent then, either
   */
  async intend(operation: Operation, input: CallInput, line?: LineClaim): Promise<Intended> {
    const { destination, openLedger, scrub } = this.#parts;
    const request = moneyRequestOf(destination, operation, input, scrub);
    return (await openLedger()).intend(request, this.#conditions(operation, line));
  }

  /** @returns how `intend` would refuse the request just now; nothing is written */
  async foresee(
    operation: Operation,
    input: CallInput,
    { line, isForAttempts }: Foreseen = {},
  ): Promise<Refused | undefined> {
    const { destination, openLedger, scrub } = this.#parts;
    const request = moneyRequestOf(destination, operation, input, scrub);
    const conditions = this.#conditions(operation, line);
    const asked = isForAttempts ? { ...conditions, noOverRefund: false } : conditions;
    return (await openLedger()).foresee(request, asked);
  }

  #conditions({ money }: Operation, line: LineClaim | undefined): IntentConditions {
    return {
      noDuplicate: this.#options.refusesDuplicates,
      noOverRefund: this.#options.refusesOverRefunds && money?.givesBack !== undefined,
      ...(line && { line }),
    };
  }

  /**
   * What became of the money is known by now, and must be told whatever becomes of the note about it.
   * @param entry that was recorded
   * @returns why the outcome could not be, if it could not: the intent then stays unresolved
   */
  async settle(
    entry: string,
    input: CallInput,
    result: Reply | Failure,
  ): Promise<Failure | undefined> {
    const { openLedger, scrub } = this.#parts;
    try {
      const seen = result instanceof Failure ? [] : this.#sightings(input, result);
      await (await openLedger()).settle(entry, settlementOf(result, scrub), seen);
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error;
      return new Failure('guard', `The outcome could not be recorded: ${String(error)}.`, {
        code: 'outcome-not-recorded',
        next: 'This is a defect of gw: please report it.',
        cause: error,
      });
    }
  }

  /** Told of the answer to every other request that the gateway processed. */
  async see(input: CallInput, reply: Reply): Promise<void> {
    const seen = this.#sightings(input, reply);
    if (seen.length === 0) return;
    try {
      await this.#parts.remember(seen);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#parts.onForgotten(error);
    }
  }

  #sightings(input: CallInput, reply: Reply): Sighting[] {
    const { destination, clock, scrub } = this.#parts;
    const seen = sightingsOf(scrubReply(reply, scrub), input, destination, clock.now());
    return this.#options.keepsRecords ? seen : seen.flatMap(amountOnly);
  }
}

/** @returns an answer whose records have no secrets of this run in them: a gateway may say them back */
export function scrubReply(reply: Reply, scrub: Scrub): Reply {
  return { ...reply, records: reply.records.map((record) => scrubJson(record, scrub)) };
}

function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string'
      ? // Before it is cut, since a part of a secret is not known any more.
        redactText(boundedText(scrub(message), MAX_KEPT_TEXT), 'foreign')
      : null;
  if (result instanceof Failure) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: keptId(result.id),
      message: told(result.message),
    };
  }
  const [record = {}] = result.records;
  return {
    state: stateOf(result, record),
    status: result.status,
    recordId: keptId(result.operation.kind === 'card' ? record.token : record.id),
    message: told(record.message),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A request that is no row of the interface may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (said === 'approved') return 'done';
  if (isUnsuccessful(said)) return said;
  return operation.authorizes ? 'unknown' : 'done';
}

/** A failure of any other kind says nothing certain about the money. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};
