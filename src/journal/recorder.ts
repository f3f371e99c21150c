/**
 * Connects the client to the ledger: what is looked at and written before a money request leaves,
 * what is written after, and which records are remembered.
 */

import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Reply } from '../client/classify.ts';
import type { CallInput, Intent, MoneyRecorder } from '../client/client.ts';
import { outcomeOf } from '../contract/normal.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/host.ts';
import { HIDDEN, redactJson, redactText } from '../redaction/redact.ts';
import type {
  BatchLine,
  Destination,
  Intended,
  Ledger,
  LedgerEntry,
  MoneyRequest,
  Settlement,
  Sighting,
} from './ledger.ts';
import { sightingsOfReply } from './sightings-of-reply.ts';

/** Takes the secrets of this run out of a text. */
type Scrub = (text: string) => string;

export interface RecorderOptions {
  /** false sends what repeats an earlier request all the same. */
  noDuplicate: boolean;
  /** false sends a refund of more than is left of the purchase all the same. */
  noOverRefund: boolean;
  scrub?: Scrub;
  /** Told when what was seen cannot be remembered; the answer is printed all the same. */
  onForgotten?: (failure: Failure) => void;
}

const NO_CONDITIONS: RecorderOptions = { noDuplicate: false, noOverRefund: false };

/** A line of a batch that is not sent now, because of an earlier or a concurrent attempt at it. */
export class LineHeld extends Failure {
  readonly entry: LedgerEntry;

  constructor(entry: LedgerEntry) {
    super('guard', 'The line has been sent before.', { next: 'Nothing was sent.' });
    this.entry = entry;
  }
}

/** A request that the ledger speaks against, as no fault of the ledger's. */
export class RequestRefused extends Failure {}

/** A line of a batch as the recorder is to claim it. */
export type LineClaim = BatchLine & { retryUnknown: boolean };

/** How a batch follows its lines through the recorder. */
export interface LineWatch {
  /** @returns the line that an input is for */
  lineOf?: (input: CallInput) => LineClaim | undefined;
  /** Told that the answer to an input is about to be written down. */
  onSettling?: (input: CallInput, entry: string) => void;
}

export interface RecorderParts {
  destination: Destination;
  clock: Pick<Clock, 'now'>;
  /** Opens the ledger when the first request needs it. */
  open: () => Promise<Ledger>;
  /** Keeps records that a look-up saw. @throws Failure when they cannot be kept */
  remember: (seen: readonly Sighting[]) => Promise<void>;
}

export function createRecorder(
  { destination, clock, open, remember }: RecorderParts,
  options: RecorderOptions = NO_CONDITIONS,
  { lineOf, onSettling }: LineWatch = {},
): MoneyRecorder {
  const { noDuplicate, scrub = (text) => text } = options;
  return {
    async intend(operation, input): Promise<Intent> {
      const ledger = await open();
      const noOverRefund = options.noOverRefund && operation.kind === 'refund';
      const line = lineOf?.(input);
      const request = describe(destination, operation, input, scrub);
      const intended = await ledger.intend(request, {
        noDuplicate,
        noOverRefund,
        ...(line && { line }),
      });
      if (intended.kind !== 'recorded') throw refusal(intended, request);
      const { id } = intended;
      return {
        id,
        async settle(result) {
          onSettling?.(input, id);
          const seen =
            result instanceof Error
              ? []
              : sightingsOfReply(destination, operation, input, result, clock.now());
          await ledger.settle(id, settlementOf(result, scrub), seen);
        },
      };
    },
    async see(operation, input, reply) {
      const seen = sightingsOfReply(destination, operation, input, reply, clock.now());
      if (seen.length === 0) return;
      try {
        await remember(seen);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        options.onForgotten?.(error);
      }
    },
  };
}

/** For `--no-ledger`: money requests leave without a trace. */
export const NO_RECORDER: MoneyRecorder = {
  intend: async () => ({ settle: async () => undefined }),
};

function refusal(refused: Exclude<Intended, { kind: 'recorded' }>, request: MoneyRequest): Failure {
  switch (refused.kind) {
    case 'held':
      return new LineHeld(refused.by);
    case 'duplicate':
      return new RequestRefused(
        'guard',
        `The same ${request.operation} ${whatBecameOf(refused.of)}.`,
        {
          operation: request.operation,
          id: refused.of.id,
          next: `Nothing was sent. \`gw journal show ${refused.of.id}\` shows it; add --allow-duplicate if you mean another one.`,
        },
      );
    case 'over-refund': {
      const { paid, refunded, uncertain } = refused.balance;
      const counted = [
        `${refunded} refunded from here`,
        ...(uncertain > 0 ? [`${uncertain} perhaps refunded`] : []),
      ];
      return new RequestRefused(
        'guard',
        `${request.amount} is more than is left of purchase ${request.target}: ${paid} paid, ${counted.join(', ')}.`,
        {
          operation: request.operation,
          next: 'Nothing was sent. This is what this machine knows; refunds made elsewhere are not in it. Add --allow-over-refund to let the gateway decide.',
        },
      );
    }
  }
}

function whatBecameOf({ state, createdAt }: LedgerEntry): string {
  const when = `on ${createdAt.slice(0, 10)} at ${createdAt.slice(11, 19)} UTC`;
  if (state === 'done') return `succeeded ${when}`;
  if (state === 'sending') return `is being sent just now by another gw, since ${when.slice(3)}`;
  return `was sent ${when} and its outcome is unknown`;
}

export function describe(
  destination: Destination,
  operation: Operation,
  { body = {} }: CallInput,
  scrub: Scrub = (text) => text,
): MoneyRequest {
  const kept = withoutSecrets('', redactJson(body), scrub) as JsonObject;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    profile: destination.profile,
    environment: destination.environment,
    host: destination.host,
    operation: operation.name,
    target: text(kept.transaction_id) ?? text(kept.card_token) ?? text(kept.card_number),
    refundOf:
      operation.kind === 'refund' && operation.effect === 'money'
        ? text(kept.transaction_id)
        : null,
    // A body of the user's own may have any number there, and a ledger must stay readable.
    amount: Number.isSafeInteger(kept.amount) ? Number(kept.amount) : null,
    currency: text(kept.currency),
    reference: text(kept.reference),
    body: kept,
  };
}

/** What a request is known by: a long number there may look like a card number by chance. */
const KNOWN_BY = new Set(['reference', 'transaction_id', 'amount']);

/**
 * Hides card numbers under any name: `gw api` sends what it is given. Of a CVV or another secret not
 * even that there was one is kept.
 */
function withoutSecrets(name: string, value: Json, scrub: Scrub): Json {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(name, item, scrub));
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== HIDDEN);
    return Object.fromEntries(
      entries.map(([field, inner]) => [field, withoutSecrets(field, inner, scrub)]),
    );
  }
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  const scrubbed = scrub(KNOWN_BY.has(name) ? text : redactText(text));
  return scrubbed === text ? value : scrubbed;
}

function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string' ? scrub(redactText(message)) : null;
  if (result instanceof Error) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: result.id ?? null,
      message: told(result.message),
    };
  }
  const [record = {}] = result.records;
  return {
    state: stateOf(result, record),
    status: result.status,
    recordId: typeof record.id === 'string' ? record.id : null,
    message: told(record.message),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A request that is no row of the interface may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (said === 'approved') return 'done';
  if (said === 'declined') return 'declined';
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
