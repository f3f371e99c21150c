/**
 * A listener, from a request to a line on the terminal:
 *
 *   receiver ──► inbox (on disk) ──► answer
 *                  └──► verify ──► line, in the order in which events were kept
 *                          └─────► forwarder
 *
 * It ends when its goal is reached, its time is over, or it is interrupted; either way it first
 * finishes what was accepted: kept, answered, printed, and passed on as far as the application takes
 * it within FORWARD_GRACE_MS. What it does not take waits in the store for the next start.
 *
 * Bounds beside those of its parts: verifications at once and their backlog, text that waits for a
 * slow reader of stdout (deliveries wait for their answer then), and notices about refused requests.
 */
import { plural } from '../../base/plural.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import { Failure } from '../../failure.ts';
import type { Clock, Output } from '../../host/host.ts';
import type { BasicCredentials } from '../../host/http/check-basic-auth.ts';
import { DeliverySender, forwardPolicy } from '../../host/http/post-event.ts';
import { Refusals } from '../../host/http/refusals.ts';
import type {
  Arrival,
  Delivery,
  ReadingRules,
  StoredEvent,
  Taken,
  TextForm,
  Verification,
} from '../event.ts';
import { Forwarder, MAX_LANES_AT_ONCE } from '../forward/forwarder.ts';
import { NOT_ASKED, readEvent } from '../read/read-event.ts';
import { createInbox, type Inbox } from '../receive/inbox.ts';
import { isFileAway, Outage } from '../receive/outage.ts';
import { type Receiver, startReceiver } from '../receive/receiver.ts';
import { shown } from '../show/event-record.ts';
import type { ShownEvent } from '../show/event-view.ts';
import type { EventStore } from '../store/event-store.ts';
import { ingest, otherMode } from '../store/ingest.ts';
import { ListenSummary } from './listen-summary.ts';
import { createOrderedOutput, type OrderedOutput } from './ordered-output.ts';
import { shortMode, Verifications, type Verify } from './verifications.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const FORWARD_GRACE_MS = 5_000;

/** Tells a gateway where to deliver, and takes it back at the end. */
export interface HookRegistrar {
  /** @returns what takes the registration back */
  register(url: URL): Promise<() => Promise<void>>;
}

/** When a listener ends by itself. */
export interface Goal {
  /** Pattern of the events that count; without it all do. */
  until: string | undefined;
  /** Events to wait for, duplicates and bad deliveries not counted. */
  count: number;
}

/** What is wanted of a listener. */
export interface ListenSettings {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Begins with a slash. */
  path: string;
  credentials: BasicCredentials | undefined;
  /** Status of the answer to a good delivery. */
  respond: number;
  /** Waited for before each answer. */
  delayMs: number;
  /** Patterns of the events that are printed, passed on and counted; none for all. Bad deliveries are always printed. */
  events: readonly string[];
  forwardTo: URL | undefined;
  goal: Goal | undefined;
  timeoutMs: number | undefined;
  /** Name of the profile in use. */
  profile: string | null;
  /** false keeps events no longer than they wait to be passed on. */
  isRemembering: boolean;
  /** The X-Service-Mode that fits the profile; none to compare with where there is no profile. */
  mode: 'Live' | 'Sandbox' | undefined;
}

/** What a listener works with. */
export interface ListenParts {
  store: EventStore;
  stdout: Pick<Output, 'write'>;
  clock: Clock;
  /** Resolves when everything that the event loop has ready has been handled. */
  turn(): Promise<void>;
  /** 0 to 1, to spread the attempts of the forwarder. */
  random: () => number;
  interrupted: AbortSignal;
  /** Asks the gateway whether an event is true. */
  verify: Verify | undefined;
  registrar: HookRegistrar | undefined;
  /** How the text of an event is made; undefined where only `render` knows. */
  form: TextForm | undefined;
  /** @returns the text of an event, with its line end. @param expectedMode where the event's own is another */
  render(shown: ShownEvent, expectedMode: string | undefined): string;
  /** A line for the person at the screen. */
  notice(text: string): void;
  onListening(url: URL): void;
  /** Told at the end what came and what became of it, in sentences. */
  onEnd(summary: readonly string[]): void;
}

/** What a listener did. */
export interface ListenResult {
  end: 'reached' | 'timeout' | 'interrupted';
  /** Events that counted towards the goal. */
  counted: number;
}

/** @throws Failure usage when the address cannot be listened on, and what the registrar throws */
export function listen(settings: ListenSettings, parts: ListenParts): Promise<ListenResult> {
  return new Listener(settings, parts).run();
}

