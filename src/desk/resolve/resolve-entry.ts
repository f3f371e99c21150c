/**
 * Asks the gateway about a money request whose answer was lost.
 *
 *   asked                                     found                       then
 *   the record by its id, if one is known     all that is known of the    done | declined | rejected,
 *                                             request, approved or not    certain
 *   several, if the answer had several        the same of each of them    done if any of them is; what all
 *                                                                         of them are, certain
 *   a purchase by its reference               the same, approved,         done, as good as certain
 *     (some deployments look up by it)        nobody else's, not older
 *   either                                    anything else               nothing follows
 *   a refund without an id                    cannot be asked for         nothing follows
 *
 * A purchase that is not found by its reference proves nothing: the interface does not promise that
 * look-up. So `not done` never follows from silence; that is for a person to say. Nor does it follow from a
 * rejected one: that may be of a later attempt, rejected because this one has the reference.
 */

import { boundedText } from '../../base/bounded.ts';
import type { JsonObject } from '../../base/json.ts';
import { jsonIn } from '../../base/json-value.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { differencesOf, fieldText, sayDifferences } from '../../client/exchange/compare.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { readEnvelope } from '../../contract/envelope.ts';
import { isSuccessful, normalRecord, outcomeOf, recordsOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf, operationNamed } from '../../contract/operations.ts';
import { idsIn } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import { typedWord } from '../../host/redaction/safe.ts';
import type { LedgerEntry, Settlement } from '../../journal/ledger.ts';
import { keptId, MAX_KEPT_TEXT } from '../../journal/limits.ts';

/** Clocks differ: a record may look a little older than its request. */
const CLOCK_DIFFERENCE_MS = 10 * 60 * 1000;

export interface EntryFinding {
  /** undefined when nothing certain follows. */
  settlement: Settlement | undefined;
  /** Sentences: what was asked, what came of it, how sure it is. */
  said: string[];
}

/** Whom an entry is looked up with. */
interface EntryLookUp {
  call: (operation: Operation, input: CallInput) => Promise<Reply>;
  /** Whether another entry is known to have made the record. */
  isTaken: (recordId: string) => Promise<boolean>;
}

/** @throws Failure when the gateway cannot be asked, or gives no answer at all */
export async function askGateway(entry: LedgerEntry, witness: EntryLookUp): Promise<EntryFinding> {
  const { recordId, reference } = entry;
  const operation = operationNamed(entry.operation);
  const read = operation && lookUpOf(operation.kind);
  if (!operation || !read)
    return nothing(`The gateway cannot look up the result of ${entry.operation}.`);
  const asked = { entry, operation, read, witness };
  try {
    if (recordId !== null) return await byIds(idsIn(recordId), asked);
    if (read.lookUp === 'id or reference' && reference !== null)
      return await byReference(reference, asked);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'contradictory-answer') throw error;
    return nothing(`${error.message} This does not settle it.`);
  }
  if (read.lookUp === 'reference' && reference !== null)
    return nothing(
      `gw does not settle a ${read.kind} by its reference: \`gw ${read.name} ${typedWord(reference)}\` shows whether it is there.`,
    );
  return nothing(
    read.lookUp === 'id'
      ? `The gateway looks up ${read.kind}s only by id, and gw does not know the id, so it cannot ask.`
      : 'gw knows neither an id nor a reference, so it cannot ask the gateway.',
  );
}

interface Inquiry {
  entry: LedgerEntry;
  /** The operation of the request. */
  operation: Operation;
  /** By which its record is looked up. */
  read: Operation;
  witness: EntryLookUp;
}

function nothing(said: string): EntryFinding {
  return { settlement: undefined, said: [said] };
}

async function byIds(ids: readonly string[], asked: Inquiry): Promise<EntryFinding> {
  const findings: EntryFinding[] = [];
  for (const id of ids) findings.push(await byId(id, asked));
  return together(findings);
}

/**
 * One answer to a request has one record. Where it had several, all of them have to be certain: what moved money is
 * done, whatever the others say, and where nothing did they have to say the same.
 */
