/**
 * A listener, from a request to a line on the terminal:
 *
 *   receiver ──► inbox (on disk) ──► answer
 *                  └──► forwarder, and verify ──► line, in the order in which events were kept
 *
 * It ends when its goal is reached, its time is over, or it is interrupted; either way it first
 * finishes what was accepted: kept, answered, printed, and passed on as far as the application takes
 * it within FORWARD_GRACE_MS. What it does not take waits in the store for the next start.
 *
 * Bounds beside those of its parts: verifications at once and their backlog, text that waits for a
 * slow reader of stdout (deliveries wait for their answer then), and notices about refused requests.
 */
import { SERVICE_MODE_HEADER } from '../../contract/webhook-events.ts';
import type { EventStore, NewEvent, Verification } from '../../events/event-store.ts';
import { Failure } from '../../failure.ts';
import type { Clock, Output } from '../../host/host.ts';
import { cut, neutralise } from '../../redaction/safe.ts';
import { createDeliverySender, type DeliverySender } from '../delivery.ts';
import { createForwarder, type Forwarder, MAX_LANES_AT_ONCE } from '../forward/forwarder.ts';
import { createSlots } from '../slots.ts';
import type { BasicCredentials } from './basic-auth.ts';
import { type EventFacts, nothing, readFacts } from './delivery-content.ts';
import type { ShownEvent } from './event-record.ts';
import { createInbox } from './inbox.ts';
import { createOrderedOutput } from './ordered-output.ts';
import { type Delivery, type Receiver, startReceiver } from './receiver.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const FORWARD_GRACE_MS = 5_000;
const MAX_VERIFICATIONS_AT_ONCE = 8;
const MAX_NOTICES = 100;

/** Tells a gateway where to deliver, and takes it back at the end. */
export interface HookRegistrar {
  /** @returns what takes the registration back */
  register(url: URL): Promise<() => Promise<void>>;
}

/** When a listener ends by itself. */
export interface Goal {
  /** Only these count: names of events. */
  isWanted: (event: string) => boolean;
  /** Events to wait for, duplicates and bad deliveries not counted. */
  count: number;
}

export interface ListenOptions {
  host: string;
  port: number;
  path: string;
  credentials: BasicCredentials | undefined;
  /** Status of the answer to a good delivery. */
  respond: number;
  delayMs: number;
  /** Events that are printed, passed on and counted; bad deliveries are always printed. */
  isShown: (event: string) => boolean;
  forwardTo: URL | undefined;
  goal: Goal | undefined;
  timeoutMs: number | undefined;
  profile: string | null;
  /** The X-Service-Mode that fits the profile; none to compare with where there is no profile. */
  mode: 'Live' | 'Sandbox' | undefined;
  verify: ((facts: EventFacts) => Promise<Verification>) | undefined;
  registrar: HookRegistrar | undefined;
  /** @returns the text of an event, with its line end */
  render(shown: ShownEvent, expectedMode: string | undefined): string;
  store: EventStore;
  stdout: Output;
  /** A line for the person at the screen. */
  notice(text: string): void;
  onListening(url: URL): void;
  clock: Clock;
  turn(): Promise<void>;
  random: () => number;
  interrupted: AbortSignal;
  /** Time limits of requests; the defaults are for real senders. */
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
}

/** What a listener did. */
export interface ListenResult {
  end: 'reached' | 'timeout' | 'interrupted';
  /** Events that counted towards the goal. */
  counted: number;
}

/** @throws Failure usage when the address cannot be listened on, and what the registrar throws */
export async function listen(options: ListenOptions): Promise<ListenResult> {
  const { store, notice, goal } = options;
  const inbox = createInbox(store, options.turn);
  const ended = new AbortController();
  const output = createOrderedOutput(options.stdout, () => ended.abort());
  const verifying = createSlots(MAX_VERIFICATIONS_AT_ONCE);
  const sender = options.forwardTo
    ? await createDeliverySender(options.forwardTo, MAX_LANES_AT_ONCE)
    : undefined;
  let forwarder: Forwarder | undefined;
  const refusals = createRefusals(notice);
  let counted = 0;
  let defect: { error: unknown } | undefined;

  const show = (shown: ShownEvent) => {
    const { event } = shown;
    const isBad = event.event === null;
    if (!isBad && !options.isShown(event.event ?? '')) return;
    // Who asked for three events gets three; what comes on top of them is kept all the same.
    if (goal && counted >= goal.count) return;
    const expectedMode = options.mode && isOtherMode(event.mode, options.mode);
    if (expectedMode !== undefined) shoutMode(notice, options, event.mode, event.id);
    const verified =
      options.verify && !isBad ? verifying(() => verifyShown(options, shown)) : undefined;
    output.add(
      verified
        ? verified.then((known) => options.render(known, expectedMode))
        : options.render(shown, expectedMode),
    );
    if (isBad || event.duplicateOf !== null) return;
    if (goal?.isWanted(event.event ?? '') && ++counted >= goal.count) ended.abort();
  };

  const accept = async (delivery: Delivery): Promise<number> => {
    const { event, facts } = received(options, delivery);
    const appended = await inbox.keep(event).catch((error: unknown) => {
      // The sender is asked to deliver again either way; a defect is no reason to go on.
      if (!(error instanceof Failure)) {
        defect ??= { error };
        ended.abort();
      }
      throw error;
    });
    if (event.forwardTo !== null)
      forwarder?.add({ id: appended.id, source: event.source, attempts: 0 });
    show({ event: { ...event, ...appended, verification: null }, facts });
    await output.room();
    return event.status;
  };

  let receiver: Receiver | undefined;
  let deregister: (() => Promise<void>) | undefined;
  try {
    receiver = await startReceiver({
      ...options,
      headersTimeoutMs: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      accept,
      onRefused: refusals.add,
    });
    // After the receiver has its port: another listener may be passing the same events on.
    forwarder = await startForwarder(options, sender);
    deregister = await options.registrar?.register(receiver.url);
    options.onListening(receiver.url);
    const end = await theEnd(options, ended.signal);
    if (defect) throw (defect as { error: unknown }).error;
    return { end, counted };
  } finally {
    await receiver?.close();
    await deregister?.().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      notice(`The embedded gateway goes on delivering here: ${error.message}`);
    });
    await output.end();
    await forwarder?.close(FORWARD_GRACE_MS);
    await sender?.close();
    refusals.end();
    if (forwarder && forwarder.waiting > 0) {
      notice(
        `${forwarder.waiting} events wait for ${options.forwardTo?.href}; the next gw listen --forward-to passes them on.`,
      );
    }
  }
}

