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
import type { CallInput } from '../client/wire-request.ts';
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

/** Whom an entry is looked up with. */
interface Witness {
  call: (operation: Operation, input: CallInput) => Promise<Reply>;
  /** Whether another entry is known to have made the record. */
  isTaken: (recordId: string) => Promise<boolean>;
}

/** @throws Failure when the gateway cannot be asked */
export async function askGateway(entry: LedgerEntry, witness: Witness): Promise<Finding> {
  const { recordId, reference } = entry;
  const operation = OPERATIONS.find(({ name }) => name === entry.operation);
  const read = operation && lookUpOf(operation.kind);
  if (!operation || !read) return nothing(`There is no look-up for ${entry.operation}.`);
  if (recordId !== null) return byId(recordId, read, witness);
  if (read.lookUp === 'id or reference' && reference !== null)
    return byReference(entry, reference, read, witness);
  return nothing(
    read.lookUp === 'id'
      ? `The gateway has no look-up of ${read.kind}s but by their id, and no id is known: it cannot be asked.`
      : 'Neither an id nor a reference is known: the gateway cannot be asked.',
  );
}

function nothing(said: string): Finding {
  return { settlement: undefined, said: [said] };
}

async function byId(id: string, read: Operation, witness: Witness): Promise<Finding> {
  const record = await lookUp(read, id, witness);
  const name = `${read.kind} ${id}`;
  if (!record) return nothing(`${name} is not found. Nothing follows from that.`);
  const outcome = outcomeOf(read.kind, record);
  if (outcome === 'unclear')
    return nothing(`${name} is there, and does not say whether it was approved.`);
  return {
    settlement: settlementOf(record, outcome === 'approved' ? 'done' : 'declined'),
    said: [`${name} is there and was ${outcome}. This is certain.`],
  };
}

async function byReference(
  entry: LedgerEntry,
  reference: string,
  read: Operation,
  witness: Witness,
): Promise<Finding> {
  const record = await lookUp(read, reference, witness);
  if (!record) {
    return nothing(
      `No purchase is found by the reference ${reference}. Not every gateway looks up by reference, so nothing follows from that.`,
    );
  }
  const id = typeof record.id === 'string' ? record.id : '';
  const doubts: [isDoubted: boolean, why: string][] = [
    [record.reference !== reference, 'it has another reference'],
    [record.amount !== entry.amount, 'it has another amount'],
    [id === '', 'it has no id'],
    [id !== '' && (await witness.isTaken(id)), 'another request made it'],
    [isOlder(record, entry), 'it is older than the request, or does not say when it was made'],
    [outcomeOf('purchase', record) !== 'approved', 'it was not approved'],
  ];
  const why = doubts.filter(([isDoubted]) => isDoubted).map(([, reason]) => reason);
  const found = `Purchase ${String(record.id)} is found by the reference ${reference}`;
  if (why.length > 0) return nothing(`${found}, but ${why.join(', and ')}.`);
  return {
    settlement: settlementOf(record, 'done'),
    said: [
      `${found}, with the same amount, approved, and made by no other request known here. This is as good as certain.`,
    ],
  };
}

/** @returns undefined when the gateway has no such record, or none for this account */
async function lookUp(
  read: Operation,
  id: string,
  { call }: Witness,
): Promise<JsonObject | undefined> {
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
