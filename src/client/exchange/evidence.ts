/**
 * Reduces the body of an answer to one word about what happened. It reads the envelope. It checks that the records
 * agree with it, with themselves and with the request (sections 2.1, 3.1 and 7).
 */
import { isObject, type Json, type JsonObject, namesIn } from '../../base/json.ts';
import { answerJson, type Envelope, readEnvelope } from '../../contract/envelope.ts';
import { fitsDecimal } from '../../contract/money.ts';
import { isAuthorized, outcomeOf, readFlag, recordsOf, saysMoved } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { cut } from '../../host/redaction/safe.ts';
import type { WireReply } from '../senders/sender.ts';
import { differencesOf, sayDifferences } from './compare.ts';
import { saidCurrency, targetOf } from './said-money.ts';
import type { CallInput } from './wire-request.ts';

/** A request that an answer is judged against. */
export interface JudgedRequest {
  operation: Operation;
  input: CallInput;
}

/**
 * `done` and `refused` are consistent. A `contradiction` may be a refusal with an approved record, a success without
 * its record, or an answer to something else. `broken` begins as JSON and ends too early. `nothing` is a page, an empty
 * body, or anything else without an envelope. `other` is any complete answer without an envelope to a custom look-up
 * (`gw api`).
 */
export type AnswerKind = 'done' | 'refused' | 'contradiction' | 'broken' | 'nothing' | 'other';

export interface Evidence {
  kind: AnswerKind;
  envelope: Envelope | undefined;
  /** The contradiction, as the rest of "it answered, but …". */
  doubt?: string | undefined;
  /** Ids of all records that the doubt concerns, without repeats. Empty if one of them has no usable id. */
  ids?: readonly string[];
}

/** Results of one pass over the body. */
interface Body {
  envelope: Envelope | undefined;
  /** Whether the body has a field twice; `JSON.parse` keeps only the last. */
  repeats: boolean;
  /** Signs that money moved. */
  signs: readonly AnswerObject[];
  /** If the body is not an envelope, its objects with an id. */
  named: readonly JsonObject[];
  /** Ids that the request itself names. */
  targets: ReadonlySet<string>;
}

const MAX_LENGTH = 60;

