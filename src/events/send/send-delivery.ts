/**
 * Sends one delivery from here, and prints the answer, for `events resend` and `trigger`.
 *
 * Tests: test/system/listen.test.ts, test/system/listen-repeats.test.ts
 */
import type { Json } from '../../base/json.ts';
import { commandOptions, type TerminalHost } from '../../cli/flags/command-options.ts';
import {
  basicCredentials,
  type PasswordContext,
  parseTarget,
} from '../../cli/flags/delivery-flags.ts';
import { splitPair, typedValue } from '../../cli/flags/pairs.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { FORWARDED_HEADER } from '../../contract/webhooks/names.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { BasicCredentials } from '../../host/http/check-basic-auth.ts';
import {
  DeliverySender,
  forwardPolicy,
  type Header,
  headersPassedOn,
  withCredentials,
} from '../../host/http/post-event.ts';
import { trustAdvice } from '../../host/http/transport-reason.ts';
import type { Redactor } from '../../host/redaction/redactor.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type OutputOptions, openPrinter, type PrintHost } from '../../view/print-records.ts';
import { renderRequest, renderResponse } from '../../view/text/debug.ts';
import { SENT_VIEW, type SentDelivery } from './sent-view.ts';
import { withValueAt } from './set-path.ts';

export interface OutgoingDelivery {
  /** Number of the event that was received; undefined for a sample. */
  id?: number;
  event: string | null;
  headers: readonly Header[];
  body: Uint8Array;
  /** true if the body differs from the one received. */
  isChanged: boolean;
}

export interface SendOptions {
  /** The address as it was typed. */
  to: string;
  /** Changes of the body, each `path=value`. */
  changes: readonly string[];
  /** The username for the receiver. */
  username: string | undefined;
  request: Pick<RequestOptions, 'mayAsk' | 'isDebugging'>;
  output: OutputOptions;
}

/** @returns the options that the flags of a delivery give */
export function sendOptions(
  host: TerminalHost,
  flags: Parameters<typeof commandOptions>[1] & {
    to: string;
    set?: string[] | undefined;
    'basic-auth'?: string | undefined;
  },
): SendOptions {
  const { request, output } = commandOptions(host, flags);
  const { to, set: changes = [], 'basic-auth': username } = flags;
  return { to, changes, username, request, output };
}

/** The receiver of a delivery. */
interface DeliveryReceiver {
  target: URL;
  credentials: BasicCredentials | undefined;
  /** Set if stderr shows the delivery and the answer, without what it hides. */
  shownBy: Redactor | undefined;
}

/** Asks for the password if one is needed. @throws Failure usage if the address or the password cannot be used */
export async function receiverOf(
  context: PasswordContext & { redactor: Redactor },
  { to, username, request }: SendOptions,
): Promise<DeliveryReceiver> {
  const target = parseTarget('to', to);
  const shownBy = request.isDebugging ? context.redactor : undefined;
  return { target, credentials: await basicCredentials(context, username, request), shownBy };
}

/** @param pairs the values of `--set`. @throws Failure usage if one of them cannot be set */
export function withChanges(body: Json, pairs: readonly string[]): Json {
  return pairs.reduce<Json>((changed, pair) => {
    const [path, text] = splitPair('set', pair);
    return withValueAt(changed, path, typedValue(text));
  }, body);
}

/** @throws Failure notReached without an answer; rejected if the answer is no success */
export async function sendDelivery(
  host: PrintHost,
  delivery: OutgoingDelivery,
  receiver: DeliveryReceiver,
  output: OutputOptions,
): Promise<void> {
  // Opened before anything is sent, because it refuses a field that does not exist.
  const printer = openPrinter(host, output, { kind: SENT_VIEW, isSingle: true });
  const sent = await deliverOnce(host, delivery, receiver);
  await printer.add(SENT_VIEW.record(sent));
  await printer.end();
  checkTaken(sent, receiver);
}

/** @returns how it was answered @throws Failure notReached without an answer */
export async function deliverOnce(
  { clock, interrupted, stderr }: Pick<Host, 'clock' | 'interrupted' | 'stderr'>,
  delivery: OutgoingDelivery,
  { target, credentials, shownBy }: DeliveryReceiver,
): Promise<SentDelivery> {
  const sender = new DeliverySender(forwardPolicy(target));
  const { body } = delivery;
  // A person may send it to whoever passed it on before.
  const headers = delivery.headers.filter(([name]) => name.toLowerCase() !== FORWARDED_HEADER);
  const url = withCredentials(target, credentials);
  if (shownBy) {
    const text = Buffer.from(body).toString();
    const shown = {
      method: 'POST',
      url: target.href,
      headers: byName(headersPassedOn(headers)),
      body: text,
    };
    await stderr.write(renderRequest(shown, shownBy));
  }
  const began = clock.uptimeMs();
  const request = { url, headers, body, keepsAnswer: shownBy !== undefined };
  const { status, reason, answer } = await sender.send(request, interrupted);
  await sender.close();
  if (shownBy && status !== undefined) {
    const { headers: heads = {}, body: text = '' } = answer ?? {};
    const shown = { status, headers: heads, body: text, durationMs: clock.uptimeMs() - began };
    await stderr.write(renderResponse(shown, shownBy));
  }
  if (interrupted.aborted) throw interrupted.reason;
  if (status === undefined) {
    throw new Failure(
      'receiver-not-reached',
      `${target.host} did not answer: ${reason}.`,
      trustAdvice(reason) ??
        'Check that something is listening there, such as `gw listen` at its default address.',
    );
  }
  const { id, event, isChanged: changed } = delivery;
  return { event, to: target.href, status, changed, id: id === undefined ? null : String(id) };
}

/** @returns headers by name, each with all of its values */
function byName(headers: readonly Header[]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of headers) all[name] = [...(all[name] ?? []), value];
  return all;
}

/** @returns whether the answer is a success */
export function isTaken({ status }: Pick<SentDelivery, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** @throws Failure rejected if the answer is no success */
export function checkTaken(
  { status }: Pick<SentDelivery, 'status'>,
  { target }: Pick<DeliveryReceiver, 'target'>,
): void {
  if (isTaken({ status })) return;
  throw new Failure(
    'delivery-not-taken',
    `${neutralise(target.host)} did not accept it: answered ${status}.`,
    'Check its log, correct the cause, and send the event again. --debug shows what is sent and answered.',
    { status },
  );
}
