/**
 * Asks the gateway about a money request whose answer was lost.
 *
 *   asked                                     found                       then
 *   the record by its id, if one is known     all that is known of the    done | declined | rejected,
 *                                             request, approved or not    certain
 *   several, if the answer had several        the same of each of them    done if any of them is; what all
 *                                                                         of them are, certain
 *   the purchases with its reference          one that is approved,       the same of its record, looked
 *     (some deployments list them)            nobody else's, not older    up by id: done, as good as certain
 *                                             several of those            nothing follows
 *                                             none, or no such list       asked by the reference itself
 *   a purchase by its reference               the same, approved,         done, as good as certain
 *     (some deployments look up by it)        nobody else's, not older
 *   any of them                               anything else               nothing follows
 *   a refund without an id                    cannot be asked for         nothing follows
 *
 * A purchase that is not found by its reference proves nothing: the interface does not promise that
 * look-up. So `not done` never follows from silence; that is for a person to say. Nor does it follow from a
 * rejected one: that may be of a later attempt, rejected because this one has the reference.
 */

import type { JsonObject } from '../../base/json.ts';
import { boundedText, dateOrNull } from '../../base/text.ts';
import { keptId, MAX_KEPT_TEXT } from '../../client/connection/entry.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { differencesOf, fieldText, sayDifferences } from '../../client/exchange/compare.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { answerJson, readEnvelope } from '../../contract/envelope.ts';
import {
  isSuccessful,
  normalRecord,
  outcomeOf,
  recordsOf,
  responseCodeOf,
} from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { findOperation, listByReferenceOf, lookUpOf } from '../../contract/operations.ts';
import { idsIn } from '../../contract/record.ts';
import { Failure } from '../../failure.ts';
import { commandWord, cut } from '../../host/redaction/safe.ts';
import type { LedgerEntry, Settlement } from '../../journal/ledger.ts';

/** Clocks differ, so a record may seem a little older than its request. */
const CLOCK_DIFFERENCE_MS = 10 * 60 * 1000;

/** The most purchases with one reference to compare. */
const MAX_LISTED = 100;
/** The most purchases to name. */
const MAX_NAMED = 5;
/** The longest shown id, in characters. */
const MAX_ID = 60;

export interface EntryFinding {
  /** undefined if nothing is certain. */
  settlement: Settlement | undefined;
  /** Sentences: the question, the answer, and how certain it is. */
  said: string[];
}

/** The connection for look-ups of an entry. */
interface EntryLookUp {
  call: (operation: Operation, input: CallInput) => Promise<Reply>;
  /** Whether another entry made the record. */
  isTaken: (recordId: string) => Promise<boolean>;
}

/**
 * @param entry with `createdAt` by the gateway's clock, which its records follow
 * @throws Failure if the gateway cannot be asked or does not answer
 */
export async function askGateway(entry: LedgerEntry, witness: EntryLookUp): Promise<EntryFinding> {
  const { recordId, reference } = entry;
  const operation = findOperation(entry.operation);
  const read = operation && lookUpOf(operation.kind);
  if (!operation || !read)
    return nothing(`The gateway cannot look up the result of ${entry.operation}.`);
  const asked = { entry, operation, read, witness };
  try {
    if (recordId !== null) return await byIds(idsIn(recordId), asked);
    if (read.lookUp === 'id or reference' && reference !== null)
      return await byReference({ reference, asked });
  } catch (error) {
    if (!(error instanceof Failure) || !SETTLES_NOTHING.has(error.code)) throw error;
    return nothing(`${error.message} This does not settle it.`);
  }
  if (read.lookUp === 'reference' && reference !== null)
    return nothing(
      `gw does not settle a ${read.kind} by its reference: \`gw ${read.name} ${commandWord(reference)}\` shows whether it is there.`,
    );
  return nothing(
    read.lookUp === 'id'
      ? `The gateway looks up ${read.kind}s only by id, and gw does not know the id, so it cannot ask.`
      : 'gw knows neither an id nor a reference, so it cannot ask the gateway.',
  );
}

/** Codes of failures after which further look-ups would fail too. */
const CANNOT_ASK = new Set(['not-reached', 'interrupted']);

/** Codes of failures that concern one record only: others may be looked up. */
const SETTLES_NOTHING = new Set(['contradictory-answer', 'id-invalid']);

