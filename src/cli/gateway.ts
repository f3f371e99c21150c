/**
 * The way from a command to the gateway of its profile: credentials, guards, and the client over
 * the right sender. Credentials are read, and a connection is made, only when the first request is
 * to be sent, so that a dry run needs neither.
 */
import { checkRequest } from '../client/check.ts';
import type { Reply } from '../client/classify.ts';
import { type CallInput, type Client, createClient, wireRequest } from '../client/client.ts';
import type { Json } from '../contract/envelope.ts';
import { LOCAL_CREDENTIALS } from '../contract/local-account.ts';
import type { Operation } from '../contract/operations.ts';
import { createRecorder } from '../ledger/recorder.ts';
import type { Credentials } from '../profiles/credentials.ts';
import type { Profile } from '../profiles/profile.ts';
import { resolveCredentials, resolveProfile } from '../profiles/resolve.ts';
import { openSender } from '../senders/open.ts';
import type { WireRequest } from '../senders/sender.ts';
import type { Context } from './context.ts';
import { checkLimits, confirmLive } from './guard.ts';
import { emulatorPath, ledgerPath } from './paths.ts';
import { timeoutMsOf } from './timeout.ts';
import { createTrace } from './trace.ts';

export interface GatewayFlags {
  profile?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
  timeout?: string | undefined;
  confirm?: string | undefined;
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
export function chosenAccount({ host }: Context, flag: string | undefined): Account {
  const choice = resolveProfile({ flag, env: host.env, files: host.files });
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
  #client: Promise<Client> | undefined;

  /**
   * @param account the profile to use, and how to get its credentials
   * @param inFlight requests at the same time, at the most
   */
  constructor(context: Context, flags: GatewayFlags, account: Account, inFlight: number) {
    this.#context = context;
    this.#flags = flags;
    this.#inFlight = inFlight;
    this.#timeoutMs = flags.timeout === undefined ? undefined : timeoutMsOf(flags.timeout);
    this.#credentials = account.credentials;
    this.profile = account.profile;
  }

  /** As `Client.call`. */
  async call(operation: Operation, input: CallInput): Promise<Reply> {
    this.#learnCards(input.body ?? null);
    return (await this.#connected()).call(operation, input);
  }

  /** As `Client.callUnchecked`. */
  async callUnchecked(operation: Operation, input: CallInput): Promise<Reply> {
    this.#learnCards(input.body ?? null);
    return (await this.#connected()).callUnchecked(operation, input);
  }

  /** @returns the request that a call would send, without credentials. @throws Failure usage when it is not valid */
  preview(operation: Operation, input: CallInput): WireRequest {
    this.#learnCards(input.body ?? null);
    checkRequest(operation, input.body ?? {});
    return wireRequest({ ...this.#wireOptions(), authorization: 'Basic' }, operation, input);
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }

  #wireOptions() {
    const { host } = this.#context;
    return {
      baseUrl: this.profile.baseUrl,
      userAgent: `gw/${host.version}`,
      timeoutMs: this.#timeoutMs,
      interrupted: host.interrupted,
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
    const destination = {
      profile: profile.name,
      environment: profile.environment,
      host: profile.environment === 'local' ? 'embedded' : profile.baseUrl.host,
    };
    return createClient({
      ...this.#wireOptions(),
      authorization: `Basic ${Buffer.from(`${username}:${apiToken}`).toString('base64')}`,
      sender,
      clock,
      random: Math.random,
      recorder: createRecorder(destination, async () => {
        const { openLedger } = await import('../ledger/sqlite.ts');
        return openLedger(ledgerPath(files), clock);
      }),
      guard: async (operation, input) => {
        checkLimits(profile, operation, input.body ?? {});
        await confirmLive({ host, profile, username, flags: this.#flags }, operation, input);
      },
      trace: this.#flags.debug ? createTrace(host.stderr, redactor) : undefined,
    });
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