/** Waits for the goal, the end of the time, or an interruption. */
async function theEnd(
  { clock, timeoutMs, interrupted }: ListenOptions,
  reached: AbortSignal,
): Promise<ListenResult['end']> {
  const over = new AbortController();
  const first = await Promise.race([
    whenAborted(reached).then(() => 'reached' as const),
    whenAborted(interrupted).then(() => 'interrupted' as const),
    ...(timeoutMs === undefined
      ? []
      : [
          clock.sleep(timeoutMs, over.signal).then(
            () => 'timeout' as const,
            () => 'reached' as const,
          ),
        ]),
  ]);
  over.abort(new Error('over'));
  return first;
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function startForwarder(
  { forwardTo, store, clock, random, notice }: ListenOptions,
  sender: DeliverySender | undefined,
): Promise<Forwarder | undefined> {
  if (!forwardTo || !sender) return undefined;
  const target = forwardTo.href;
  const forwarder = createForwarder({ target, store, sender, clock, random, notice });
  const waiting = await store.waiting(target);
  if (waiting.length > 0) notice(`${waiting.length} events of earlier wait for ${target}.`);
  for (const forward of waiting) forwarder.add(forward);
  return forwarder;
}

/** @returns a delivery as the event to keep */
function received(
  options: ListenOptions,
  { headers, body, isAuthenticated, isTooLong }: Delivery,
): { event: NewEvent; facts: EventFacts } {
  const facts = isTooLong ? nothing(body, 'the body is over 1 MiB') : readFacts(body);
  const mode = headers.find(([name]) => name.toLowerCase() === SERVICE_MODE_HEADER.toLowerCase());
  const isGood = facts.fault === null;
  const event: NewEvent = {
    receivedAt: options.clock.now().toISOString(),
    profile: options.profile,
    mode: mode?.[1] ?? null,
    status: isGood ? options.respond : isTooLong ? 413 : 400,
    authentication: isAuthenticated ? 'basic' : 'none',
    event: facts.event,
    outcome: facts.outcome,
    fault: facts.fault,
    subjects: facts.subjects,
    customers: facts.customers,
    source: facts.source,
    identity: facts.identity,
    isLasting: facts.isLasting,
    isMasked: facts.isMasked,
    headers,
    body: facts.body,
    forwardTo:
      options.forwardTo && isGood && options.isShown(facts.event ?? '')
        ? options.forwardTo.href
        : null,
  };
  return { event, facts };
}

/** @returns the mode that was expected, when the event's own is another; an absent one is none */
function isOtherMode(mode: string | null, expected: string): string | undefined {
  if (mode === null) return undefined;
  return mode.toLowerCase() === expected.toLowerCase() ? undefined : expected;
}

function shoutMode(
  notice: (text: string) => void,
  { profile, mode }: ListenOptions,
  got: string | null,
  id: number,
): void {
  notice(
    `WARNING: event ${id} says ${neutralise(cut(got ?? '', 40))}, and the profile ${profile} expects ${mode}. ` +
      'Check which gateway delivers here before you act on it.',
  );
}

async function verifyShown(
  { verify, store, notice }: ListenOptions,
  shown: ShownEvent,
): Promise<ShownEvent> {
  const verification = (await verify?.(shown.facts)) ?? null;
  if (verification === null) return shown;
  try {
    await store.verify(shown.event.id, verification);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notice(
      `That event ${shown.event.id} is ${verification.state} could not be kept: ${error.message}`,
    );
  }
  return { ...shown, event: { ...shown.event, verification } };
}

/** Says what was refused, up to a limit, and at the end how many there were on top of it. */
function createRefusals(notice: (text: string) => void) {
  let count = 0;
  return {
    add(status: number, reason: string) {
      count++;
      if (count > MAX_NOTICES) return;
      const what = neutralise(cut(reason, 200));
      notice(`Refused with ${status} and not kept: a request ${what}.`);
      if (count === MAX_NOTICES) notice('Further ones are counted, and told at the end.');
    },
    end() {
      if (count > MAX_NOTICES) notice(`Refused and not kept in all: ${count} requests.`);
    },
  };
}
