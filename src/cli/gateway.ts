/**
 * The way from a command to the gateway of its profile: credentials, guards, and the client over
 * the right sender. Credentials are read, and a connection is made, only when the first request is
 * to be sent, so that a dry run needs neither.
 */
import { checkRequest } from '../client/check.ts';
import type { Reply } from '../client/classify.ts';
import { type CallInput, type Client, createClient, wireRequest } from '../client/client.ts';
import { isObject, type Json } from '../contract/envelope.ts';
import { LOCAL_CREDENTIALS } from '../contract/local-account.ts';
import type { Operation } from '../contract/operations.ts';
import { createRecorder } from '../ledger/recorder.ts';
import { openLedger } from '../ledger/sqlite.ts';
import type { Profile } from '../profiles/profile.ts';
import { type Choice, resolveCredentials, resolveProfile } from '../profiles/resolve.ts';
import { openSender } from '../senders/open.ts';
import type { WireRequest } from '../senders/sender.ts';
import type { Context } from './context.ts';
import { timeoutMsOf } from './global-flags.ts';
import { checkLimits, confirmLive } from './guard.ts';
import { emulatorPath, ledgerPath } from './paths.ts';
import { createTrace } from './trace.ts';

export interface GatewayFlags {
  profile?: string | undefined;
  'no-input'?: boolean | undefined;
  debug?: boolean | undefined;
  timeout?: string | undefined;
  confirm?: string | undefined;
}

export class Gateway {
  readonly profile: Profile;
  readonly #context: Context;
  readonly #choice: Choice;
  readonly #flags: GatewayFlags;
  readonly #inFlight: number;
  readonly #timeoutMs: number | undefined;
  #client: Promise<Client> | undefined;

  /**
   * @param inFlight requests at the same time, at the most
   * @throws Failure when no profile is chosen, or the one that is cannot be used
   */
  constructor(context: Context, flags: GatewayFlags, inFlight: number) {
    const { env, files } = context.host;
    this.#context = context;
    this.#flags = flags;
    this.#inFlight = inFlight;
    this.#timeoutMs = flags.timeout === undefined ? undefined : timeoutMsOf(flags.timeout);
    this.#choice = resolveProfile({ flag: flags.profile, env, files });
    this.profile = this.#choice.profile;
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
    const { username, apiToken } = await this.#credentials();
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
      recorder: createRecorder(destination, () => openLedger(ledgerPath(files), clock)),
      guard: async (operation, input) => {
        checkLimits(profile, operation, input.body ?? {});
        await confirmLive({ host, profile, username, flags: this.#flags }, operation, input);
      },
      trace: this.#flags.debug ? createTrace(host.stderr, redactor) : undefined,
    });
  }

  async #credentials(): Promise<{ username: string; apiToken: string }> {
    const { credentials } = await resolveCredentials(this.#choice, this.#context.host);
    if (!credentials) {
      return { username: LOCAL_CREDENTIALS.username, apiToken: LOCAL_CREDENTIALS.api_token };
    }
    return { username: credentials.username, apiToken: credentials.apiToken.reveal() };
  }

  /** Card numbers of the body are kept out of every output from here on. */
  #learnCards(value: Json): void {
    if (Array.isArray(value)) return value.forEach((inner) => this.#learnCards(inner));
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'card_number' && typeof inner === 'string')
        this.#context.redactor.addCardNumber(inner);
      this.#learnCards(inner);
    }
  }
}
