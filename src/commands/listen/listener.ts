/**
 * A listener, from a request to a line on the terminal. A delivery goes through `#take`:
 *
 *   receiver ──► read ──► kept, on disk ──► shown ──────────► answered
 *                         with all of       │    └─ a line, in the order in which events were kept
 *                         its turn          └─► passed on
 *
 * If the gateway verifies events, the line, the count and the event that is passed on wait for its answer. The answer
 * to the sender does not wait. An event that it passed on and that comes back is answered with 208 and not kept.
 *
 * A listener ends when its goal is reached, its time is over, or it is interrupted. First it finishes every accepted
 * delivery: it is kept, answered and printed, and passed on if the application takes it within FORWARD_GRACE_MS. Other
 * events wait in the store for the next start.
 *
 * Bounds in addition to those of its parts: verifications at once and their backlog, notices about refused requests,
 * and text that waits for a slow reader of stdout. Answers to deliveries wait when that text is full.
 */
import { randomUUID } from 'node:crypto';
import { plural, quantity } from '../../base/text.ts';
import { FORWARDED_HEADER } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import type {
  AppendResult,
  Delivery,
  NewEvent,
  StoredEvent,
  Verification,
} from '../../events/event.ts';
import { NOT_ASKED, readEvent, transientEvent } from '../../events/read/read-event.ts';
import { type Receiver, startReceiver } from '../../events/receive/receiver.ts';
import {
  EVENT_VIEW,
  type ShownEvent,
  shownEvent as shownOf,
  wholeRecord,
} from '../../events/show/event-view.ts';
import type { EventStore } from '../../events/store/event-file.ts';
import { Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { type BasicCredentials, basicAuthCheck } from '../../host/http/check-basic-auth.ts';
import { leadsTo } from '../../host/http/listening.ts';
import { DeliverySender, forwardPolicy } from '../../host/http/post-event.ts';
import { Refusals } from '../../host/http/refusals.ts';
import { neutralise, toJson } from '../../host/redaction/safe.ts';
import { loadMeasure } from '../../view/text/width.ts';
import { type EventScreen, eventLine } from './event-line.ts';
import { Forwarder, MAX_LANES_AT_ONCE } from './forwarder.ts';
import { ListenSummary } from './listen-summary.ts';
import { createOrderedOutput, type OrderedOutput } from './ordered-output.ts';
import { otherMode, shortMode, Verifications, type Verify } from './verifications.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const FORWARD_GRACE_MS = 5_000;

/** Registers an address at a gateway, and removes it at the end. */
export interface HookRegistrar {
  /** @returns the password with which the gateway will deliver, and a function that removes the registration */
  register(url: URL): Promise<{ credentials: BasicCredentials; remove: () => Promise<void> }>;
}

/** The goal after which a listener ends by itself. */
export interface Goal {
  /** The pattern of the events that count; undefined for all. */
  until: string | undefined;
  /** The number of events to wait for. Duplicates and bad deliveries do not count. */
  count: number;
}

/** The options of a listener. */
export interface ListenOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Begins with a slash. */
  path: string;
  credentials: BasicCredentials | undefined;
  /** The status of the answer to a good delivery. */
  respond: number;
  /** The delay before each answer. */
  delayMs: number;
  /**
   * Patterns of the events that are printed, passed on and counted; empty for all. Bad deliveries are always printed.
   */
  events: readonly string[];
  forwardTo: URL | undefined;
  /** The credentials for that application, if it wants any. */
  forwardCredentials: BasicCredentials | undefined;
  goal: Goal | undefined;
  timeoutMs: number | undefined;
  /** The name of the profile in use. */
  profile: string | null;
  /** false keeps events only while they wait to be passed on. */
  isRemembering: boolean;
  /** The X-Service-Mode that fits the profile; undefined without a profile. */
  mode: 'Live' | 'Sandbox' | undefined;
  /** A line for people, or the whole event as a line of JSON. */
  output: 'line' | 'jsonl';
  /** Whether to print the payload below each line. */
  isVerbose: boolean;
}

