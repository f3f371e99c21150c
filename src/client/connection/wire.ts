/**
 * Connects to the gateway of a profile. Reads credentials and opens a connection only for the first request, so a dry
 * run needs neither.
 *
 * Tests: test/unit/client/guards/guard.test.ts, test/unit/client/senders/open-sender.test.ts
 */
import { eachField, type Json } from '../../base/json.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import type { Effect } from '../../contract/operation.ts';
import type { Context } from '../../host/context.ts';
import type { Clock, Host } from '../../host/host.ts';
import { basicAuthorization } from '../../host/http/basic-auth.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { emulatorPath } from '../../store/paths.ts';
import type { Trace, Wire } from '../exchange/exchange.ts';
import type { Confirm } from '../guards/guard.ts';
import type { LedgerHost } from '../ledger/place.ts';
import type { Credentials } from '../profiles/credentials.ts';
import type { Profile } from '../profiles/profile.ts';
import { resolveCredentials, resolveProfile } from '../profiles/resolve.ts';
import { hasProxies } from '../senders/proxy.ts';
import type { Sender } from '../senders/sender.ts';
import { refusal } from './refusals.ts';
import type { RequestOptions } from './request-options.ts';

/** A profile, with a way to get its credentials when needed. The test gateway needs none. */
export interface ChosenAccount {
  profile: Profile;
  credentials: () => Promise<Credentials | undefined>;
}

/**
 * Chooses the account from the flag, the environment and the configuration.
 * @param named the profile that the user named, if any
 * @throws Failure if no profile is chosen, or the chosen one cannot be used
 */
export async function chosenAccount(
  host: Pick<Host, 'env' | 'files' | 'keychain' | 'shell'>,
  named: string | undefined,
): Promise<ChosenAccount> {
  const choice = await resolveProfile({ flag: named, env: host.env, files: host.files });
  return {
    profile: choice.profile,
    credentials: async () => (await resolveCredentials(choice, host)).credentials,
  };
}

/** Parts of a connection; each has a default. */
export interface ConnectionParts {
  /** Maximum number of requests at once. */
  inFlight: number;
  /** Whether look-ups meet no fault, because the command changes something and that request is to meet it. */
  sparesLookUps: boolean;
  /** Ends requests in flight, instead of the program's own interruption. */
  interrupted: AbortSignal;
  /** Called for every try. */
  trace: Trace;
  /** Called with the milliseconds of each pause before a look-up is tried again. */
  onPause: (ms: number) => void;
  /** Asks a person to confirm; needed for a live profile. */
  confirm: Confirm;
  openSender: typeof openSender;
  openLedger: () => Promise<Ledger>;
  /** Returns 0 to 1, to spread retries. */
  random: () => number;
}

/** The parts of the context that a connection touches. */
export interface ConnectionContext extends Pick<Context, 'redactor' | 'load'> {
  host: LedgerHost & Pick<Host, 'interrupted' | 'version'>;
}

/** One run of a command with the gateway of a profile. */
export interface CommandRun {
  context: ConnectionContext;
  account: ChosenAccount;
  options: RequestOptions;
  parts: Partial<ConnectionParts>;
}

export class GatewayWire {
  readonly #run: CommandRun;
  #credentials: Promise<Credentials | undefined> | undefined;
  #connected: Promise<Wire> | undefined;
  /** Whether all of gw that may still be needed can be loaded, whatever an update does; undefined before a change. */
  #isKept: boolean | undefined;

  constructor(run: CommandRun) {
    this.#run = run;
  }

  /** Base address and user agent of requests. */
  get addressee() {
    const { account, context } = this.#run;
    return { baseUrl: account.profile.baseUrl, userAgent: `gw/${context.host.version}` };
  }

  /** @throws Failure auth if there are none, or they cannot be read */
  credentials(): Promise<Credentials | undefined> {
    this.#credentials ??= this.#readCredentials();
    return this.#credentials;
  }

  /** They are hidden in everything that is stored or shown from here on. */
  async #readCredentials(): Promise<Credentials | undefined> {
    const { account, context } = this.#run;
    const credentials = await account.credentials();
    const { username, api_token } = LOCAL_CREDENTIALS;
    context.redactor.addCredentials(
      credentials?.username ?? username,
      credentials?.apiToken.reveal() ?? api_token,
    );
    return credentials;
  }

  /** Username of the account. Reads the credentials but sends nothing. */
  async username(): Promise<string> {
    return (await this.credentials())?.username ?? LOCAL_CREDENTIALS.username;
  }

  /**
   * @param effect of the request that follows
   * @throws Failure guard if gw was replaced since it started, so that it could not show the outcome of a change
   */
  connect(effect: Effect): Promise<Wire> {
    if (effect !== 'read') this.#isKept ??= this.#run.context.load?.keepAll() ?? true;
    if (effect !== 'read' && !this.#isKept)
      throw refusal(
        'program-replaced',
        'gw was replaced on this machine since this command started.',
        'Run the command again.',
      );
    this.#connected ??= this.#open();
    return this.#connected;
  }

  /** A connection that could not be opened is not there to close, and its request has said why. */
  async close(): Promise<void> {
    const wire = await this.#connected?.catch(() => undefined);
    await wire?.sender.close();
  }

  /**
   * Hides the body's card numbers in every later output. The body's identifiers stay visible, even if they look like
   * card numbers.
   */
  hideCards(body: Json = null): void {
    const { redactor } = this.#run.context;
    redactor.addIdentifiers(body);
    eachField(body, (name, value) => {
      if (name === 'card_number' && typeof value === 'string') redactor.addCardNumber(value);
    });
  }

  async #open(): Promise<Wire> {
    const { context, account, options, parts: own } = this.#run;
    const { host, redactor } = context;
    const { env, clock, files, interrupted } = host;
    const credentials = await this.credentials();
    const username = await this.username();
    const apiToken = credentials?.apiToken.reveal() ?? LOCAL_CREDENTIALS.api_token;
    const parts = { inFlight: 1, interrupted, openSender, random: Math.random, ...own };
    const embedded = account.profile.environment === 'local' ? emulatorPath(files) : undefined;
    return {
      ...this.addressee,
      authorization: basicAuthorization(username, apiToken),
      sender: await parts.openSender({ embedded, clock, inFlight: parts.inFlight, env }),
      clock,
      random: parts.random,
      interrupted: parts.interrupted,
      timeoutMs: options.timeoutMs,
      trace: parts.trace,
      onPause: parts.onPause,
      scrub: (text: string) => redactor.scrubKnown(text),
      renewal: credentials?.renewal,
    };
  }
}

export interface SenderNeeds {
  /** Path of the test gateway's state; undefined for another gateway. */
  embedded: string | undefined;
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Maximum number of requests at once. */
  inFlight: number;
  env: Readonly<Record<string, string | undefined>>;
}

/** @throws Failure usage if the proxies of the environment cannot be used */
export async function openSender({ embedded, clock, inFlight, env }: SenderNeeds): Promise<Sender> {
  if (embedded !== undefined) {
    const { createEmbeddedSender } = await import('../senders/embedded.ts');
    return createEmbeddedSender(embedded, clock);
  }
  if (inFlight > 1 || hasProxies(env)) {
    const { createPooledSender } = await import('../senders/pooled.ts');
    return createPooledSender({ connections: inFlight, env });
  }
  const { createSingleSender } = await import('../senders/single.ts');
  return createSingleSender();
}