function together(findings: readonly EntryFinding[]): EntryFinding {
  const said = findings.flatMap((finding) => finding.said);
  const settlements = findings.flatMap(({ settlement }) => settlement ?? []);
  const [first, ...others] = settlements;
  const done = settlements.filter(({ state }) => state === 'done');
  const isOne = others.every(({ state }) => state === first?.state);
  const settlement =
    settlements.length < findings.length ? undefined : (done[0] ?? (isOne ? first : undefined));
  if (settlement) said.push('This is certain.');
  else if (findings.length > 1) said.push('Together this does not settle it.');
  if (settlement && done.length > 1)
    said.push(`The money may have moved ${done.length} times: compare with the gateway.`);
  return { settlement, said };
}

async function byId(id: string, asked: Inquiry): Promise<EntryFinding> {
  const { read } = asked;
  const name = `${read.kind} ${id}`;
  const record = await lookUp(asked, id);
  if (!record) return nothing(`The gateway did not find ${name}. This does not settle it.`);
  const isTaken = await asked.witness.isTaken(id);
  const doubts = [
    ...saidOfOther(differencesOf(read, { id }, record)),
    ...doubtsOf(asked, record),
    ...(isTaken ? ['another request made it'] : []),
  ];
  if (doubts.length > 0) return nothing(`The gateway found ${name}, but ${doubts.join(', and ')}.`);
  const outcome = outcomeOf(read.kind, record);
  if (outcome === 'unclear')
    return nothing(`The gateway found ${name}, but it does not say whether it was approved.`);
  return {
    settlement: settlementOf(record, isSuccessful(outcome) ? 'done' : outcome),
    said: [`The gateway found ${name}: it was ${outcome}.`],
  };
}

async function byReference(reference: string, asked: Inquiry): Promise<EntryFinding> {
  const { entry, witness } = asked;
  const record = await lookUp(asked, reference);
  if (!record) {
    return nothing(
      `The gateway found no purchase with reference ${reference}. Not every gateway looks up by reference, so this does not settle it.`,
    );
  }
  const id = typeof record.id === 'string' ? record.id : '';
  const doubts: [isDoubted: boolean, why: string][] = [
    [record.reference !== reference, 'its reference differs'],
    [id === '', 'it has no id'],
    [id !== '' && (await witness.isTaken(id)), 'another request made it'],
    [isOlder(record, entry), 'it is older than the request or does not say when it was made'],
    [!isSuccessful(outcomeOf('purchase', record)), 'it was not approved'],
  ];
  const why = [
    ...doubtsOf(asked, record),
    ...doubts.filter(([isDoubted]) => isDoubted).map(([, reason]) => reason),
  ];
  const found = `The gateway found purchase ${fieldText(record.id)} by its reference ${reference}`;
  if (why.length > 0) return nothing(`${found}, but ${why.join(', and ')}.`);
  return {
    settlement: settlementOf(record, 'done'),
    said: [
      `${found}. It was approved, for the same amount, and no other known request made it. This is as good as certain.`,
    ],
  };
}

/** @returns why a record is not, or may not be, of the request: all that is known of it has to match */
function doubtsOf({ entry, operation }: Inquiry, record: JsonObject): string[] {
  const { amount, currency, reference } = entry;
  const body = { ...entry.body, amount, currency, reference };
  const others = saidOfOther(differencesOf(operation, { body }, record));
  const isAmountMissing = amount !== null && (record.amount ?? null) === null;
  return isAmountMissing ? [...others, 'it does not show its amount'] : others;
}

function saidOfOther(differences: ReturnType<typeof differencesOf>): string[] {
  return differences.length > 0 ? [sayDifferences(differences)] : [];
}

/** @returns undefined when the gateway has no such record, or none for this account */
async function lookUp({ read, witness }: Inquiry, id: string): Promise<JsonObject | undefined> {
  try {
    return (await witness.call(read, { id })).records[0];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind !== 'notFound' && error.kind !== 'rejected') throw error;
    // The look-up of a rejected request may repeat the rejection, together with its record.
    const [record] = recordsOf(readEnvelope(jsonIn(error.body ?? '') ?? null)?.response);
    return record?.id === id ? normalRecord(read.kind, record) : undefined;
  }
}

function isOlder(record: JsonObject, entry: LedgerEntry): boolean {
  const madeAt = Date.parse(fieldText(record.transaction_date));
  return !(madeAt >= Date.parse(entry.createdAt) - CLOCK_DIFFERENCE_MS);
}

function settlementOf(record: JsonObject, state: Settlement['state']): Settlement {
  return {
    state,
    status: null,
    recordId: keptId(record.id),
    message: typeof record.message === 'string' ? boundedText(record.message, MAX_KEPT_TEXT) : null,
  };
}
