/** The verdicts of classify.ts in words: what happened, and what the user does next. */
import type { Envelope } from '../../contract/envelope.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { excerpt } from '../../host/redaction/excerpt.ts';
import { redactText } from '../../host/redaction/redact.ts';
import { cut, typedWord } from '../../host/redaction/safe.ts';
import { TransportError, type WireReply } from '../senders/sender.ts';
import type { Evidence, JudgedRequest } from './evidence.ts';
import { httpDate } from './retry.ts';
import type { Verdict } from './verdict.ts';

/** How much of what a gateway says becomes part of a message. */
const MAX_ERRORS = 20;
const MAX_SAID = 2_000;
const MAX_LOCATION = 200;

/** A request, and what came of it. */
export interface Exchanged extends JudgedRequest {
  baseUrl: URL;
  reply?: WireReply;
  /** What the reply says. */
  evidence?: Evidence;
  /** Why there is no reply. */
  cause?: unknown;
}

interface Sentences {
  message: string;
  next: string;
  /** As of a Failure. */
  sent?: false;
}

export function sentencesOf(verdict: Verdict, exchanged: Exchanged): Sentences {
  return SENTENCES[verdict](exchanged);
}

const SENTENCES: Readonly<Record<Verdict, (exchanged: Exchanged) => Sentences>> = {
  'credentials-refused': ({ baseUrl, evidence }) => ({
    message: `${baseUrl.host} did not accept your credentials${quoted(evidence?.envelope)}.`,
    next: 'Run `gw whoami` to see which credentials were used and where they come from, or `gw login` to store new ones.',
  }),
  'not-permitted': ({ baseUrl, evidence }) => ({
    message: saidBy(evidence?.envelope) ?? `${baseUrl.host} does not allow this.`,
    next: 'The record may belong to another account. Run `gw whoami` to see which account you are using.',
  }),
  'not-found': ({ baseUrl, evidence }) => ({
    message: saidBy(evidence?.envelope) ?? `${baseUrl.host} found nothing at this address.`,
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
function saidBy(envelope: Envelope | undefined): string | undefined {
  const errors = envelope?.errors ?? [];
  return errors.length > 0 ? cut(errors.slice(0, MAX_ERRORS).join('; '), MAX_SAID) : undefined;
}

function quoted(envelope: Envelope | undefined): string {
  const said = saidBy(envelope);
  return said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
}

function whenToRepeat(reply: WireReply | undefined): string {
  const after = reply?.headers['retry-after'] ?? '';
  if (/^\d+$/.test(after)) return `in ${after} seconds`;
  return httpDate(after) === undefined ? 'in a minute' : `after ${after}`;
}
