/** Turns an earlier attempt, a reply or a failure into the result of a line. */

import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shell.ts';
import { agoText, textOrNull } from '../../base/text.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { busyOf } from '../../client/exchange/retry.ts';
import { whyNever } from '../../contract/declines.ts';
import { moneyText } from '../../contract/money.ts';
import { responseCodeOf } from '../../contract/normal.ts';
import { findOperation } from '../../contract/operations.ts';
import { isRecurring } from '../../contract/record.ts';
import type { Failure } from '../../failure.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { submitFailure } from '../submit/submit.ts';
import type { Line, LineResult, StopReason } from './engine/batch.ts';

/**
 * @param run the line's batch; if it retries unknown outcomes, also the ids that were unknown when it began
 * @returns the result of a line that is not sent, because it was sent or another process is sending it
 */
export function resultOfEntry(
  line: Line,
  entry: LedgerEntry,
  run: { id: string; unknownBefore: ReadonlySet<string> | undefined; now: Date },
): LineResult<never> {
  const { id, state, message, createdAt, reference, batch, responseCode } = entry;
  const earlier = { line, isEarlier: true, entry: id };
  if (state === 'done') {
    const isByOthers = reference === null && batch !== run.id;
    return { ...earlier, outcome: 'done', record: recordOf(entry), isByOthers };
  }
  const ago = agoText(createdAt, run.now);
  if (state === 'declined') {
    const error = {
      message: `It was declined ${ago}: ${whyNever(responseCode)} (response code ${responseCode}).`,
      next: 'Not sent again. Ask for another card. To send it all the same, add --retry-declined.',
    };
    return { ...earlier, outcome: 'declined', isFinal: true, error };
  }
  if (state === 'sending') {
    const error = {
      message: `Another gw is sending it. It started ${ago}.`,
      next: 'Run the same command again when that gw has finished.',
    };
    return { ...earlier, outcome: 'elsewhere', error };
  }
  const said = message === null ? '' : ` (${message.replace(/\.$/, '')})`;
  const left = run.unknownBefore
    ? ' Its outcome became unknown after this run began, so this run does not send it again.'
    : '';
  const error = {
    message: `It was sent ${ago} and may have happened${said}.${left}`,
    next: findOut(id),
  };
  return { ...earlier, outcome: 'unknown', error };
}

/** @returns the known fields of the record that a line made, including its names */
function recordOf({ operation, recordId, message, reference }: LedgerEntry): JsonObject {
  const kind = findOperation(operation)?.kind;
  if (kind === 'card') return { token: recordId, message };
  const isNamed = kind !== undefined && isRecurring(kind);
  return { id: recordId, ...(isNamed && { reference }), message };
}

/**
 * @param earlier attempt at the same request with another amount, or under a reference that a spreadsheet changed
 * @returns the result of the line, which is not sent because of it
 */
export function resultOfConflict(line: Line, earlier: LedgerEntry, now: Date): LineResult<never> {
  const { body, currency, kept } = line;
  const { id, state, recordId, reference } = earlier;
  const isOwn = kept?.reference === reference;
  const money = moneyText(Number(body.amount), currency);
  const then = moneyText(Number(earlier.amount), earlier.currency ?? currency);
  const record = state === 'done' && recordId !== null ? { record: { id: recordId } } : {};
  const became = `${WHAT_BECAME[state] ?? state} ${agoText(earlier.createdAt, now)}.`;
  const [before, asked] = [reference, kept?.reference].map(String) as [string, string];
  const message = isOwn
    ? `It asks for ${money}, but a request for ${then} with the same reference, ${shellWord(before)}, ${became}`
    : `It has the reference ${shellWord(asked)}, and the same request with the reference ${shellWord(before)} ${became} A spreadsheet that saves a file may make one of the other.`;
  const own = 'To send both, give this line a reference of its own.';
  const next =
    state === 'done'
      ? `Not sent. ${isOwn ? own : 'If no spreadsheet changed the references of this file, add --as-written.'}`
      : `Not sent. ${state === 'unknown' ? findOut(id) : 'Run the same command again when that request has an answer.'}`;
  const error = { message, next };
  return { line, outcome: 'conflict', isEarlier: true, entry: id, ...record, error };
}

const WHAT_BECAME: Partial<Record<LedgerEntry['state'], string>> = {
  done: 'succeeded',
  sending: 'began',
  unknown: 'may have succeeded',
};

