/**
 * The way from a command to the gateway of its profile: credentials, guards, and the client over
 * the right sender. Credentials are read, and a connection is made, only when the first request is
 * to be sent, so that a dry run needs neither.
 */
import { basicAuthorization } from '../base/basic-authorization.ts';
import type { Json } from '../base/json.ts';
import type { Reply } from '../client/classify.ts';
import {
  type CallInput,
  type Client,
  createClient,
  type MoneyRecorder,
  type Trace,
  wireRequest,
} from '../client/client.ts';
import { LOCAL_CREDENTIALS } from '../contract/local-account.ts';
import type { Operation } from '../contract/operations.ts';
import { timeoutMsOf } from '../flags/parse-timeout.ts';
import type { Destination, Ledger, Sighting } from '../journal/ledger.ts';
import { createRecorder, type LineClaim, NO_RECORDER } from '../journal/recorder.ts';
import { SightingsFile } from '../journal/sightings-file.ts';
import type { Credentials } from '../profiles/credentials.ts';
import type { Profile } from '../profiles/profile.ts';
import { resolveCredentials, resolveProfile } from '../profiles/resolve.ts';
import { openSender } from '../senders/open-sender.ts';
import type { WireRequest } from '../senders/sender.ts';
import type { Context } from './context.ts';
import { checkLimits, confirmLive } from './guard.ts';
import { learnPurchase } from './learn-purchase.ts';
import { emulatorPath, seenPath } from './paths.ts';
import { createTrace } from './trace.ts';

export interface GatewayFlags {
  profile?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
  timeout?: string | undefined;
  confirm?: string | undefined;
  'no-ledger'?: boolean | undefined;
  'allow-duplicate'?: boolean | undefined;
  'allow-over-refund'?: boolean | undefined;
}

/** What a batch has otherwise than a command with a single request. */
export interface GatewayOptions {
  /** Ends requests in flight, in place of the program's own interruption. */
  interrupted?: AbortSignal;
  /** The user has confirmed all of it already. */
  isConfirmed?: boolean;
  /** Lets the writes of many requests share transactions. */
  endOfTurn?: () => Promise<void>;
  lineOf?: (input: CallInput) => LineClaim | undefined;
  /** Told that the answer to an input is about to be written down, under which entry. */
  onSettling?: (input: CallInput, entry: string) => void;
  /** Told of every exchange. */
  watch?: Trace;
}

/** A profile, and how to get its credentials when they are needed; the embedded gateway needs none. */
export interface Account {
  profile: Profile;
  credentials: () => Promise<Credentials | undefined>;
}

/**
 * The account that flags, environment and configuration choose.
 * @throws Failure when no profile is chosen, or the one that is cannot be used
 */
export async function chosenAccount({ host }: Context, flag: string | undefined): Promise<Account> {
  const choice = await resolveProfile({ flag, env: host.env, files: host.files });
  return {
    profile: choice.profile,
    credentials: async () => (await resolveCredentials(choice, host)).credentials,
  };
}

export class Gateway {
  readonly profile: Profile;
  readonly #context: Context;
  readonly #credentials: () => Promise<Credentials | undefined>;
  readonly #flags: GatewayFlags;
  readonly #inFlight: number;
  readonly #timeoutMs: number | undefined;
  readonly #options: GatewayOptions;
  #client: Promise<Client> | undefined;
  #ledger: Promise<Ledger> | undefined;

  /**
   * @param account the profile to use, and how to get its credentials
   * @param inFlight requests at the same time, at the most
   */
  constructor(
    context: Context,
    flags: GatewayFlags,
    account: Account,
    inFlight: number,
    options: GatewayOptions = {},
  ) {
    this.#context = context;
    this.#options = options;
    this.#flags = flags;
    this.#inFlight = inFlight;
    this.#timeoutMs = flags.timeout === undefined ? undefined : timeoutMsOf(flags.timeout);
    this.#credentials = account.credentials;
    this.profile = account.profile;
  }

