/** Connects the client to the ledger: what is written before a money request leaves, and after. */
import type { Reply } from '../client/classify.ts';
import type { CallInput, Intent, MoneyRecorder } from '../client/client.ts';
import { isObject, type Json, type JsonObject } from '../contract/envelope.ts';
import { outcomeOf } from '../contract/normal.ts';
import type { Operation } from '../contract/operations.ts';
import type { Failure } from '../failure.ts';
import { redactJson, redactText } from '../redaction/redact.ts';
import type { Ledger, MoneyRequest, Settlement } from './ledger.ts';

/** Which gateway the requests of a recorder go to. */
export interface Destination {
  profile: string;
  environment: string;
  host: string;
}

/** Takes the secrets of this run out of a text. */
type Scrub = (text: string) => string;

/** @param open opens the ledger, when the first money request needs it */
export function createRecorder(
  destination: Destination,
  open: () => Promise<Ledger>,
  scrub: Scrub = (text) => text,
): MoneyRecorder {
  let ledger: Ledger | undefined;
  return {
    async intend(operation, input): Promise<Intent> {
      ledger ??= await open();
      const { intend, settle } = ledger;
      const id = await intend(describe(destination, operation, input, scrub));
      return { settle: (result) => settle(id, settlementOf(result, scrub)) };
    },
    close: async () => ledger?.close(),
  };
}

function describe(
  destination: Destination,
  operation: Operation,
  { body = {} }: CallInput,
  scrub: Scrub,
): MoneyRequest {
  const kept = withoutSecrets('', redactJson(body), scrub) as JsonObject;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    ...destination,
    operation: operation.name,
    target: text(kept.transaction_id) ?? text(kept.card_token) ?? text(kept.card_number),
    // A body of the user's own may have any number there, and a ledger must stay readable.
    amount: Number.isSafeInteger(kept.amount) ? Number(kept.amount) : null,
    currency: text(kept.currency),
    reference: text(kept.reference),
    body: kept,
  };
}

/** What a request is known by: a long number there may look like a card number by chance. */
const KNOWN_BY = new Set(['reference', 'transaction_id', 'amount']);

/** Hides card numbers under any name: `gw api` sends what it is given. */
function withoutSecrets(name: string, value: Json, scrub: Scrub): Json {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(name, item, scrub));
  if (isObject(value)) {
    const entries = Object.entries(value);
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
