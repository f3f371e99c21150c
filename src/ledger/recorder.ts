/** Connects the client to the ledger: what is written before a money request leaves, and after. */

import type { Reply } from '../client/classify.ts';
import type { CallInput, Intent, MoneyRecorder } from '../client/client.ts';
import type { JsonObject } from '../contract/envelope.ts';
import type { Operation } from '../contract/operations.ts';
import type { Failure } from '../failure.ts';
import { redactJson } from '../redaction/redact.ts';
import type { Ledger, MoneyRequest, Settlement } from './ledger.ts';

/** Which gateway the requests of a recorder go to. */
export interface Destination {
  profile: string;
  environment: string;
  host: string;
}

/** @param open opens the ledger when the first money request needs it */
export function createRecorder(
  destination: Destination,
  open: () => Promise<Ledger>,
): MoneyRecorder {
  return {
    async intend(operation, input): Promise<Intent> {
      const ledger = await open();
      const id = await ledger.intend(describe(destination, operation, input));
      return { settle: (result) => ledger.settle(id, settlementOf(result)) };
    },
  };
}

function describe(
  destination: Destination,
  operation: Operation,
  { body = {} }: CallInput,
): MoneyRequest {
  const kept = redactJson(body) as JsonObject;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    ...destination,
    operation: operation.name,
    target: text(kept.transaction_id) ?? text(kept.card_token) ?? text(kept.card_number),
    amount: typeof kept.amount === 'number' ? kept.amount : null,
    currency: text(kept.currency),
    reference: text(kept.reference),
    body: kept,
  };
}

function settlementOf(result: Reply | Failure): Settlement {
  if (result instanceof Error) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: result.id ?? null,
      message: result.message,
    };
  }
  const [record = {}] = result.records;
  return {
    state:
      result.outcome === 'approved'
        ? 'done'
        : result.outcome === 'declined'
          ? 'declined'
          : 'unknown',
    status: result.status,
    recordId: typeof record.id === 'string' ? record.id : null,
    message: typeof record.message === 'string' ? record.message : null,
  };
}

/** A failure of any other kind says nothing certain about the money. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};
