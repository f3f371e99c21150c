/** The verdicts of classify.ts in words: what happened, and what the user does next. */
import type { Envelope } from '../contract/envelope.ts';
import type { Operation } from '../contract/operations.ts';
import { excerpt } from '../redaction/excerpt.ts';
import { cut } from '../redaction/safe.ts';
import { TransportError, type WireReply } from '../senders/sender.ts';
import type { Verdict } from './classify.ts';
import { httpDate } from './retry.ts';

/** How much of what a gateway says becomes part of a message. */
const MAX_ERRORS = 20;
const MAX_SAID = 2_000;

/** A request, and what came of it. */
export interface Exchanged {
  operation: Operation;
  baseUrl: URL;
  reply?: WireReply;
  envelope?: Envelope | undefined;
  /** Why there is no reply. */
  cause?: unknown;
}

interface Sentences {
  message: string;
  next: string;
}

export function sentencesOf(verdict: Verdict, exchanged: Exchanged): Sentences {
  return SENTENCES[verdict](exchanged);
}

const SENTENCES: Readonly<Record<Verdict, (exchanged: Exchanged) => Sentences>> = {
  'credentials-refused': ({ baseUrl, envelope }) => ({
    message: `${baseUrl.host} did not accept the credentials${quoted(envelope)}.`,
    next: 'Run `gw whoami` to see which credentials are used and where they come from, and `gw login` to store new ones.',
  }),
  'not-permitted': ({ baseUrl, envelope }) => ({
    message: saidBy(envelope) ?? `${baseUrl.host} does not permit this.`,
    next: 'The record may belong to another account: run `gw whoami` to see the one in use.',
  }),
  'not-found': ({ baseUrl, envelope }) => ({
    message: saidBy(envelope) ?? `${baseUrl.host} has nothing at this address.`,
    next: envelope
      ? 'Check the id, and the profile with `gw whoami`: sandbox and live have separate records.'
      : 'Check the base address of the profile with `gw whoami`.',
  }),
  'too-many-requests': ({ baseUrl, reply }) => ({
    message: `${baseUrl.host} takes no more requests for the moment.`,
    next: `Nothing was processed. Run it again ${whenToRepeat(reply)}.`,
  }),
  'rejected-by-gateway': ({ envelope }) => ({
    message: `The gateway rejected the request${quoted(envelope)}.`,
    next: 'Nothing was processed. Correct the request and run it again.',
  }),
  'not-reached': ({ baseUrl, cause }) => ({
    message: `${baseUrl.host} was not reached: ${reasonOf(cause)}.`,
    next: 'Nothing was processed. Check the network and the base address (`gw whoami`), then run it again.',
  }),
  'no-trustworthy-answer': (exchanged) => ({
    message: `${whatCameBack(exchanged)}.`,
    next: 'Nothing was changed. Try again; if it stays so, check the base address with `gw whoami`.',
  }),
  'outcome-unknown': (exchanged) => ({
    message: `Outcome unknown: ${whatCameBack(exchanged)}, after the request was sent.`,
    next:
      exchanged.operation.effect === 'money'
        ? 'It may or may not have happened. Do not send it again before you know: `gw journal list --unresolved` keeps it.'
        : 'It may or may not have happened. Look the record up before you send it again.',
  }),
  interrupted: () => ({
    message: 'Interrupted.',
    next: 'Nothing was changed; run it again.',
  }),
};

function whatCameBack({ baseUrl: { host }, reply, envelope, cause }: Exchanged): string {
  if (!reply) return `no answer came from ${host} (${reasonOf(cause)})`;
  const { status, headers, body } = reply;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `${host} answered ${status}, a redirect to ${headers.location}, which is not followed with credentials`;
  }
  if (envelope?.successful) return `${host} answered ${status} and that it was successful`;
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