interface Inquiry {
  entry: LedgerEntry;
  /** The operation of the request. */
  operation: Operation;
  /** The operation that looks its record up. */
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
 * An answer to a request has one record. If it had several, all of them must be certain. The request is done if one of
 * them moved money. Otherwise all must have the same outcome.
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

/** A request that has a reference. */
interface ReferencedRequest {
  reference: string;
  asked: Inquiry;
}

async function byReference(named: ReferencedRequest): Promise<EntryFinding> {
  const { reference, asked } = named;
  const listed = await listedWith(named);
  const found = listed && (await byList(listed, named));
  if (found) return found;
  const record = await lookUp(asked, reference);
  if (record)
    return judged(
      `The gateway found ${nameOf(record)} by its reference ${reference}`,
      record,
      named,
    );
  if (listed?.isByReference && asked.entry.environment === 'local')
    return nothing(
      `The test gateway lists all of its purchases, and none has reference ${reference}: unless it started over since, it made none. \`gw journal resolve ${asked.entry.id} --as not-done\` records that.`,
    );
  return nothing(
    listed?.isByReference
      ? `The gateway lists no purchase with reference ${reference}. It may list one later, so this does not settle it.`
      : `The gateway found no purchase with reference ${reference}. Not every gateway looks up by reference, so this does not settle it.`,
  );
}

/** @returns done if the record that was found by its reference fits */
async function judged(
  found: string,
  record: JsonObject,
  named: ReferencedRequest,
): Promise<EntryFinding> {
  const doubts = await doubtsOfNamed(record, named);
  if (idIn(record) === '') doubts.push('it has no id');
  if (doubts.length > 0) return nothing(`${found}, but ${doubts.join(', and ')}.`);
  const outcome = outcomeOf('purchase', record);
  return {
    settlement: settlementOf(record, 'done'),
    said: [
      `${found}. It was ${outcome}, for the same amount, and no other known request made it. This is as good as certain.`,
    ],
  };
}

/** @returns why a purchase with the reference does not, or may not, belong to the request */
async function doubtsOfNamed(
  record: JsonObject,
  { reference, asked }: ReferencedRequest,
): Promise<string[]> {
  const { entry, witness } = asked;
  const id = idIn(record);
  const doubts: [isDoubted: boolean, why: string][] = [
    [record.reference !== reference, 'its reference differs'],
    [id !== '' && (await witness.isTaken(id)), 'another request made it'],
    [isOlder(record, entry), 'it is older than the request or does not say when it was made'],
    [!isSuccessful(outcomeOf('purchase', record)), 'it was not approved'],
  ];
  return [
    ...doubtsOf(asked, record),
    ...doubts.filter(([isDoubted]) => isDoubted).map(([, reason]) => reason),
  ];
}

const idIn = ({ id }: JsonObject) => (typeof id === 'string' ? id : '');
const nameOf = ({ id }: JsonObject) => `purchase ${cut(fieldText(id), MAX_ID)}`.trimEnd();

interface Listed {
  /** The purchases in the list that have the reference. */
  records: readonly JsonObject[];
  /** false if the list also has others: then it may be any list. */
  isByReference: boolean;
  /** Whether the gateway says that the list is complete. */
  isWhole: boolean;
}

/**
 * Asks for the list of purchases with a reference, which some deployments have.
 * @returns undefined if the gateway answers with anything else
 * @throws Failure if the gateway cannot be asked
 */
async function listedWith({ reference, asked }: ReferencedRequest): Promise<Listed | undefined> {
  const list = listByReferenceOf(asked.read.kind);
  if (!list) return undefined;
  try {
    const reply = await asked.witness.call(list, { query: { reference } });
    const records = reply.records.filter((record) => record.reference === reference);
    const { total_records: total = 0, pages = 1 } = reply.envelope.counts;
    return {
      records,
      isByReference: records.length === reply.records.length,
      isWhole: total <= records.length && pages <= 1,
    };
  } catch (error) {
    if (!(error instanceof Failure) || CANNOT_ASK.has(error.code)) throw error;
    return undefined;
  }
}

/**
 * A list only says which purchase to look up: its record has to fit. If two may belong to the request, nobody knows
 * which one does.
 * @returns undefined if the list settles nothing, so that gw asks in another way
 */
async function byList(
  { records, isByReference, isWhole }: Listed,
  named: ReferencedRequest,
): Promise<EntryFinding | undefined> {
  const { reference, asked } = named;
  if (records.length > MAX_LISTED)
    return nothing(
      `The gateway lists ${records.length} purchases with reference ${reference}, too many for gw to compare. This does not settle it.`,
    );
  const fitting: JsonObject[] = [];
  const others: string[] = [];
  for (const record of records) {
    const doubts = await doubtsOfNamed(record, named);
    if (doubts.length === 0) fitting.push(record);
    else others.push(`The gateway lists ${nameOf(record)}, but ${doubts.join(', and ')}.`);
  }
  const ids = new Set(fitting.map((record) => idIn(record) || record));
  const [id] = ids;
  if (ids.size > 1)
    return nothing(
      `The gateway lists ${ids.size} purchases with reference ${reference} that may be of this request: ${firstOf(fitting.map(nameOf)).join(', ')}. This does not settle it. Compare them with the gateway: the money may have moved more than once.`,
    );
  if (!isByReference || records.length === 0) return undefined;
  if (!isWhole)
    return nothing(
      `The gateway has more purchases with reference ${reference} than it lists at once. This does not settle it.`,
    );
  if (id === undefined) {
    const none = `None of the purchases that the gateway lists with reference ${reference} is certain to be of this request.`;
    return { settlement: undefined, said: [...others.slice(0, MAX_NAMED), none] };
  }
  const only = `The gateway lists ${nameOf(fitting[0] ?? {})} with reference ${reference}`;
  if (typeof id !== 'string') return nothing(`${only}, but it has no id.`);
  const record = await lookUp(asked, id);
  if (!record) return nothing(`${only}, but did not find it by its id. This does not settle it.`);
  if (record.id !== id) return nothing(`${only}, but answered with ${nameOf(record)}.`);
  return judged(only, record, named);
}

const firstOf = (texts: readonly string[]) =>
  texts.length > MAX_NAMED
    ? [...texts.slice(0, MAX_NAMED), `and ${texts.length - MAX_NAMED} more`]
    : [...texts];

/** @returns why a record does not, or may not, belong to the request: everything known has to match */
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

/** @returns undefined if the gateway has no such record, or none of this account */
async function lookUp({ read, witness }: Inquiry, id: string): Promise<JsonObject | undefined> {
  try {
    return (await witness.call(read, { id })).records[0];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind !== 'notFound' && error.kind !== 'rejected') throw error;
    // The look-up of a rejected request may repeat the rejection, together with its record.
    const [record] = recordsOf(readEnvelope(answerJson(error.body ?? '') ?? null)?.response);
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
    transactionDate: dateOrNull(record.transaction_date),
    responseCode: responseCodeOf(record.response_code),
  };
}