/** The tools of a listener. */
export interface ListenParts {
  host: Pick<Host, 'clock' | 'interrupted' | 'stdout' | 'stderr'>;
  store: EventStore;
  /** 0 to 1, to spread the attempts of the forwarder. */
  random: () => number;
  /** Asks the gateway whether an event is true. */
  verify: Verify | undefined;
  registrar: HookRegistrar | undefined;
}

/** The result of a listener. */
export interface ListenResult {
  end: 'reached' | 'timeout' | 'interrupted';
  /** The events that counted towards the goal. */
  counted: number;
}

export class Listener {
  readonly #options: ListenOptions;
  readonly #parts: ListenParts;
  readonly #isShown: (event: string) => boolean;
  readonly #isWanted: (event: string) => boolean;
  readonly #output: OrderedOutput;
  readonly #refusals: Refusals;
  /** Undefined unless the listener asks the gateway. */
  readonly #verifications: Verifications | undefined;
  readonly #summary = new ListenSummary();
  readonly #ended = new AbortController();
  /** Letters only: nothing in it looks like a card number, which other listeners would mask. */
  readonly #mark = randomUUID().replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
  #measure: EventScreen['measure'] | undefined;
  #receiver: Receiver | undefined;
  #sender: DeliverySender | undefined;
  #forwarder: Forwarder | undefined;
  #deregister: (() => Promise<void>) | undefined;
  /** Whether a delivery has the password of the registration. */
  #isHook: (authorization: string | undefined) => boolean = () => false;
  #counted = 0;
  /** The deliveries that could not be kept since the last one that was. */
  #refused = 0;
  #defect: { error: unknown } | undefined;

  constructor(options: ListenOptions, parts: ListenParts) {
    const { events, goal, mode, forwardTo } = options;
    const isAskingAgain = forwardTo !== undefined;
    const { host, store, verify } = parts;
    const notice = (text: string) => this.#notice(text);
    this.#options = options;
    this.#parts = parts;
    this.#isShown = matcher(events);
    this.#isWanted = matcher(goal?.until === undefined ? [] : [goal.until]);
    this.#output = createOrderedOutput(host.stdout, () => this.#ended.abort());
    this.#refusals = new Refusals(notice, ' and not kept');
    this.#verifications =
      verify && new Verifications({ verify, store, notice, mode, isAskingAgain });
  }

  /**
   * Starts to listen, goes on with the events that wait to be passed on, and registers at the gateway.
   * @returns the address for deliveries
   * @throws Failure usage if the address cannot be listened on; any error of the registrar
   */
  async open(): Promise<URL> {
    const { forwardTo, output } = this.#options;
    const { host, registrar } = this.#parts;
    if (output === 'line' && host.stdout.isTerminal) this.#measure = await loadMeasure();
    const receiver = await this.#receive();
    if (forwardTo && (await leadsTo(receiver.url, forwardTo))) {
      await receiver.close();
      throw usage(
        'forward-to-itself',
        `--forward-to ${forwardTo} is the address of this listener: events would go round in a circle.`,
        'Give it the address of your application.',
      );
    }
    this.#receiver = receiver;
    // The receiver has its port by now; another listener would otherwise pass on the same events.
    if (forwardTo) await this.#forward(forwardTo);
    const { url } = this.#receiver;
    const registered = await registrar?.register(url);
    this.#deregister = registered?.remove;
    if (registered) this.#isHook = basicAuthCheck(registered.credentials);
    return url;
  }

