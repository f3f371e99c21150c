/**
 * What the body of an answer says of what happened, in one word: what its envelope says, and whether
 * its records agree with it, with themselves and with the request (sections 2.1, 3.1 and 7).
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { type Envelope, readEnvelope } from '../../contract/envelope.ts';
import { isTrue, outcomeOf, recordsOf, saysMoved } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { kindOfId, type RecordKind } from '../../contract/record-id.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { cut } from '../../host/redaction/safe.ts';
import type { WireReply } from '../senders/sender.ts';
import { differencesOf, fitsDecimal, sayDifferences } from './compare.ts';
import type { CallInput } from './wire-request.ts';

/** A request, as an answer to it is judged. */
export interface JudgedRequest {
  operation: Operation;
  input: CallInput;
}

/**
 * `done` and `refused` agree with themselves. A `contradiction` may be a refusal with a record that was
 * approved, a success without its record, or an answer to something else. What is `broken` begins as
 * JSON and ends too early; `nothing` is a page, an empty body, or anything else that is no envelope. `other` is
 * that, and more, as the answer to a request that is no endpoint's.
 */
export type AnswerKind = 'done' | 'refused' | 'contradiction' | 'broken' | 'nothing' | 'other';

export interface Evidence {
  said: AnswerKind;
  envelope: Envelope | undefined;
  /** What does not agree, as the rest of "it answered, but …". */
  doubt?: string | undefined;
  /** Id of the record that a doubt is about. */
  id?: string | undefined;
}

/** How deep a body that should have no record is searched for one. */
const MAX_DEPTH = 3;
const MAX_LENGTH = 60;

/** @param repeats whether a field of the body is there twice, of which only the last is read */
export function evidenceOf(
  asked: JudgedRequest,
  { status, body }: Pick<WireReply, 'status' | 'body'>,
  repeats = false,
): Evidence {
  const json = parse(body);
  if (json === undefined)
    return { said: /^\s*[[{]/.test(body) ? 'broken' : 'nothing', envelope: undefined };
  const envelope = readEnvelope(json);
  const doubt = repeats
    ? 'it contains the same field twice'
    : contradictionOf({ ...asked, status }, json, envelope);
  const [record = {}] = recordsOf(envelope?.response);
  if (doubt !== undefined) return { said: 'contradiction', envelope, doubt, id: ownId(record) };
  if (!envelope) return { said: 'nothing', envelope };
  const { kind, authorizes } = asked.operation;
  const isRejected = authorizes && outcomeOf(kind, record) === 'rejected';
  return { said: envelope.successful && !isRejected ? 'done' : 'refused', envelope };
}

/** A request, and the status that it was answered with. */
interface Answered extends JudgedRequest {
  status: number;
}

function contradictionOf(
  asked: Answered,
  json: Json,
  envelope: Envelope | undefined,
): string | undefined {
  return envelope?.successful
    ? contradictionOfSuccess(asked, envelope)
    : contradictionOfFailure(asked, envelope ? envelope.response : json, envelope !== undefined);
}

/** Nothing behind this door meets a card number or a CVV in an answer; its bytes are redacted where they are shown. */
function parse(body: string): Json | undefined {
  try {
    return redactJson(JSON.parse(body) as Json);
  } catch {
    return undefined;
  }
}

function contradictionOfSuccess(
  asked: JudgedRequest,
  { response, errors }: Envelope,
): string | undefined {
  const { operation, input } = asked;
  // A request that is no endpoint's may be answered with anything.
  if (operation.isForeign) return undefined;
  const records = recordsOf(response);
  const shape = operation.list ? contradictionOfList(response) : contradictionOfOne(response);
  if (shape !== undefined) return shape;
  // What a card was declined for may be told there too.
  const isDeclined = records.length > 0 && records.every(saysNo);
  if (errors.length > 0 && !isDeclined)
    return `it reports success together with ${JSON.stringify(cut(errors.join('; '), MAX_LENGTH))}`;
  const [record] = records;
  if (operation.list || !record) return undefined;
  const differences = differencesOf(operation, input, record);
  if (differences.length > 0) return sayDifferences(differences);
  if (!fitsDecimal(record.amount, record.decimal_amount))
    return `its amount is ${show(record.amount)} but its decimal_amount is ${show(record.decimal_amount)}`;
  return undefined;
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
  if (items.length > 1) return `it contains ${items.length} records instead of one`;
  return isRecord(items[0]) ? undefined : 'it contains no record';
}

function isRecord(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/**
 * A refusal may carry what was submitted, null where nothing was assigned (section 7), the record that it
 * was to change, or one of its own that says itself that it came to nothing: deployments number those too.
 * What speaks against it was approved, was made and may be used, or is of another request.
 * @param response of an envelope, or all of a body that is none
 */
function contradictionOfFailure(
  asked: Answered,
  response: Json,
  isEnvelope: boolean,
): string | undefined {
  const approved = objectsIn(response).find(saysMoved);
  if (approved) return `it contains an approved record${named(approved)}`;
  const records = isEnvelope ? recordsOf(response) : objectsIn(response);
  const own = records.filter((record) => isOwn(asked, record, isEnvelope));
  const made = isEnvelope
    ? records.find((record) => isMade(asked, record))
    : own.find((record) => !saysNo(record));
  if (made) return `it contains a new record${named(made)}`;
  const differences = own
    .flatMap((record) => differencesOf(asked.operation, asked.input, record))
    .filter(({ field }) => field === 'reference' || field === 'amount');
  return differences.length > 0 ? sayDifferences(differences) : undefined;
}

function named(record: JsonObject): string {
  const id = ownId(record);
  return id === undefined ? '' : `: ${cut(id, MAX_LENGTH)}`;
}

/** @returns the objects of a value, itself included, that are not too deep inside */
function objectsIn(value: Json, depth = 0): JsonObject[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const inner = Object.values(value).flatMap((item) => objectsIn(item, depth + 1));
  return isObject(value) ? [value, ...inner] : inner;
}

function saysNo(record: JsonObject): boolean {
  return !saysMoved(record) && [record.successful, record.authorized].includes(false);
}

/**
 * What shows that a record which was refused is there all the same, and may be used: fields that only
 * one that was made has. An id alone shows nothing.
 */
const MADE: Readonly<Partial<Record<RecordKind, Sign>>> = {
  // The details of a card that is refused with 4xx come back with a token that is good for nothing.
  card: (record, status) =>
    isAssigned(record.token) && !saysNo(record) && !(status >= 400 && status < 500),
  customer: (record) => isAssigned(record.created_at),
  // It would charge a card.
  subscription: (record) =>
    isAssigned(record.next_billing_date) ||
    (isTrue(record.is_active) && ownId(record) !== undefined),
};
type Sign = (record: JsonObject, status: number) => boolean;

/** Only a POST makes a record: a refused change shows the one that was to be changed. */
function isMade({ operation, status }: Answered, record: JsonObject): boolean {
  const { method, kind, isForeign } = operation;
  // Of a request that is no row nobody knows what it makes.
  const isIt = isForeign ? MADE.customer : MADE[kind];
  return method === 'POST' && isIt?.(record, status) === true;
}

/**
 * @returns whether a record is one that the request was to make: one of another kind is what it was about,
 *   and one that was sent is what it named. Outside of an envelope an id may be anything's
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
