/**
 * What the body of an answer says of what happened, in one word: what its envelope says, and whether
 * its records agree with it, with themselves and with the request (sections 2.1, 3.1 and 7).
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { type Envelope, readEnvelope } from '../contract/envelope.ts';
import { recordsOf } from '../contract/normal.ts';
import type { Operation } from '../contract/operations.ts';
import { kindOfId } from '../contract/record-id.ts';
import { redactJson } from '../redaction/redact.ts';
import { cut } from '../redaction/safe.ts';
import { differencesOf, fitsDecimal, sayDifferences, textOf } from './compare.ts';
import type { CallInput } from './wire-request.ts';

/** A request, as an answer to it is judged. */
export interface Asked {
  operation: Operation;
  input: CallInput;
}

/**
 * `done` and `refused` agree with themselves. A `contradiction` may be a refusal with a record that was
 * approved, a success without its record, or an answer to something else. What is `broken` begins as
 * JSON and ends too early; `nothing` is a page, an empty body, or anything else that is no envelope. `other` is
 * that, and more, as the answer to a request that is no endpoint's.
 */
export type Said = 'done' | 'refused' | 'contradiction' | 'broken' | 'nothing' | 'other';

export interface Evidence {
  said: Said;
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
export function evidenceOf(asked: Asked, body: string, repeats = false): Evidence {
  const json = parse(body);
  if (json === undefined)
    return { said: /^\s*[[{]/.test(body) ? 'broken' : 'nothing', envelope: undefined };
  const envelope = readEnvelope(json);
  const doubt = repeats ? 'it contains the same field twice' : doubtOf(asked, json, envelope);
  const [record = {}] = recordsOf(envelope?.response);
  if (doubt !== undefined) return { said: 'contradiction', envelope, doubt, id: ownId(record) };
  if (!envelope) return { said: 'nothing', envelope };
  return { said: envelope.successful ? 'done' : 'refused', envelope };
}

function doubtOf(asked: Asked, json: Json, envelope: Envelope | undefined): string | undefined {
  return envelope?.successful
    ? doubtOfSuccess(asked, envelope)
    : doubtOfFailure(asked, envelope ? envelope.response : json, envelope !== undefined);
}

/** Nothing behind this door meets a card number or a CVV in an answer; its bytes are redacted where they are shown. */
function parse(body: string): Json | undefined {
  try {
    return redactJson(JSON.parse(body) as Json);
  } catch {
    return undefined;
  }
}

function doubtOfSuccess(asked: Asked, { response, errors }: Envelope): string | undefined {
  const { operation, input } = asked;
  // A request that is no endpoint's may be answered with anything.
  if (operation.isForeign) return undefined;
  const records = recordsOf(response);
  const shape = operation.list ? doubtOfList(response) : doubtOfOne(response);
  if (shape !== undefined) return shape;
  // What a card was declined for may be told there too.
  const isDeclined = records.length > 0 && records.every((record) => saysNo(record));
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

function doubtOfList(response: Json): string | undefined {
  const isEmpty = response === null || (isObject(response) && Object.keys(response).length === 0);
  const items = Array.isArray(response) ? response : [response];
  return isEmpty || items.every((item) => isRecord(item))
    ? undefined
    : 'its list contains something that is not a record';
}

function doubtOfOne(response: Json): string | undefined {
  const items = Array.isArray(response) ? response : [response];
  if (items.length > 1) return `it contains ${items.length} records instead of one`;
  return isRecord(items[0]) ? undefined : 'it contains no record';
}

function isRecord(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/**
 * A refusal may carry what was submitted, null where nothing was assigned (section 7), and the record
 * that it was to change; only what was approved or made speaks against it.
 * @param response of an envelope, or all of a body that is none
 */
function doubtOfFailure(asked: Asked, response: Json, isEnvelope: boolean): string | undefined {
  const approved = objectsIn(response).find((record) => saysYes(record));
  if (approved) return `it contains an approved record${named(approved)}`;
  const made = (isEnvelope ? recordsOf(response) : objectsIn(response)).find((record) =>
    isMade(asked, record, isEnvelope),
  );
  return made && `it contains a new record${named(made)}`;
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

/** Fields that only a request that was processed gets: sections 2.3 to 2.6. */
const AUTHORIZATIONS = ['authorization', 'authorization_id'];
const FLAGS = ['successful', 'authorized'];

/** @returns whether anything of a record says that the card was charged, money was given back, or a card stored */
function saysYes(record: JsonObject): boolean {
  const { message, refunded } = record;
  return (
    FLAGS.some((name) => ['true', '1'].includes(textOf(record[name]).toLowerCase())) ||
    [message, refunded].some((word) => typeof word === 'string' && /^approved\b/i.test(word)) ||
    AUTHORIZATIONS.some((name) => isAssigned(record[name]))
  );
}

function saysNo(record: JsonObject): boolean {
  return !saysYes(record) && FLAGS.some((name) => record[name] === false);
}

/**
 * Only a POST makes a record: a refused change shows the one that was to be changed. An id that was
 * sent, or that looks like one of another kind, is not of a record that was made.
 */
function isMade({ operation, input }: Asked, record: JsonObject, isEnvelope: boolean): boolean {
  if (operation.method !== 'POST') return false;
  const id = ownId(record);
  if (id === undefined) return isEnvelope && isAssigned(record.created_at);
  if (Object.values(input.body ?? {}).includes(id)) return false;
  const kind = kindOfId(id);
  if (operation.isForeign) return isEnvelope;
  // Outside of an envelope an id may be anything's, such as the request's.
  return isEnvelope ? kind === undefined || kind === operation.kind : kind === operation.kind;
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