function findOut(entry: string): string {
  return `Run \`gw journal resolve ${entry}\` to find out what happened.`;
}

export function resultOfReply(line: Line, reply: Reply): LineResult<never> {
  const failure = submitFailure(reply);
  const { records, entry } = reply;
  const [record] = records;
  if (!failure) {
    const currency = textOrNull(record?.currency);
    return { line, outcome: 'done', isEarlier: false, record, currency, entry };
  }
  const outcome = failure.kind === 'declined' ? 'declined' : 'unknown';
  const failedFor = outcome === 'unknown' ? failure.code : undefined;
  const isFinal = outcome === 'declined' && !!whyNever(responseCodeOf(record?.response_code));
  const error = errorOf(failure);
  return { line, outcome, isEarlier: false, isFinal, record, entry, error, failedFor };
}

export function resultOfFailure(line: Line, failure: Failure): LineResult<never> {
  const verdict = verdictOn(failure);
  return {
    line,
    ...verdict,
    isEarlier: false,
    entry: failure.entry ?? failure.id,
    error: errorOf(failure),
    failedFor: verdict.outcome === 'refused' ? undefined : likenessOf(failure),
    busy: busyOf(failure),
  };
}

/**
 * Failures after which the next run would not find what this one sent. The ledger was moved, has a second name, or went
 * back to an older state.
 */
export const LEDGER_LOST: ReadonlySet<string> = new Set([
  'file-moved',
  'file-linked',
  'ledger-restored',
  'ledger-lost-entry',
  'entry-lost',
]);

/** @returns why a run ends when the ledger can no longer be asked */
export function stopOfLedger({ code, message, next }: Failure): StopReason {
  const why = message.replace(/\.$/, '');
  return LEDGER_LOST.has(code) ? { why, next, code, kind: 'guard' } : { why, next };
}

/**
 * The reason why a line failed, without its own data: a word with a digit is an id, a token or a number. A declined
 * card has its own reason (`resultOfReply`).
 */
function likenessOf({ code, status, errors }: Failure): string {
  return JSON.stringify([
    code,
    status,
    ...errors.map((text) => text.replace(/\S+/g, (word) => (/\d/.test(word) ? '#' : word))),
  ]);
}

/** Later answers on the same connection may belong to other lines, too. */
const MIXED_UP: StopReason = {
  why: 'the gateway answered a line with the record of another request',
  code: 'answers-mixed-up',
  next: 'Ask whoever runs the gateway how that can be before you go on.',
};

type LineVerdict = Pick<LineResult, 'outcome' | 'mayRepeat' | 'endsAll'>;

/** Refusals by the ledger that hold for one line; every other refusal by a guard holds for all lines. */
const REFUSES_LINE = new Set([
  'duplicate-request',
  'refund-too-large',
  'purchase-only-authorised',
  'second-subscription',
]);

function verdictOn(failure: Failure): LineVerdict {
  const { kind, code, message } = failure;
  if (code === 'too-many-requests') {
    const why = 'the gateway takes no more requests at the moment';
    return { outcome: 'rejected', mayRepeat: { why } };
  }
  if (code === 'lease-over')
    return { outcome: 'not-sent', mayRepeat: { why: 'gw was delayed for too long' } };
  if (code === 'credentials-refused')
    return { outcome: 'rejected', endsAll: { why: 'the credentials are not accepted' } };
  if (code === 'answers-mixed-up') return { outcome: 'unknown', endsAll: MIXED_UP };
  switch (kind) {
    case 'notReached':
      return { outcome: 'not-sent', mayRepeat: { why: 'the gateway cannot be reached' } };
    case 'rejected':
    case 'auth':
    case 'notFound':
      return { outcome: 'rejected' };
    case 'usage':
      return { outcome: 'refused' };
    case 'guard':
      if (REFUSES_LINE.has(code)) return { outcome: 'refused' };
      if (LEDGER_LOST.has(code)) return { outcome: 'not-sent', endsAll: stopOfLedger(failure) };
      return { outcome: 'not-sent', endsAll: { why: message.replace(/\.$/, '') } };
    default:
      return { outcome: 'unknown' };
  }
}

function errorOf({ kind, message, next, status, errors }: Failure): JsonObject {
  return { kind, message, next, status: status ?? null, errors: [...errors] };
}
