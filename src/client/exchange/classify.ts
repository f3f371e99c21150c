/**
 * What an answer, or its absence, says about what happened. The one place that decides between
 * done, declined, rejected, not reached and unknown, for every sender. It decides by the two tables
 * below; verdict-sentences.ts says it in words.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { DIALECT_HEADER } from '../../contract/local-account.ts';
import { normalRecord, type Outcome, outcomeOf, recordsOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { oddFields } from '../../contract/record.ts';
import { idsText } from '../../contract/record-id.ts';
import { Failure, invariant } from '../../failure.ts';
import type { Scrub } from '../../host/redaction/scrub-json.ts';
import { HeldBack, type TransportError, type WireReply } from '../senders/sender.ts';
import { type AnswerKind, type Evidence, evidenceOf, type JudgedRequest } from './evidence.ts';
import { KINDS, type Verdict } from './verdict.ts';
import { type Exchanged, sentencesOf } from './verdict-sentences.ts';

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
