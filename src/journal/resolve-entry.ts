/**
 * What the gateway can tell of a money request whose answer was lost.
 *
 *   asked                                     found                       then
 *   the record by its id, if one is known     approved | declined         done | declined, certain
 *   a purchase by its reference               same amount, approved,      done, as good as certain
 *     (some deployments look up by it)        nobody else's, not older
 *                                             anything else               nothing follows
 *   a refund                                  cannot be asked for         nothing follows
 *
 * That a purchase is not found by its reference says nothing: the interface does not promise that
 * look-up. So `not done` never follows from silence; that is for a person to say.
 */

import type { JsonObject } from '../base/json.ts';
import type { Reply } from '../client/classify.ts';
import type { CallInput } from '../client/client.ts';
import { outcomeOf } from '../contract/normal.ts';
import { lookUpOf, OPERATIONS, type Operation } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import type { LedgerEntry, Settlement } from './ledger.ts';

/** Clocks differ: a record may look a little older than its request. */
const CLOCK_DIFFERENCE_MS = 10 * 60 * 1000;

export interface Finding {
  /** undefined when nothing certain follows. */
  settlement: Settlement | undefined;
  /** Sentences: what was asked, what came of it, how sure it is. */
  said: string[];
}

type Call = (operation: Operation, input: CallInput) => Promise<Reply>;

/**
 * @param isTaken whether another entry is known to have made the record
 * @throws Failure when the gateway cannot be asked
 */
export async function askGateway(
  entry: LedgerEntry,
  call: Call,
  isTaken: (recordId: string) => Promise<boolean>,
): Promise<Finding> {
  const operation = OPERATIONS.find(({ name }) => name === entry.operation);
  const read = operation && lookUpOf(operation.kind);
  if (!operation || !read) {
    return { settlement: undefined, said: [`There is no look-up for ${entry.operation}.`] };
  }
  if (entry.recordId !== null) return byId(entry, read, call);
  if (operation.kind === 'purchase' && entry.reference !== null)
    return byReference(entry, entry.reference, read, call, isTaken);
  const what =
    operation.kind === 'refund'
      ? 'The gateway has no look-up of refunds but by their id, and no id is known: it cannot be asked.'
      : 'Neither an id nor a reference is known: the gateway cannot be asked.';
  return { settlement: undefined, said: [what] };
}

async function byId(entry: LedgerEntry, read: Operation, call: Call): Promise<Finding> {
  const id = entry.recordId ?? '';
  const record = await lookUp(read, id, call);
  if (!record) {
    return {
      settlement: undefined,
      said: [`${read.kind} ${id} is not found. Nothing follows from that.`],
    };
  }
  const outcome = outcomeOf(read.kind, record);
  if (outcome === 'unclear') {
    return {
      settlement: undefined,
      said: [`${read.kind} ${id} is there, and does not say whether it was approved.`],
    };
  }
  return {
    settlement: settlementOf(record, outcome === 'approved' ? 'done' : 'declined'),
    said: [`${read.kind} ${id} is there and was ${outcome}. This is certain.`],
  };
}

async function byReference(
  entry: LedgerEntry,
  reference: string,
  read: Operation,
  call: Call,
  isTaken: (recordId: string) => Promise<boolean>,
): Promise<Finding> {
  const record = await lookUp(read, reference, call);
  if (!record) {
    return {
      settlement: undefined,
      said: [
        `No purchase is found by the reference ${reference}. Not every gateway looks up by reference, so nothing follows from that.`,
      ],
    };
  }
  const { id } = record;
  const doubts = [
    ...(record.reference === reference ? [] : ['it has another reference']),
    ...(record.amount === entry.amount ? [] : ['it has another amount']),
    ...(typeof id === 'string' && id !== '' ? [] : ['it has no id']),
    ...(typeof id === 'string' && (await isTaken(id)) ? ['another request made it'] : []),
    ...(isOlder(record, entry)
      ? ['it is older than the request, or does not say when it was made']
      : []),
    ...(outcomeOf('purchase', record) === 'approved' ? [] : ['it was not approved']),
  ];
  const found = `Purchase ${String(id)} is found by the reference ${reference}`;
  if (doubts.length > 0) {
    return { settlement: undefined, said: [`${found}, but ${doubts.join(', and ')}.`] };
  }
  return {
    settlement: settlementOf(record, 'done'),
    said: [
      `${found}, with the same amount, approved, and made by no other request known here. This is as good as certain.`,
    ],
  };
}

/** @returns undefined when the gateway has no such record, or none for this account */
async function lookUp(read: Operation, id: string, call: Call): Promise<JsonObject | undefined> {
  try {
    return (await call(read, { id })).records[0];
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'notFound' || error.kind === 'rejected'))
      return undefined;
    throw error;
  }
}

function isOlder(record: JsonObject, entry: LedgerEntry): boolean {
  const madeAt = Date.parse(String(record.transaction_date));
  return !(madeAt >= Date.parse(entry.createdAt) - CLOCK_DIFFERENCE_MS);
}

function settlementOf(record: JsonObject, state: Settlement['state']): Settlement {
  return {
    state,
    status: null,
    recordId: typeof record.id === 'string' ? record.id : null,
    message: typeof record.message === 'string' ? record.message : null,
  };
}