  /** Waits for the goal, the end of the time, or an interruption. @throws the first defect */
  async untilEnd(): Promise<ListenResult> {
    const { clock, interrupted } = this.#parts.host;
    const { timeoutMs } = this.#options;
    const over = new AbortController();
    const ends: Promise<ListenResult['end']>[] = [
      whenAborted(this.#ended.signal).then(() => 'reached'),
      whenAborted(interrupted).then(() => 'interrupted'),
    ];
    if (timeoutMs !== undefined)
      ends.push(clock.sleep(timeoutMs, over.signal).then(() => 'timeout'));
    const end = await Promise.race(ends);
    over.abort();
    if (this.#defect) throw this.#defect.error;
    return { end, counted: this.#counted };
  }

  /** Finishes every accepted delivery. @throws the error of writing to stdout */
  async close(): Promise<void> {
    await this.#receiver?.close();
    await this.#takeBack();
    try {
      await this.#output.end();
    } finally {
      await this.#forwarder?.close(FORWARD_GRACE_MS);
      await this.#sender?.close();
      this.#refusals.end();
    }
  }

  /** @returns the summary in sentences; empty if it never listened */
  summary(): string[] {
    if (!this.#receiver) return [];
    const { forwardTo } = this.#options;
    const { taken = 0, takenEarlier = 0, waiting = 0, withheld = 0 } = this.#forwarder ?? {};
    const passedOn = { taken, takenEarlier, waiting, withheld };
    return this.#summary.lines(forwardTo && { target: forwardTo.href, ...passedOn });
  }

  #receive(): Promise<Receiver> {
    const { host, port, path, credentials, delayMs } = this.#options;
    return startReceiver({
      host,
      port,
      path,
      credentials,
      isKnown: (authorization) => this.#isHook(authorization),
      delayMs,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      clock: this.#parts.host.clock,
      accept: (delivery) => this.#take(delivery),
      onRefused: (status, reason) => this.#refusals.add(status, reason),
    });
  }

  /** Handles a delivery from its bytes to the answer. @returns as `ReceiverOptions.accept` */
  async #take(delivery: Delivery): Promise<number | 'later'> {
    if (this.#isBack(delivery)) {
      const { forwardTo } = this.#options;
      this.#refusals.add(208, `that this listener passed on to ${forwardTo} and that came back`);
      return 208;
    }
    const { event, content } = this.#read(delivery);
    const kept = this.#options.isRemembering ? event : transientEvent(event);
    let appended: AppendResult;
    try {
      appended = await this.#parts.store.append(kept);
    } catch (error) {
      this.#notKept(error);
      return 'later';
    }
    if (this.#refused > 0) this.#keptAgain();
    this.#show({ event: Object.assign(event, appended), content });
    const { id } = appended;
    const { source } = kept;
    if (event.forwardTo !== null)
      this.#forwarder?.add({ id, source, attempts: 0, isEarlier: false });
    const room = this.#output.room();
    if (room) await room;
    return event.status;
  }

  #isBack({ rawHeaders }: Delivery): boolean {
    const isMark = (name?: string) => name?.toLowerCase() === FORWARDED_HEADER;
    return rawHeaders.some((text, i) => text.includes(this.#mark) && isMark(rawHeaders[i - 1]));
  }

  /** A delivery never ends the listener, even if reading it meets a defect. @throws Failure in that case */
  #read(delivery: Delivery): { event: NewEvent; content: ShownEvent['content'] } {
    const { profile, respond, forwardTo } = this.#options;
    try {
      return readEvent(delivery, {
        receivedAt: this.#parts.host.clock.now().toISOString(),
        profile,
        respond,
        forwardTo: forwardTo?.href ?? null,
        isConfirming: this.#verifications !== undefined,
        isShown: this.#isShown,
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Failure(
        'delivery-not-read',
        `gw cannot read it: ${reason}`,
        'Please report this as a defect of gw, with the delivery as it was sent.',
        { cause },
      );
    }
  }

  /** Reports the first event that could not be kept. @throws a defect, which ends the listener */
  #notKept(error: unknown): void {
    if (!(error instanceof Failure)) {
      this.#defect ??= { error };
      this.#ended.abort();
      throw error;
    }
    const { message, next } = error;
    if (this.#refused++ === 0)
      this.#notice(`${message} gw answers deliveries with 503 until it can store them. ${next}`);
  }

  #keptAgain(): void {
    const refused = quantity(this.#refused, 'delivery was', 'deliveries were');
    this.#notice(`The ledger is working again; ${refused} answered with 503.`);
    this.#refused = 0;
  }

  /** Prints an event that is wanted, in its turn, and counts it. */
  #show(shown: ShownEvent): void {
    const { event, content } = shown;
    const { goal, mode } = this.#options;
    // A bad delivery is shown whatever its name, and does not count as an event.
    const name = event.fault === null ? event.event : null;
    if (name !== null && !this.#isShown(name)) return;
    // A user who asked for three events sees three; further ones are still kept.
    if (goal && this.#counted >= goal.count) {
      this.#summary.addLate(event);
      return;
    }
    if (event.differsFrom !== undefined) {
      const said = `event ${event.id} has the delivery id of event ${event.differsFrom}`;
      this.#notice(`WARNING: ${said}, but not its content. One of them may be forged.`);
    }
    if (otherMode(event.mode, mode) !== undefined) this.#shoutMode(event);
    const known = name === null ? undefined : this.#verifications?.of(shown);
    this.#output.add(
      known?.then((told) => this.#count({ content, event: { ...event, ...told } })) ??
        this.#count(shown),
    );
  }

  /** Counts an event, after the gateway's answer if it is asked. @returns its text; empty for one beyond the goal */
  #count(shown: ShownEvent): string {
    const { event, content } = shown;
    const { goal } = this.#options;
    if (goal && this.#counted >= goal.count) {
      this.#summary.addLate(event);
      return '';
    }
    this.#summary.add(event, content);
    const { fault, duplicateOf, verification } = event;
    const isNew = fault === null && duplicateOf === null && verification?.state !== 'contradicted';
    if (isNew && goal && this.#isWanted(event.event ?? '') && ++this.#counted >= goal.count)
      this.#ended.abort();
    return this.#textOf(shown);
  }

  /** @returns the text, with its line end. Card numbers and secrets were masked when the delivery was read */
  #textOf(shown: ShownEvent): string {
    const { output, isVerbose, mode } = this.#options;
    if (output === 'jsonl') return `${toJson(wholeRecord(shown))}\n`;
    const record = isVerbose ? wholeRecord(shown) : EVENT_VIEW.record(shown);
    const expectedMode = otherMode(shown.event.mode, mode);
    return eventLine(record, { screen: this.#screen(), expectedMode });
  }

  /** @returns undefined if lines go into a pipe */
  #screen(): EventScreen | undefined {
    const measure = this.#measure;
    if (!measure) return undefined;
    // The window may have become wider.
    const { columns, color, isPlain } = this.#parts.host.stdout;
    return { columns, color, isPlain, measure };
  }

  /** Starts to pass events on, first those that waited from earlier runs. */
  async #forward(target: URL): Promise<void> {
    const { host, store, random } = this.#parts;
    const { clock } = host;
    const sender = new DeliverySender(forwardPolicy(target, MAX_LANES_AT_ONCE));
    this.#sender = sender;
    const confirm = this.#verifications && ((event: StoredEvent) => this.#confirm(event));
    const notice = (text: string) => this.#notice(text);
    const mark = this.#mark;
    const { forwardCredentials: credentials } = this.#options;
    const parts = { target, credentials, mark, store, sender, clock, random, notice, confirm };
    const earlier = await store.waiting(target.href);
    // An event received with --verify waits for the gateway's answer, whoever starts the listener next.
    const waiting = earlier.filter(({ verification }) => confirm || isConfirmed(verification));
    const unsure = earlier.length - waiting.length;
    if (waiting.length > 0)
      notice(
        `${quantity(waiting.length, 'earlier event is', 'earlier events are')} waiting for ${target}.`,
      );
    if (unsure > 0) {
      notice(
        `${quantity(unsure, 'earlier event was', 'earlier events were')} not passed on. Add --verify to ask the gateway about ${plural(unsure, 'it', 'them')}.`,
      );
    }
    this.#forwarder = new Forwarder(parts);
    for (const forward of waiting) this.#forwarder.add({ ...forward, isEarlier: true });
  }

  async #confirm(event: StoredEvent): Promise<Verification> {
    return (await this.#verifications?.of(shownOf(event)))?.verification ?? NOT_ASKED;
  }

  #shoutMode({ id, mode: got }: StoredEvent): void {
    const { profile, mode } = this.#options;
    this.#notice(
      `WARNING: event ${id} says ${shortMode(got)}, but the profile ${profile} expects ${mode}. ` +
        'Check which gateway delivers here before you act on it.',
    );
  }

  async #takeBack(): Promise<void> {
    await this.#deregister?.().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      this.#notice(`The built-in test gateway keeps delivering here: ${error.message}`);
    });
  }

  #notice(text: string): void {
    void this.#parts.host.stderr.write(`${neutralise(text)}\n`);
  }
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
