/**
 * Decides what an answer, or its absence, says about what happened. Only this file decides between done, declined,
 * rejected, not reached and unknown, for every sender. Two tables decide; the functions below put the result into
 * words.
 */

import type { JsonObject } from '../../base/json.ts';
import { httpDate, plural } from '../../base/text.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { DIALECT_HEADER } from '../../contract/local-account.ts';
import { normalRecord, type Outcome, outcomeOf, recordsOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { idsText, oddFields } from '../../contract/record.ts';
import { Failure, invariant } from '../../failure.ts';
import type { FailureCode } from '../../failure-codes.ts';
import { trustAdvice } from '../../host/http/transport-reason.ts';
import { excerpt } from '../../host/redaction/excerpt.ts';
import { redactText } from '../../host/redaction/redact.ts';
import type { Scrub } from '../../host/redaction/redactor.ts';
import { commandWord, cut, neutralise } from '../../host/redaction/safe.ts';
import { HeldBack, TransportError, type WireReply } from '../senders/sender.ts';
import { type AnswerKind, type Evidence, evidenceOf, type JudgedRequest } from './evidence.ts';

type Effect = Operation['effect'];

type Effects = readonly Effect[];
const ANY: Effects = ['read', 'write', 'destroy', 'money'];
const NOT_MONEY: Effects = ['read', 'write', 'destroy'];
const READ: Effects = ['read'];

const DONE: readonly AnswerKind[] = ['done'];
const REFUSED: readonly AnswerKind[] = ['refused'];
/** The body contains no sign that anything was done. */
const NOT_DONE: readonly AnswerKind[] = ['refused', 'nothing', 'other'];
const OTHER: readonly AnswerKind[] = ['other'];
const ANYTHING: readonly AnswerKind[] = [
  'done',
  'refused',
  'contradiction',
  'broken',
  'nothing',
  'other',
];
const ALL = Number.POSITIVE_INFINITY;

/**
 * By status (from, to), the body's kind (evidence.ts) and the effect of the request. The first matching row decides.
 */
const ANSWERS: readonly [number, number, readonly AnswerKind[], Effects, Verdict | 'processed'][] =
  [
    // A declined card was processed too; `outcome` tells.
    [200, 299, DONE, ANY, 'processed'],
    [200, 299, OTHER, READ, 'processed'],
    [401, 401, NOT_DONE, ANY, 'credentials-refused'],
    [403, 403, NOT_DONE, ANY, 'not-permitted'],
    [404, 404, NOT_DONE, ANY, 'not-found'],
    [429, 429, NOT_DONE, ANY, 'too-many-requests'],
    [200, 299, REFUSED, ANY, 'rejected-by-gateway'],
    [400, 499, REFUSED, ANY, 'rejected-by-gateway'],
    [400, 499, OTHER, READ, 'rejected-by-gateway'],
    // A plan update that the gateway refuses (section 7).
    [501, 501, REFUSED, ANY, 'rejected-by-gateway'],
    // Anything between here and the gateway may answer other 5xx, after the gateway has done its work.
    [500, 500, REFUSED, NOT_MONEY, 'rejected-by-gateway'],
    [500, ALL, REFUSED, READ, 'rejected-by-gateway'],
    [0, ALL, ['contradiction'], READ, 'contradictory-answer'],
    [0, ALL, ANYTHING, READ, 'no-trustworthy-answer'],
    [0, ALL, ANYTHING, ANY, 'outcome-unknown'],
  ];

/** Without a complete answer: by whether a byte may have left, whether the user ended it, and the effect. */
const LOSSES: readonly [boolean, boolean | null, Effects, Verdict][] = [
  [false, true, ANY, 'interrupted'],
  [true, true, READ, 'interrupted'],
  [false, false, ANY, 'not-reached'],
  [true, null, READ, 'no-trustworthy-answer'],
  [true, null, ANY, 'outcome-unknown'],
];

/** A request and its answer. */
export interface Reply extends JudgedRequest {
  status: number;
  envelope: Envelope;
  /** In normal form. */
  records: JsonObject[];
  /** For requests that authorize a card: its outcome. */
  outcome: Outcome | undefined;
  /** When it was answered, by the gateway's clock: milliseconds since 1970. */
  answeredAt?: number | undefined;
  /** Whether the built-in test gateway answered, which reuses its ids when it starts over. */
  isEmbedded: boolean;
  /** The body as it arrived. */
  raw: string;
  /** For money requests: id of the journal entry. */
  entry?: string | undefined;
  /** For money requests: why the outcome could not be written. The journal still shows the entry as unresolved. */
  unrecorded?: Failure | undefined;
}

/**
 * @param told removes the secrets of this run from text for a message, and says in a sentence how to give other
 *   credentials
 * @throws Failure unless the gateway processed the request and nothing in the answer contradicts that
 */
export function classifyReply(
  asked: JudgedRequest,
  baseUrl: URL,
  reply: WireReply,
  told: { scrub?: Scrub; renewal?: string | undefined } = {},
): Reply {
  const { operation } = asked;
  const { otherwise } = operation;
  const evidence = evidenceOf(asked, reply);
  const kind = kindOfAnswer(operation, evidence, reply);
  const verdict = verdictOfAnswer(operation.effect, reply.status, kind);
  if (otherwise && NO_ANSWER.includes(verdict))
    return classifyReply({ ...asked, operation: otherwise }, baseUrl, reply, told);
  if (verdict !== 'processed') {
    const { scrub = (text: string) => text, renewal } = told;
    const answer = withoutSecrets(asked, { reply, evidence }, scrub);
    throw failureOf(verdict, { ...asked, baseUrl, ...answer, renewal });
  }
  const envelope = evidence.envelope ?? (kind === 'other' ? NO_ENVELOPE : undefined);
  invariant(envelope, 'an answer without an envelope that was processed');
  const records = recordsOf(envelope.response).map((record) =>
    normalRecord(operation.kind, record),
  );
  return {
    operation,
    input: asked.input,
    status: reply.status,
    envelope,
    records,
    outcome: operation.authorizes ? outcomeOf(operation.kind, records[0] ?? {}) : undefined,
    answeredAt: httpDate(reply.headers.date ?? ''),
    isEmbedded: reply.headers[DIALECT_HEADER] !== undefined,
    raw: reply.body,
  };
}

/** @returns names of the fields of an answer whose values the interface does not allow */
export function oddFieldsOf({ operation, envelope }: Reply): string[] {
  const records = recordsOf(envelope.response);
  return [...new Set(records.flatMap((record) => oddFields(operation.response, record)))];
}

const NO_ANSWER: readonly (Verdict | 'processed')[] = [
  'contradictory-answer',
  'no-trustworthy-answer',
];
const NO_ENVELOPE: Envelope = {
  successful: true,
  response: null,
  errors: [],
  test: undefined,
  counts: {},
};

/** A custom look-up (`gw api`) accepts any complete answer: a list, a table, a page, or nothing. */
function kindOfAnswer(
  { isForeign, effect }: Operation,
  { kind, envelope }: Evidence,
  { headers }: WireReply,
): AnswerKind {
  const isCut = kind === 'broken' && /\bapplication\/json\b/i.test(headers['content-type'] ?? '');
  return isForeign && effect === 'read' && !envelope && !isCut ? 'other' : kind;
}

interface JudgedAnswer {
  reply: WireReply;
  evidence: Evidence;
}

/** Removes secrets that a gateway echoes, before any text is cut for display. Half of a secret is not recognised. */
function withoutSecrets(
  asked: JudgedRequest,
  { reply, evidence }: JudgedAnswer,
  scrub: Scrub,
): JudgedAnswer {
  const { body, headers } = reply;
  const location = scrub(headers.location ?? '');
  const clean = {
    ...reply,
    body: scrub(body),
    headers: location ? { ...headers, location } : headers,
  };
  if (clean.body === body) return { reply: clean, evidence };
  const again = evidenceOf(asked, clean);
  const doubt = evidence.doubt && (again.doubt ?? 'it contradicts itself');
  return { reply: clean, evidence: { ...again, doubt } };
}

/** @param kind of the body */
export function verdictOfAnswer(
  effect: Effect,
  status: number,
  kind: AnswerKind,
): Verdict | 'processed' {
  const rule = ANSWERS.find(
    ([from, to, kinds, effects]) =>
      status >= from && status <= to && kinds.includes(kind) && effects.includes(effect),
  );
  invariant(rule, `no verdict on an answer with ${status}`);
  return rule[4];
}

/**
 * Classifies a request that got no complete answer.
 * @param isInterrupted whether the user ended it
 */
export function classifyLoss(
  asked: JudgedRequest,
  baseUrl: URL,
  loss: TransportError,
  isInterrupted: boolean,
): Failure {
  const verdict =
    loss instanceof HeldBack
      ? 'lease-over'
      : verdictOfLoss(asked.operation.effect, loss.sent, isInterrupted);
  return failureOf(verdict, { ...asked, baseUrl, cause: loss });
}

/**
 * @param isSent whether a byte may have left
 * @param isInterrupted whether the user ended it
 */
export function verdictOfLoss(effect: Effect, isSent: boolean, isInterrupted: boolean): Verdict {
  const rule = LOSSES.find(
    ([sent, interrupted, effects]) =>
      sent === isSent &&
      (interrupted ?? isInterrupted) === isInterrupted &&
      effects.includes(effect),
  );
  invariant(rule, 'no verdict on a loss');
  return rule[3];
}

export function failureOf(verdict: Verdict, exchanged: Exchanged): Failure {
  const { operation, reply, evidence, cause } = exchanged;
  const { message, next } = sentencesOf(verdict, exchanged);
  return new Failure(verdict, message, next, {
    operation: operation.name,
    status: reply?.status,
    retryAfter: reply?.headers['retry-after'],
    errors: evidence?.envelope?.errors,
    test: evidence?.envelope?.test,
    id: evidence?.ids?.length ? idsText(evidence.ids) : undefined,
    body: reply?.body,
    cause,
  });
}

/** Verdicts on a request that was not processed, or may not have been. Each is also the code of the failure. */
export type Verdict = Extract<
  FailureCode,
  | 'credentials-refused'
  | 'not-permitted'
  | 'not-found'
  | 'too-many-requests'
  | 'rejected-by-gateway'
  | 'not-reached'
  | 'lease-over'
  | 'no-trustworthy-answer'
  | 'contradictory-answer'
  | 'outcome-unknown'
  | 'interrupted'
>;

/** Limits on how much of a gateway's text goes into a message. */
const MAX_ERRORS = 20;
const MAX_SAID = 2_000;
const MAX_LOCATION = 200;

/** A request and its result. */
export interface Exchanged extends JudgedRequest {
  baseUrl: URL;
  reply?: WireReply;
  /** Evidence from the reply. */
  evidence?: Evidence;
  /** Why there is no reply. */
  cause?: unknown;
  /** A sentence: how to give other credentials. */
  renewal?: string | undefined;
}

interface Sentences {
  message: string;
  next: string;
}

function sentencesOf(verdict: Verdict, exchanged: Exchanged): Sentences {
  return SENTENCES[verdict](exchanged);
}

const SENTENCES: Readonly<Record<Verdict, (exchanged: Exchanged) => Sentences>> = {
  'credentials-refused': ({ baseUrl, evidence, renewal = '`gw login` stores new ones.' }) => ({
    message: `${baseUrl.host} did not accept your credentials${quoted(evidence?.envelope)}.`,
    next: `\`gw whoami\` shows which credentials gw used, and where they come from. ${renewal}`,
  }),
  'not-permitted': ({ baseUrl, evidence }) => ({
    message: quotedErrors(evidence?.envelope) ?? `${baseUrl.host} does not allow this.`,
    next: 'The record may belong to another account. `gw whoami` shows which account you use.',
  }),
  'not-found': ({ baseUrl, evidence, operation, input: { id } }) => ({
    message:
      evidence?.envelope && id !== undefined && !operation.isForeign
        ? `The gateway has no ${operation.kind} ${cut(neutralise(id), MAX_LOCATION)}${quoted(evidence.envelope)}.`
        : (quotedErrors(evidence?.envelope) ?? `${baseUrl.host} found nothing at this address.`),
    next: evidence?.envelope
      ? 'Check the id. Check the profile with `gw whoami`: sandbox and live have separate records.'
      : "Check the profile's base address with `gw whoami`.",
  }),
  'too-many-requests': ({ baseUrl, reply }) => ({
    message: `${baseUrl.host} takes no more requests at the moment.`,
    next: `Nothing was processed. Run the command again ${whenToRepeat(reply)}.`,
  }),
  'rejected-by-gateway': (exchanged) => ({
    message: `The gateway rejected the request${quoted(exchanged.evidence?.envelope)}.`,
    next: `Nothing was processed. ${nextOfRejected(exchanged)}`,
  }),
  'not-reached': ({ baseUrl, cause }) => ({
    message: `Could not reach ${baseUrl.host}: ${reasonOf(cause)}.`,
    next:
      trustAdvice(reasonOf(cause)) ??
      'Check the network and the base address (`gw whoami`), then run the command again.',
  }),
  'lease-over': () => ({
    message: 'gw was delayed too long before it could send the request.',
    next: 'Others who share the ledger may see this request as unknown. Run the command again.',
  }),
  'no-trustworthy-answer': (exchanged) => ({
    message: `${whatCameBack(exchanged)}.`,
    next: 'Nothing was changed. Try again. If it keeps happening, check the base address with `gw whoami`.',
  }),
  'contradictory-answer': (exchanged) => ({
    message: `${whatCameBack(exchanged)}.`,
    next: 'gw ignored this answer, because it does not fit the request. Try again. If it keeps happening, show the answer (--debug) to whoever runs the gateway.',
  }),
  'outcome-unknown': (exchanged) => ({
    message: `Outcome unknown: ${whatCameBack(exchanged)}${exchanged.evidence?.doubt === undefined ? ', after the request was sent' : ''}.`,
    next: nextOfUnknown(exchanged),
  }),
  interrupted: () => ({
    message: 'Interrupted.',
    next: 'Nothing was changed. Run the command again.',
  }),
};

/** Rejections that no correction of the same request mends, and what to do instead. */
const INSTEAD: readonly (readonly [said: RegExp, next: string])[] = [
  [
    / cannot be changed once the plan is in use$/i,
    'Create another plan with `gw plan create`, then move each subscription to it with `gw subscription move SUBSCRIPTION --plan PLAN`.',
  ],
  [
    /^card expired .*: update the customer's card first$/i,
    'Store the new card with `gw customer update CUSTOMER`, then run the command again.',
  ],
  [
    /^amount is more than the 0 that can still be refunded$/i,
    'All of the purchase was given back: `gw get PURCHASE` shows when.',
  ],
];

/** @returns what to do instead of what was rejected; undefined if a correction mends an error */
function insteadOf(errors: readonly string[]): string | undefined {
  const nexts = errors.map((error) => INSTEAD.find(([said]) => said.test(error))?.[1]);
  return nexts.every((next) => next !== undefined) ? [...new Set(nexts)].join(' ') : undefined;
}

function nextOfRejected({ operation, input, evidence, reply }: Exchanged): string {
  // Section 7 has 501 for invalid data. Any other 5xx is the fault of the gateway, not of the request.
  if (reply && reply.status >= 500 && reply.status !== 501)
    return `The gateway has a problem: run the command again ${whenToRepeat(reply)}.`;
  const { reference } = input.body ?? {};
  const errors = evidence?.envelope?.errors ?? [];
  const isTaken = errors.some((error) => /^reference .*\btaken$/i.test(error));
  // An earlier attempt of the same may have it: then nothing is left to do.
  if (isTaken && typeof reference === 'string' && lookUpOf(operation.kind))
    return `\`gw get ${commandWord(reference)}\` shows what has that reference. Give another one if this is something else.`;
  return insteadOf(errors) || 'Correct the request, then run the command again.';
}

/**
 * @param entry id of the request's journal entry, if there is one
 * @returns how to find out what happened to a request with an unknown outcome
 */
export function nextOfUnknown({ operation, input }: JudgedRequest, entry?: string): string {
  if (entry !== undefined)
    return `It may have gone through. Run \`gw journal resolve ${entry}\` to find out. Do not send it again until you know.`;
  const { kind, effect } = operation;
  const { id = input.body?.reference } = input;
  const read = lookUpOf(kind);
  const isFound = read && typeof id === 'string' && (effect !== 'money' || kind !== 'refund');
  if (isFound)
    return `It may have gone through. Run \`gw ${read.name} ${commandWord(id)}\` to find out, if the gateway can look that up. Do not send it again until you know.`;
  if (kind === 'card')
    return 'It may have gone through. Storing the card again is safe: it makes another token and moves no money.';
  return 'It may have gone through. Ask whoever runs the gateway before you send it again.';
}

function whatCameBack({ baseUrl: { host }, reply, evidence, cause }: Exchanged): string {
  if (!reply) return `${host} did not answer (${reasonOf(cause)})`;
  const { status, headers, body } = reply;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `${host} answered ${status}, a redirect to ${cut(redactText(headers.location, 'foreign'), MAX_LOCATION)}, which gw does not follow with credentials`;
  }
  const { envelope, doubt } = evidence ?? {};
  if (doubt !== undefined) return `${host} answered ${status}, but ${doubt}`;
  if (envelope?.successful) return `${host} answered ${status} but reported success`;
  if (envelope) return `${host} answered ${status}${quoted(envelope)}`;
  const text = excerpt(body);
  const what =
    text === '' ? 'an empty body' : `something that is not the gateway's envelope (${text})`;
  return `${host} answered ${status} with ${what}`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof TransportError ? cause.message : String(cause);
}

/** @returns the first errors of an envelope; the failure's `errors` has all of them */
function quotedErrors(envelope: Envelope | undefined): string | undefined {
  const errors = envelope?.errors ?? [];
  return errors.length > 0 ? cut(errors.slice(0, MAX_ERRORS).join('; '), MAX_SAID) : undefined;
}

function quoted(envelope: Envelope | undefined): string {
  const said = quotedErrors(envelope);
  return said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
}

function whenToRepeat(reply: WireReply | undefined): string {
  const after = reply?.headers['retry-after'] ?? '';
  if (/^\d+$/.test(after)) return `in ${after} ${plural(Number(after), 'second', 'seconds')}`;
  return httpDate(after) === undefined ? 'in a minute' : `after ${after}`;
}
