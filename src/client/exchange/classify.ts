/**
 * What an answer, or its absence, says about what happened. The one place that decides between
 * done, declined, rejected, not reached and unknown, for every sender. It decides by the two tables
 * below, and says it in words further down.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { DIALECT_HEADER } from '../../contract/local-account.ts';
import { normalRecord, type Outcome, outcomeOf, recordsOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { oddFields } from '../../contract/record.ts';
import { idsText } from '../../contract/record-id.ts';
import { Failure, type FailureKind, invariant } from '../../failure.ts';
import { excerpt } from '../../host/redaction/excerpt.ts';
import { redactText } from '../../host/redaction/redact.ts';
import { cut, typedWord } from '../../host/redaction/safe.ts';
import type { Scrub } from '../../host/redaction/scrub-json.ts';
import { HeldBack, TransportError, type WireReply } from '../senders/sender.ts';
import { type AnswerKind, type Evidence, evidenceOf, type JudgedRequest } from './evidence.ts';
import { httpDate } from './retry.ts';

type Effect = Operation['effect'];

type Effects = readonly Effect[];
const ANY: Effects = ['read', 'write', 'destroy', 'money'];
const NOT_MONEY: Effects = ['read', 'write', 'destroy'];
const READ: Effects = ['read'];

const DONE: readonly AnswerKind[] = ['done'];
const REFUSED: readonly AnswerKind[] = ['refused'];
/** Nothing in the body says that anything was done. */
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

/** By status (from, to), what the body says (evidence.ts) and effect of the request. The first row that fits holds. */
const ANSWERS: readonly [number, number, readonly AnswerKind[], Effects, Verdict | 'processed'][] =
  [
    // A declined card was processed too: see `outcome`.
    [200, 299, DONE, ANY, 'processed'],
    [200, 299, OTHER, READ, 'processed'],
    [401, 401, NOT_DONE, ANY, 'credentials-refused'],
    [403, 403, NOT_DONE, ANY, 'not-permitted'],
    [404, 404, NOT_DONE, ANY, 'not-found'],
    [429, 429, NOT_DONE, ANY, 'too-many-requests'],
    [200, 299, REFUSED, ANY, 'rejected-by-gateway'],
    [400, 499, REFUSED, ANY, 'rejected-by-gateway'],
    [400, 499, OTHER, READ, 'rejected-by-gateway'],
    // The interface says so of what it does not have.
    [501, 501, REFUSED, ANY, 'rejected-by-gateway'],
    // Others of 5xx may come from anything between here and the gateway, after it has done its work.
    [500, 500, REFUSED, NOT_MONEY, 'rejected-by-gateway'],
    [500, ALL, REFUSED, READ, 'rejected-by-gateway'],
    [0, ALL, ['contradiction'], READ, 'contradictory-answer'],
    [0, ALL, ANYTHING, READ, 'no-trustworthy-answer'],
    [0, ALL, ANYTHING, ANY, 'outcome-unknown'],
  ];

/** No complete answer: by whether a byte may have left, whether the user ended it, and effect. */
const LOSSES: readonly [boolean, boolean | null, Effects, Verdict][] = [
  [false, true, ANY, 'interrupted'],
  [true, true, READ, 'interrupted'],
  [false, false, ANY, 'not-reached'],
  [true, null, READ, 'no-trustworthy-answer'],
  [true, null, ANY, 'outcome-unknown'],
];

/** What was asked, and the answer to it. */
export interface Reply extends JudgedRequest {
  status: number;
  envelope: Envelope;
  /** In normal form. */
  records: JsonObject[];
  /** For requests that ask a card: what became of it. */
  outcome: Outcome | undefined;
  /** Fields that are not what the interface says. */
  oddFields: string[];
  /** Whether gw's own gateway for tests answered, which gives its ids again when it starts over. */
  isEmbedded: boolean;
  /** The body as it came. */
  raw: string;
  /** For money requests: what the journal calls it. */
  entry?: string | undefined;
  /** For money requests: why the journal still calls this one unresolved, when it could not be written. */
  unrecorded?: Failure | undefined;
}

interface Reading {
  /** Whether a field of the reply's body is there twice. */
  repeats?: boolean;
  /** Takes the secrets of this run out of what becomes part of a message. */
  scrub?: Scrub;
}