export function evidenceOf(
  asked: JudgedRequest,
  { status, body: text }: Pick<WireReply, 'status' | 'body'>,
): Evidence {
  const body = read(asked, text);
  if (body === undefined)
    return { kind: /^\s*[[{]/.test(text) ? 'broken' : 'nothing', envelope: undefined };
  const { operation, input } = asked;
  const { envelope, repeats, signs, named, targets } = body;
  const answered = { operation, input, status, envelope, repeats, signs, named, targets };
  const doubt = repeats ? 'it contains the same field twice' : contradictionOf(answered);
  if (doubt !== undefined)
    return { kind: 'contradiction', envelope, doubt, ids: repeats ? [] : idsOf(answered) };
  if (!envelope) return { kind: 'nothing', envelope };
  const [record = {}] = recordsOf(envelope.response);
  const { kind, authorizes } = operation;
  const isRejected = authorizes && outcomeOf(kind, record) === 'rejected';
  return { kind: envelope.successful && !isRejected ? 'done' : 'refused', envelope };
}

/** @returns undefined if the text is not JSON */
function read(asked: JudgedRequest, text: string): Body | undefined {
  const json = answerJson(text);
  if (json === undefined) return undefined;
  // From here on, no record contains a card number or a CVV. The raw bytes are redacted where they are shown.
  const envelope = readEnvelope(redactJson(json), text.length);
  const isEnvelope = envelope !== undefined;
  const { kind, effect } = asked.operation;
  const signs: AnswerObject[] = [];
  const named: JsonObject[] = [];
  // Search the answer as it arrived, because hidden fields may be signs too.
  const fields = walk(json, isEnvelope, (found) => {
    if (isSign(kind, found, isEnvelope && found.object === json)) signs.push(found);
    if (!isEnvelope && ownId(found.object) !== undefined) named.push(found.object);
  });
  // Skipped for a look-up, which must be fast and can be repeated.
  const repeats = effect !== 'read' && namesIn(text) > fields;
  return { envelope, repeats, signs, named, targets: targetsOf(asked) };
}

/**
 * Outside the response, only an object with an id or an authorization counts as a record. Others may well say that they
 * succeeded, or that somebody is authorized. A flag of the envelope, or of a stored card, says nothing about money.
 */
function isSign(kind: RecordKind, { object, place }: AnswerObject, isEnvelope: boolean): boolean {
  const hasId = [object.id, object.transaction_id].some(isAssigned) || isAuthorized(object);
  const isCard = place !== 'record' && !hasId && isAssigned(object.token);
  if (place === 'beside' && !hasId && !(isCard && kind === 'card')) return false;
  if (isEnvelope) return saysMoved({ ...object, successful: null });
  return saysMoved(isCard && kind !== 'card' ? { ...object, authorized: null } : object);
}

/** A request and its answer. */
interface RequestAnswer extends JudgedRequest, Body {
  status: number;
}

function contradictionOf(answered: RequestAnswer): string | undefined {
  return answered.envelope?.successful
    ? contradictionOfSuccess(answered, answered.envelope)
    : contradictionOfFailure(answered);
}

function contradictionOfSuccess(
  answered: RequestAnswer,
  { response, errors }: Envelope,
): string | undefined {
  const { operation, input, signs } = answered;
  // A custom request (`gw api`) may be answered with anything.
  if (operation.isForeign) return undefined;
  const records = recordsOf(response);
  const shape = operation.list ? contradictionOfList(response) : contradictionOfOne(response);
  if (shape !== undefined) return shape;
  // The errors may also give the reason for a decline.
  const isDeclined = records.length > 0 && records.every(saysNo);
  if (errors.length > 0 && !isDeclined)
    return `it reports success together with ${JSON.stringify(cut(errors.join('; '), MAX_LENGTH))}`;
  const [record] = records;
  if (operation.list || !record) return undefined;
  const differences = differencesOf(operation, input, record);
  if (differences.length > 0) return sayDifferences(differences);
  const other = signs.find((sign) => speaksAgainst(answered, record, sign));
  if (other) return `it contains another approved record${named(other.object)}`;
  return contradictionOfKind(answered, record) ?? contradictionOfAmounts(input, record);
}

/** @returns whether another object in the answer casts doubt on a success */
function speaksAgainst(
  { operation, targets }: RequestAnswer,
  record: JsonObject,
  { object, place }: AnswerObject,
): boolean {
  if (place === 'record' || isTarget(object, targets)) return false;
  const { authorizes, kind } = operation;
  const [own, id] = [record, object].map((one) => ownId(one) ?? idOf(one.transaction_id));
  if (saysMoved(record))
    return authorizes === true && id !== undefined && id !== own && mayBeOfKind(kind, id);
  if (authorizes || id !== undefined) return authorizes === true || id === own;
  // An approved part of the record that was looked up.
  return kind === 'purchase' || kind === 'refund';
}

/**
 * A POST that moves money must create a record with a new id. The id must not be one that the request names. If its
 * shape shows a kind, that must be the kind of the operation.
 */
function contradictionOfKind(
  { operation: { method, kind, effect }, targets }: RequestAnswer,
  record: JsonObject,
): string | undefined {
  const id = ownId(record);
  if (method !== 'POST' || effect !== 'money' || id === undefined) return undefined;
  if (isTarget(record, targets)) return `its id is ${cut(id, MAX_LENGTH)}, which the request names`;
  if (mayBeOfKind(kind, id)) return undefined;
  return `its id ${cut(id, MAX_LENGTH)} is that of a ${kindOfId(id)}, not of a ${kind}`;
}

function mayBeOfKind(kind: RecordKind, id: string): boolean {
  return [kind, undefined].includes(kindOfId(id));
}

/** Compares `decimal_amount` with the record's amount, or with the requested amount if the record has none. */
function contradictionOfAmounts(
  input: CallInput,
  { amount, decimal_amount, currency }: JsonObject,
): string | undefined {
  const minor = amount ?? input.body?.amount ?? null;
  const code = currency ?? saidCurrency(input) ?? null;
  if (fitsDecimal(minor, decimal_amount, code)) return undefined;
  const inCurrency = typeof code === 'string' ? ` in ${cut(code, MAX_LENGTH)}` : '';
  const said = `decimal_amount is ${show(decimal_amount)}${inCurrency}`;
  return (amount ?? null) === null
    ? `its ${said}, and ${show(minor)} was requested`
    : `its amount is ${show(minor)} and its ${said}`;
}

function contradictionOfList(response: Json): string | undefined {
  const isEmpty = response === null || (isObject(response) && Object.keys(response).length === 0);
  const items = Array.isArray(response) ? response : [response];
  return isEmpty || items.every((item) => isRecord(item))
    ? undefined
    : 'its list contains something that is not a record';
}

function contradictionOfOne(response: Json): string | undefined {
  const items = Array.isArray(response) ? response : [response];
  if (items.length > 1) return severalOf(items);
  return isRecord(items[0]) ? undefined : 'it contains no record';
}

function severalOf(records: readonly Json[]): string {
  return `it contains ${records.length} records instead of one`;
}

function isRecord(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/**
 * A refusal may contain one of these:
 *
 * - what was submitted, with null for unassigned fields (section 7)
 * - the record to change or to refund
 * - a record of its own that reports the failure, because some deployments number those too
 *
 * A contradiction is a record that was approved, was created and may be used, or belongs to another request. More than
 * one record is a contradiction too.
 */
function contradictionOfFailure(answered: RequestAnswer): string | undefined {
  const { operation, input, envelope, signs, targets } = answered;
  const approved = signs.find(({ object }) => !isTarget(object, targets));
  if (approved) return `it contains an approved record${named(approved.object)}`;
  const isEnvelope = envelope !== undefined;
  const records = isEnvelope ? recordsOf(envelope.response) : answered.named;
  const several = records.filter((one) => isToldApart(one) && !isTarget(one, targets));
  const mayBeMany = operation.list || (operation.isForeign && operation.effect === 'read');
  if (isEnvelope && !mayBeMany && several.length > 1) return severalOf(several);
  const own = records.filter((record) => isOwn(answered, record, isEnvelope));
  const made = isEnvelope
    ? records.find((record) => isMade(answered, record))
    : own.find((record) => !saysNo(record));
  if (made) return `it contains a new record${named(made)}`;
  const differences = own
    .flatMap((record) => differencesOf(operation, input, record))
    .filter(({ field }) => field === 'reference' || field === 'amount');
  return differences.length > 0 ? sayDifferences(differences) : undefined;
}

/** An object without any of these may describe a field's error rather than a record. */
function isToldApart(record: JsonObject): boolean {
  return ['id', 'token', 'successful', 'authorized', 'authorization'].some((name) =>
    Object.hasOwn(record, name),
  );
}

/**
 * @returns ids of existing records that the request names; what they say about money belongs to an earlier request.
 *   Empty for a look-up, which is about nothing else.
 */
function targetsOf({ operation, input }: JudgedRequest): ReadonlySet<string> {
  if (operation.effect === 'read') return new Set();
  const { id, transaction_id, customer, plan } = input.body ?? {};
  // An id that the client made up names the new record.
  const known = typeof id === 'string' && kindOfId(plainId(id)) !== undefined ? id : undefined;
  const names = [input.id, targetOf(operation, input), transaction_id, known, customer, plan];
  return new Set(names.filter((name) => typeof name === 'string').map(plainId));
}

function isTarget({ id }: JsonObject, targets: ReadonlySet<string>): boolean {
  return isAssigned(id) && targets.has(plainId(String(id)));
}

/** More than anybody will look up. */
const MAX_IDS = 100;

/**
 * @returns ids of all records that the request made or may have made. Empty if one of them has no usable id, because
 *   then the others prove nothing.
 */
function idsOf({ operation, envelope, signs, targets }: RequestAnswer): string[] {
  const records = recordsOf(envelope?.response);
  // A record without an id that does not say that money moved is what was submitted.
  const said = records.filter((one) => records.length > 1 || ownId(one) !== undefined);
  const made = [...said, ...signs.map(({ object }) => object)].filter(
    (one) => !isTarget(one, targets),
  );
  const isAskedFor = (id: string) =>
    !targets.has(plainId(id)) && (operation.isForeign || mayBeOfKind(operation.kind, id));
  const ids = made
    .flatMap((one) => ownId(one) ?? idOf(one.transaction_id) ?? [])
    .filter(isAskedFor);
  const each = [...new Set(ids)];
  return ids.length < made.length || each.length > MAX_IDS ? [] : each.map((id) => redactText(id));
}

function idOf(value: Json | undefined): string | undefined {
  return isAssigned(value) ? String(value) : undefined;
}

function named(record: JsonObject): string {
  const id = ownId(record);
  return id === undefined ? '' : `: ${cut(redactText(id), MAX_LENGTH)}`;
}

function saysNo(record: JsonObject): boolean {
  return !saysMoved(record) && [record.successful, record.authorized].includes(false);
}

/**
 * Fields that only a created record has, so a refused record with them exists and may be used. An id alone proves
 * nothing.
 */
const MADE: Readonly<Partial<Record<RecordKind, Sign>>> = {
  // A card refused with 4xx may be returned with a token that cannot be used.
  card: (record, status) =>
    isAssigned(record.token) && !saysNo(record) && !(status >= 400 && status < 500),
  customer: (record) => isAssigned(record.created_at),
  // It would charge a card.
  subscription: (record) =>
    isAssigned(record.next_billing_date) ||
    (readFlag(record.is_active) === true && ownId(record) !== undefined),
};
type Sign = (record: JsonObject, status: number) => boolean;

/** Only a POST makes a record. A refused change shows the record that was to be changed. */
function isMade({ operation, status }: RequestAnswer, record: JsonObject): boolean {
  const { method, kind, isForeign } = operation;
  // Nobody knows what a custom request (`gw api`) makes.
  const isIt = isForeign ? MADE.customer : MADE[kind];
  return method === 'POST' && isIt?.(record, status) === true;
}

/**
 * @returns whether the record is one that the request was to make. A record of another kind is its subject, and an id
 *   in the body is its target. Outside an envelope, an id must have the operation's kind.
 */
function isOwn(
  { operation, input }: JudgedRequest,
  record: JsonObject,
  isEnvelope: boolean,
): boolean {
  const id = ownId(record);
  if (operation.method !== 'POST' || operation.isForeign || id === undefined) return false;
  const kind = kindOfId(id);
  const isKind = kind === operation.kind || (isEnvelope && kind === undefined);
  return isKind && !Object.values(input.body ?? {}).includes(id);
}

function ownId({ id, token }: JsonObject): string | undefined {
  return [id, token].filter(isAssigned).map(String)[0];
}

function isAssigned(value: Json | undefined): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

function show(value: Json | undefined): string {
  return cut(JSON.stringify(value) ?? 'missing', MAX_LENGTH);
}

/** An object of an answer. */
export interface AnswerObject {
  object: JsonObject;
  /**
   * `record` is the response itself, or an item of its list. `inside` is deeper in the response, or in a body without
   * an envelope. `beside` is the envelope, or in its other fields.
   */
  place: 'record' | 'inside' | 'beside';
}

/** A value to visit. */
interface Visit {
  value: JsonObject | Json[];
  /** A list of records is not one itself. */
  place: AnswerObject['place'] | 'envelope' | 'records';
}

/**
 * Visits the whole answer in the order of its text, because a record may be anywhere in it. It may be in a field other
 * than `response`, in the errors, or under a name whose values are hidden. A list of what is left keeps any depth from
 * being too deep.
 * @param json the whole answer, as it arrived
 * @param see called with each object, the answer included
 * @returns how many fields the objects have
 */
function walk(json: Json, isEnvelope: boolean, see: (found: AnswerObject) => void): number {
  if (typeof json !== 'object' || json === null) return 0;
  const left: Visit[] = [{ value: json, place: isEnvelope ? 'envelope' : 'inside' }];
  let fields = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, place } = next;
    const names = Object.keys(value);
    if (!Array.isArray(value)) {
      fields += names.length;
      see({
        object: value,
        place: place === 'envelope' ? 'beside' : (place as AnswerObject['place']),
      });
    }
    // The last one added is visited first.
    for (const name of names.reverse()) {
      const inner = (value as JsonObject)[name];
      if (typeof inner === 'object' && inner !== null)
        left.push({ value: inner, place: placeInside(place, name, inner) });
    }
  }
  return fields;
}

function placeInside(place: Visit['place'], name: string, inner: Visit['value']): Visit['place'] {
  if (place === 'records') return 'record';
  if (place === 'envelope' && name === 'response')
    return Array.isArray(inner) ? 'records' : 'record';
  return place === 'envelope' || place === 'beside' ? 'beside' : 'inside';
}