class Listener {
  readonly #settings: ListenSettings;
  readonly #parts: ListenParts;
  readonly #isShown: (event: string) => boolean;
  readonly #isWanted: (event: string) => boolean;
  readonly #rules: ReadingRules;
  readonly #inbox: Inbox<Arrival, Taken>;
  readonly #output: OrderedOutput;
  readonly #refusals: Refusals;
  /** Of a listener that asks the gateway. */
  readonly #verifications: Verifications | undefined;
  readonly #ended = new AbortController();
  readonly #outage: Outage;
  readonly #summary = new ListenSummary();
  #forwarder: Forwarder | undefined;
  #counted = 0;
  #defect: { error: unknown } | undefined;

  constructor(settings: ListenSettings, parts: ListenParts) {
    const { events, goal } = settings;
    this.#settings = settings;
    this.#parts = parts;
    this.#isShown = matcher(events);
    this.#isWanted = matcher(goal?.until === undefined ? [] : [goal.until]);
    this.#rules = rulesOf(settings, parts);
    this.#inbox = this.#openInbox();
    this.#output = createOrderedOutput(parts.stdout, () => this.#ended.abort());
    this.#refusals = new Refusals(parts.notice, ' and not kept');
    this.#outage = new Outage(parts.notice);
    const { verify, store, notice } = parts;
    this.#verifications =
      verify && new Verifications({ verify, store, notice, mode: settings.mode });
  }

  async run(): Promise<ListenResult> {
    const { registrar, onListening } = this.#parts;
    const { forwardTo } = this.#settings;
    const sender = forwardTo && new DeliverySender(forwardPolicy(forwardTo, MAX_LANES_AT_ONCE));
    let receiver: Receiver | undefined;
    let deregister: (() => Promise<void>) | undefined;
    try {
      receiver = await this.#receive();
      // After the receiver has its port: another listener may be passing the same events on.
      if (sender) this.#forwarder = await this.#forward(forwardTo, sender);
      deregister = await registrar?.register(receiver.url);
      onListening(receiver.url);
      const end = await this.#end();
      if (this.#defect) throw this.#defect.error;
      return { end, counted: this.#counted };
    } finally {
      await receiver?.close();
      await this.#takeBack(deregister);
      try {
        await this.#output.end();
      } finally {
        await this.#forwarder?.close(FORWARD_GRACE_MS);
        await sender?.close();
        this.#refusals.end();
        if (receiver) this.#summarise();
      }
    }
  }

  #openInbox(): Inbox<Arrival, Taken> {
    const { store, turn } = this.#parts;
    const rules = this.#rules;
    return createInbox({
      keepAll: (arrivals) => store.ingest?.(arrivals, rules) ?? ingest(store, arrivals, rules),
      atOnce: store.appendsAtOnce ?? 1,
      turn,
    });
  }

  /** Keeps a delivery, and sets everything else in motion. @returns as `ReceiverOptions.accept` */
  async accept(delivery: Delivery): Promise<number | 'later'> {
    const { rawHeaders, body, isAuthenticated, isTooLong } = delivery;
    const receivedAt = this.#parts.clock.now().toISOString();
    const arrival = { rawHeaders, body, isAuthenticated, isTooLong, receivedAt };
    const taken = await this.#keep(arrival);
    if (taken === 'later') return 'later';
    this.show(taken, arrival);
    const { id, source, status, forwardTo } = taken;
    if (forwardTo !== null) this.#forwarder?.add({ id, source, attempts: 0 });
    await this.#output.room();
    return status;
  }

  /** The sender is asked to deliver again what is not kept. @returns `later` where that was told */
  async #keep(arrival: Arrival): Promise<Taken | 'later'> {
    try {
      const taken = await this.#inbox.keep(arrival);
      this.#outage.worked();
      return taken;
    } catch (error) {
      if (isFileAway(error)) {
        this.#outage.failed(error);
        return 'later';
      }
      // A defect is no reason to go on.
      if (!(error instanceof Failure)) {
        this.#defect ??= { error };
        this.#ended.abort();
      }
      throw error;
    }
  }