/**
 * @throws Failure unless the gateway processed the request, and all of the answer says so
 */
export function classifyReply(
  asked: JudgedRequest,
  baseUrl: URL,
  reply: WireReply,
  { repeats = false, scrub = (text) => text }: Reading = {},
): Reply {
  const { operation } = asked;
  const { otherwise } = operation;
  const evidence = evidenceOf(asked, reply, repeats);
  const said = saidBy(operation, evidence, reply);
  const verdict = verdictOfAnswer(operation.effect, reply.status, said);
  if (otherwise && NO_ANSWER.includes(verdict))
    return classifyReply({ ...asked, operation: otherwise }, baseUrl, reply, { repeats, scrub });
  if (verdict !== 'processed') {
    const said = withoutSecrets(asked, { reply, evidence }, { repeats, scrub });
    throw failureOf(verdict, { ...asked, baseUrl, ...said });
  }
  const envelope = evidence.envelope ?? (said === 'other' ? NO_ENVELOPE : undefined);
  invariant(envelope, 'an answer without an envelope that was processed');
  const originals = recordsOf(envelope.response);
  const records = originals.map((record) => normalRecord(operation.kind, record));
  return {
    ...asked,
    status: reply.status,
    envelope,
    records,
    outcome: operation.authorizes ? outcomeOf(operation.kind, records[0] ?? {}) : undefined,
    oddFields: [...new Set(originals.flatMap((record) => oddFields(operation.response, record)))],
    isEmbedded: reply.headers[DIALECT_HEADER] !== undefined,
    raw: reply.body,
  };
}

const NO_ANSWER: readonly (Verdict | 'processed')[] = [
  'contradictory-answer',
  'no-trustworthy-answer',
];
const NO_ENVELOPE: Envelope = {
  ...{ successful: true, response: null, errors: [], test: undefined, counts: {} },
};

/** A look-up that is no endpoint's may be answered with anything that is whole: a list, a table, a page, nothing. */
function saidBy(
  { isForeign, effect }: Operation,
  { said, envelope }: Evidence,
  { headers }: WireReply,
): AnswerKind {
  const isCut = said === 'broken' && /\bapplication\/json\b/i.test(headers['content-type'] ?? '');
  return isForeign && effect === 'read' && !envelope && !isCut ? 'other' : said;
}

interface Answered {
  reply: WireReply;
  evidence: Evidence;
}

/**
 * Secrets that a gateway says back are taken out before anything is cut to be shown: of one that was cut in two
 * nobody knows the halves.
 */
function withoutSecrets(
  asked: JudgedRequest,
  { reply, evidence }: Answered,
  { repeats, scrub }: Required<Reading>,
): Answered {
  const { body, headers } = reply;
  const location = scrub(headers.location ?? '');
  const clean = {
    ...reply,
    body: scrub(body),
    headers: location ? { ...headers, location } : headers,
  };
  if (clean.body === body) return { reply: clean, evidence };
  const again = evidenceOf(asked, clean, repeats);
  const doubt = evidence.doubt && (again.doubt ?? 'it contradicts itself');
  return { reply: clean, evidence: { ...again, doubt } };
}

