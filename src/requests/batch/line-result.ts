/** What an earlier attempt, a reply or a failure makes of a line of a batch. */
import { instantText } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { moneyText } from '../../contract/money.ts';
import { operationNamed } from '../../contract/operations.ts';
import { isRecurring } from '../../contract/record-id.ts';
import type { Failure } from '../../failure.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { submitFailure } from '../submit/submit.ts';
import type { Attempt, LineResult } from './engine/batch.ts';

/**
 * @param run the batch that the line is of, and what was unknown when it began, if it sends that again
 * @returns the result of a line that is not sent, since it has been, or is being sent by another process
 */
export function resultOfEntry(
  entry: LedgerEntry,
  run: { id: string; unknownBefore: ReadonlySet<string> | undefined },
): LineResult {
  const { id, state, message, createdAt, reference, batch } = entry;
  const earlier = { isEarlier: true, entry: id };
  if (state === 'done') {
    const isByOthers = reference === null && batch !== run.id;
    return { ...earlier, outcome: 'done', record: recordOf(entry), isByOthers };
  }
  const at = instantText(createdAt);
  if (state === 'sending') {
    const error = {
      message: `Another gw has been sending it since ${at}.`,
      next: 'Run the same command again when that gw has finished.',
    };
    return { ...earlier, outcome: 'elsewhere', error };
  }
  const said = message === null ? '' : ` (${message.replace(/\.$/, '')})`;
  const left = run.unknownBefore
    ? ' Its outcome became unknown after this run began, so this run does not send it again.'
    : '';
  const error = {
    message: `It was sent on ${at} and may have happened${said}.${left}`,
    next: findOut(id),
  };
  return { ...earlier, outcome: 'unknown', error };
}

/** @returns what is known of the record that a line made, with what others name it by */
function recordOf({ operation, recordId, message, reference }: LedgerEntry): JsonObject {
  const kind = operationNamed(operation)?.kind;
  if (kind === 'card') return { token: recordId, message };
  const isNamed = kind !== undefined && isRecurring(kind);
  return { id: recordId, ...(isNamed && { reference }), message };
}

/**
 * @param earlier attempt at the same with another amount
 * @param currency of the account, where it is known
 * @returns the result of a line that is not sent because of it
 */
export function resultOfConflict(
  earlier: LedgerEntry,
  { amount }: JsonObject,
  currency: string | undefined,
): LineResult {
  const { id, state, recordId, reference } = earlier;
  const now = moneyText(Number(amount), currency);
  const then = moneyText(Number(earlier.amount), earlier.currency ?? currency);
  const record = state === 'done' && recordId !== null ? { record: { id: recordId } } : {};
  const message = `It asks for ${now}, but a request for ${then} with the same reference, ${shellWord(String(reference))}, ${WHAT_BECAME[state] ?? state} ${instantText(earlier.createdAt)}.`;
  const next =
    state === 'done'
      ? 'Not sent. To send both, give this line a reference of its own.'
      : `Not sent. ${state === 'unknown' ? findOut(id) : 'Run the same command again when that request has an answer.'}`;
  return { outcome: 'conflict', isEarlier: true, entry: id, ...record, error: { message, next } };
}

const WHAT_BECAME: Partial<Record<LedgerEntry['state'], string>> = {
  done: 'succeeded on',
  sending: 'has been under way since',
  unknown: 'may have succeeded on',
};

function findOut(entry: string): string {
  return `Run \`gw journal resolve ${entry}\` to find out what happened.`;
}

export function resultOfReply(reply: Reply): Attempt {
  const failure = submitFailure(reply);
  const result = { isEarlier: false, record: reply.records[0], entry: reply.entry };
  if (!failure) return { ...result, outcome: 'done' };
  const outcome = failure.kind === 'declined' ? 'declined' : 'unknown';
  const failedFor = outcome === 'unknown' ? failure.code : undefined;
  return { ...result, outcome, error: errorOf(failure), failedFor };
}

export function resultOfFailure(failure: Failure): Attempt {
  const entry = failure.entry ?? failure.id;
  const verdict = verdictOn(failure);
  const failedFor = verdict.outcome === 'refused' ? undefined : likenessOf(failure);
  return { ...verdict, isEarlier: false, entry, error: errorOf(failure), failedFor };
}

/**
 * What a line failed for, without what is of the line itself: a word with a digit in it is an id, a
 * token or a number. A card that is declined fails for a reason of its own (`resultOfReply`).
 */
function likenessOf({ code, status, errors }: Failure): string {
  return JSON.stringify([
    code,
    status,
    ...errors.map((text) => text.replace(/\S+/g, (word) => (/\d/.test(word) ? '#' : word))),
  ]);
}

type LineVerdict = Pick<Attempt, 'outcome' | 'mayRepeat' | 'endsAll'>;

/** What the ledger says of a line alone; whatever else a guard says holds for all of them. */
const REFUSES_LINE = new Set(['duplicate-request', 'refund-too-large']);

function verdictOn({ kind, code, message }: Failure): LineVerdict {
  if (code === 'too-many-requests') {
    const endsAll = 'the gateway is not taking any more requests at the moment';
    return { outcome: 'rejected', mayRepeat: true, endsAll };
  }
  if (code === 'lease-over')
    return { outcome: 'not-sent', mayRepeat: true, endsAll: 'gw was delayed for too long' };
  if (code === 'credentials-refused')
    return { outcome: 'rejected', endsAll: 'the credentials are not accepted' };
  switch (kind) {
    case 'notReached':
      return { outcome: 'not-sent', mayRepeat: true, endsAll: 'the gateway cannot be reached' };
    case 'rejected':
    case 'auth':
    case 'notFound':
      return { outcome: 'rejected' };
    case 'usage':
      return { outcome: 'refused' };
    case 'guard':
      if (REFUSES_LINE.has(code)) return { outcome: 'refused' };
      return { outcome: 'not-sent', endsAll: message.replace(/\.$/, '') };
    default:
      return { outcome: 'unknown' };
  }
}

function errorOf({ kind, message, next, status, errors }: Failure): JsonObject {
  return { kind, message, next, status: status ?? null, errors: [...errors] };
}