  /** As `Client.call`. */
  async call(operation: Operation, input: CallInput): Promise<Reply> {
    this.#admit(operation, input);
    return (await this.#connected()).call(operation, input);
  }

  /** As `Client.callUnchecked`. */
  async callUnchecked(operation: Operation, input: CallInput): Promise<Reply> {
    this.#admit(operation, input);
    return (await this.#connected()).callUnchecked(operation, input);
  }

  /** @returns the request that a call would send, without credentials. @throws Failure usage when it is not valid */
  async preview(operation: Operation, input: CallInput): Promise<WireRequest> {
    this.#learnCards(input.body ?? null);
    const { checkRequest } = await import('../client/check.ts');
    checkRequest(operation, input.body ?? {});
    return wireRequest({ ...this.#wireOptions(), authorization: 'Basic' }, operation, input);
  }

  /** Which gateway it is, as the ledger names it. */
  get destination(): Destination {
    const { profile } = this;
    return {
      profile: profile.name,
      environment: profile.environment,
      host: profile.environment === 'local' ? 'embedded' : profile.baseUrl.host,
    };
  }

  /** @returns the ledger, opened when it is first needed. @throws Failure guard when it cannot be used */
  ledger(): Promise<Ledger> {
    this.#ledger ??= this.#openLedger();
    return this.#ledger;
  }

  /** Whose account it is; credentials are read, but nothing is sent. */
  async username(): Promise<string> {
    return (await this.#credentials())?.username ?? LOCAL_CREDENTIALS.username;
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
    const ledger = await this.#ledger?.catch(() => undefined);
    await ledger?.close();
  }

  /** Before credentials are looked for: what a profile does not permit needs none. */
  #admit(operation: Operation, { body = {} }: CallInput): void {
    this.#learnCards(body);
    checkLimits(this.profile, operation, body);
  }

  #wireOptions() {
    const { host } = this.#context;
    return {
      baseUrl: this.profile.baseUrl,
      userAgent: `gw/${host.version}`,
      timeoutMs: this.#timeoutMs,
      interrupted: this.#options.interrupted ?? host.interrupted,
    };
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const { host, redactor } = this.#context;
    const { env, clock, files } = host;
    const { profile } = this;
    const credentials = await this.#credentials();
    const username = credentials?.username ?? LOCAL_CREDENTIALS.username;
    const apiToken = credentials?.apiToken.reveal() ?? LOCAL_CREDENTIALS.api_token;
    redactor.addCredentials(username, apiToken);
    const sender = await openSender({
      embedded: profile.environment === 'local' ? emulatorPath(files) : undefined,
      clock,
      inFlight: this.#inFlight,
      env,
    });
    const client = createClient({
      ...this.#wireOptions(),
      authorization: basicAuthorization(username, apiToken),
      sender,
      clock,
      random: Math.random,
      recorder: await this.#recorder(),
      guard: async (operation, input) => {
        if (this.#options.isConfirmed) return;
        await confirmLive({ host, profile, username, flags: this.#flags }, operation, input);
        if (this.#guardsRefunds && !this.#options.lineOf && isRefund(operation))
          await learnPurchase(client, await this.ledger(), this.destination, input);
      },
      trace:
        this.#options.watch ?? (this.#flags.debug ? createTrace(host.stderr, redactor) : undefined),
    });
    return client;
  }

  get #guardsRefunds(): boolean {
    return !this.#flags['no-ledger'] && !this.#flags['allow-over-refund'];
  }

  async #recorder(): Promise<MoneyRecorder> {
    const { stderr } = this.#context.host;
    if (this.#flags['no-ledger']) {
      await stderr.write(
        'Not recorded (--no-ledger): if the answer is lost, gw will not know of this request, and ' +
          'requests that repeat it or refund too much are not noticed.\n',
      );
      return NO_RECORDER;
    }
    return createRecorder(
      {
        destination: this.destination,
        clock: this.#context.host.clock,
        open: () => this.ledger(),
        remember: (seen) => this.#remember(seen),
      },
      {
        noDuplicate: !this.#flags['allow-duplicate'],
        noOverRefund: this.#guardsRefunds,
        scrub: (text) => this.#context.redactor.scrub(text),
        onForgotten: ({ message }) => void stderr.write(`Note: not remembered. ${message}\n`),
      },
      this.#options,
    );
  }

  async #openLedger(): Promise<Ledger> {
    const { openOwnLedger } = await import('./own-ledger.ts');
    return openOwnLedger(this.#context.host, this.#options.endOfTurn);
  }

  /** In the ledger where it is open; for a look-up alone it is not opened. */
  async #remember(seen: readonly Sighting[]): Promise<void> {
    const { files } = this.#context.host;
    if (this.#ledger) await (await this.#ledger).remember(() => seen);
    else if (new SightingsFile(files, seenPath(files)).append(seen)) await this.ledger();
  }

  /** Card numbers of the body are kept out of every output from here on. */
  #learnCards(value: Json): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'card_number' && typeof inner === 'string')
        this.#context.redactor.addCardNumber(inner);
      this.#learnCards(inner);
    }
  }
}

function isRefund({ effect, kind }: Operation): boolean {
  return effect === 'money' && kind === 'refund';
}