/** @param said what the body says */
export function verdictOfAnswer(
  effect: Effect,
  status: number,
  said: AnswerKind,
): Verdict | 'processed' {
  const rule = ANSWERS.find(
    ([from, to, says, effects]) =>
      status >= from && status <= to && says.includes(said) && effects.includes(effect),
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

/** @param isSent whether a byte may have left. @param isInterrupted whether the user ended it */
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
  const { message, next, sent } = sentencesOf(verdict, exchanged);
  return new Failure(KINDS[verdict], message, {
    code: verdict,
    next,
    sent,
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

export type Verdict = keyof typeof KINDS;

/** The verdict on a request that was not processed, or perhaps not; it is the code of the failure too. */
export const KINDS = {
  'credentials-refused': 'auth',
  'not-permitted': 'auth',
  'not-found': 'notFound',
  'too-many-requests': 'rejected',
  'rejected-by-gateway': 'rejected',
  'not-reached': 'notReached',
  'lease-over': 'notReached',
  'no-trustworthy-answer': 'notReached',
  'contradictory-answer': 'notReached',
  'outcome-unknown': 'unknown',
  interrupted: 'interrupted',
} as const satisfies Readonly<Record<string, FailureKind>>;

/** How much of what a gateway says becomes part of a message. */
const MAX_ERRORS = 20;
const MAX_SAID = 2_000;
const MAX_LOCATION = 200;

/** A request, and what came of it. */
export interface Exchanged extends JudgedRequest {
  baseUrl: URL;
  reply?: WireReply;
  /** The reading of the reply. */
  evidence?: Evidence;
  /** Why there is no reply. */
  cause?: unknown;
}

interface Sentences {
  message: string;
  next: string;
  /** The same as in a Failure. */
  sent?: false;
}

function sentencesOf(verdict: Verdict, exchanged: Exchanged): Sentences {
  return SENTENCES[verdict](exchanged);
}

const SENTENCES: Readonly<Record<Verdict, (exchanged: Exchanged) => Sentences>> = {
  'credentials-refused': ({ baseUrl, evidence }) => ({
    message: `${baseUrl.host} did not accept your credentials${quoted(evidence?.envelope)}.`,
    next: 'Run `gw whoami` to see which credentials were used and where they come from, or `gw login` to store new ones.',
  }),
  'not-permitted': ({ baseUrl, evidence }) => ({
    message: quotedErrors(evidence?.envelope) ?? `${baseUrl.host} does not allow this.`,
    next: 'The record may belong to another account. Run `gw whoami` to see which account you are using.',
  }),
  'not-found': ({ baseUrl, evidence }) => ({
    message: quotedErrors(evidence?.envelope) ?? `${baseUrl.host} found nothing at this address.`,
    next: evidence?.envelope
      ? 'Check the id, and check the profile with `gw whoami`: sandbox and live have separate records.'
      : "Check the profile's base address with `gw whoami`.",
  }),
  'too-many-requests': ({ baseUrl, reply }) => ({
    message: `${baseUrl.host} is not taking any more requests at the moment.`,
    next: `Nothing was processed. Run the command again ${whenToRepeat(reply)}.`,
  }),
  'rejected-by-gateway': ({ evidence }) => ({
    message: `The gateway rejected the request${quoted(evidence?.envelope)}.`,
    next: 'Nothing was processed. Correct the request, then run the command again.',
  }),
  'not-reached': ({ baseUrl, cause }) => ({
    message: `Could not reach ${baseUrl.host}: ${reasonOf(cause)}.`,
    next: 'Check the network and the base address (`gw whoami`), then run the command again.',
    sent: false,
  }),
  'lease-over': () => ({
    message: 'gw was delayed for too long before it could send the request.',
    next: 'Others who share the ledger may have seen this request as unknown meanwhile. Run the command again.',
    sent: false,
  }),
  'no-trustworthy-answer': (exchanged) => ({
    message: `${whatCameBack(exchanged)}.`,
    next: 'Nothing was changed. Try again. If it keeps happening, check the base address with `gw whoami`.',
  }),
  'contradictory-answer': (exchanged) => ({
    message: `${whatCameBack(exchanged)}.`,
    next: 'gw ignored this answer because it does not fit the request. Try again. If it keeps happening, show the answer (--debug) to whoever runs the gateway.',
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

/**
 * @param entry what the journal calls the request, where it is there
 * @returns how to find out what became of a request whose outcome is unknown
 */
export function nextOfUnknown({ operation, input }: JudgedRequest, entry?: string): string {
  if (entry !== undefined)
    return `It may have gone through. Run \`gw journal resolve ${entry}\` to find out. Do not send it again until you know.`;
  const { kind, effect } = operation;
  const { id = input.body?.reference } = input;
  const read = lookUpOf(kind);
  const isFound = read && typeof id === 'string' && (effect !== 'money' || kind !== 'refund');
  if (isFound)
    return `It may have gone through. Run \`gw ${read.name} ${typedWord(id)}\` to find out, if the gateway looks up by that. Do not send it again until you know.`;
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

/** @returns the beginning of what an envelope says is wrong; all of it is in the failure's `errors` */
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
  if (/^\d+$/.test(after)) return `in ${after} seconds`;
  return httpDate(after) === undefined ? 'in a minute' : `after ${after}`;
}