  /** Prints an event that is wanted, in its turn, and counts it. */
  show(taken: Taken, arrival: Arrival): void {
    const { id, event, fault, mode, duplicateOf } = taken;
    // A bad delivery is shown whatever it is called, and is no event.
    const name = fault === null ? event : null;
    const { goal } = this.#settings;
    if (name !== null && !this.#isShown(name)) return;
    // Who asked for three events gets three; what comes on top of them is kept all the same.
    if (goal && this.#counted >= goal.count) return;
    this.#summary.add(taken);
    const expectedMode = otherMode(mode, this.#settings.mode);
    if (expectedMode !== undefined) this.#shoutMode(id, mode);
    this.#output.add(taken.text ?? this.#textOf(taken, arrival, expectedMode));
    if (name === null || duplicateOf !== null || !goal || !this.#isWanted(name)) return;
    if (++this.#counted >= goal.count) this.#ended.abort();
  }

  /** The text of an event for a terminal that may be made wider, or that the gateway is asked about first. */
  #textOf(
    { id, duplicateOf, fault, event: name }: Taken,
    arrival: Arrival,
    expectedMode: string | undefined,
  ): string | Promise<string> {
    const { render } = this.#parts;
    const { event, content } = readEvent(arrival, this.#rules, this.#isShown);
    const shown = { event: { ...event, id, duplicateOf }, content };
    const known = fault === null && name !== null ? this.#verifications?.of(shown) : undefined;
    if (!known) return render(shown, expectedMode);
    return known.then((verification) =>
      render({ content, event: { ...shown.event, verification } }, expectedMode),
    );
  }

  #receive(): Promise<Receiver> {
    const { host, port, path, credentials, delayMs } = this.#settings;
    return startReceiver({
      ...{ host, port, path, credentials, delayMs },
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      clock: this.#parts.clock,
      accept: (delivery) => this.accept(delivery),
      onRefused: (status, reason) => this.#refusals.add(status, reason),
    });
  }

  async #forward(target: URL, sender: DeliverySender) {
    const { store, clock, random, notice } = this.#parts;
    const verifications = this.#verifications;
    const confirm =
      verifications &&
      ((event: StoredEvent) =>
        verifications.of(shown({ ...event, verification: event.verification ?? NOT_ASKED })));
    const parts = { target, store, sender, clock, random, notice, confirm };
    const earlier = await store.waiting(target.href);
    // What came under --verify waits for the gateway's word, whoever starts the listener next.
    const waiting = earlier.filter(({ verification }) => confirm || isConfirmed(verification));
    const unsure = earlier.length - waiting.length;
    if (waiting.length > 0)
      notice(
        `${waiting.length} earlier ${plural(waiting.length, 'event is', 'events are')} waiting for ${target}.`,
      );
    if (unsure > 0) {
      notice(
        `${unsure} earlier ${plural(unsure, 'event was', 'events were')} not passed on. Add --verify to ask the gateway about ${plural(unsure, 'it', 'them')}.`,
      );
    }
    const forwarder = new Forwarder(parts);
    for (const forward of waiting) forwarder.add(forward);
    return forwarder;
  }

  /** Waits for the goal, the end of the time, or an interruption. */
  async #end(): Promise<ListenResult['end']> {
    const { clock, interrupted } = this.#parts;
    const { timeoutMs } = this.#settings;
    const over = new AbortController();
    const ends: Promise<ListenResult['end']>[] = [
      whenAborted(this.#ended.signal).then(() => 'reached'),
      whenAborted(interrupted).then(() => 'interrupted'),
    ];
    if (timeoutMs !== undefined) {
      ends.push(clock.sleep(timeoutMs, over.signal).then(() => 'timeout'));
    }
    const first = await Promise.race(ends);
    over.abort();
    return first;
  }

  #shoutMode(id: number, got: string | null): void {
    const { profile, mode } = this.#settings;
    this.#parts.notice(
      `WARNING: event ${id} says ${shortMode(got)}, but the profile ${profile} expects ${mode}. ` +
        'Check which gateway delivers here before you act on it.',
    );
  }

  async #takeBack(deregister: (() => Promise<void>) | undefined): Promise<void> {
    await deregister?.().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      this.#parts.notice(`The embedded gateway keeps delivering here: ${error.message}`);
    });
  }

  #summarise(): void {
    const { forwardTo } = this.#settings;
    const { taken, waiting, withheld } = this.#forwarder ?? {};
    const passedOn = forwardTo && {
      target: forwardTo.href,
      ...{ taken: taken ?? 0, waiting: waiting ?? 0, withheld: withheld ?? 0 },
    };
    this.#parts.onEnd(this.#summary.lines(passedOn));
  }
}

function rulesOf(settings: ListenSettings, { verify, form }: ListenParts): ReadingRules {
  const { profile, respond, events, forwardTo, isRemembering, mode } = settings;
  return {
    ...{ profile, respond, events, isRemembering, mode },
    forwardTo: forwardTo?.href ?? null,
    isConfirming: verify !== undefined,
    form: verify ? undefined : form,
  };
}

function isConfirmed(verification: Verification | null): boolean {
  return verification === null || verification.state === 'verified';
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
