/** Defines profiles, their names, the built-in profile, and the account that a profile uses. */
import { accountAt, type Environment } from '../../base/account.ts';
import { usage } from '../../failure.ts';
import { parseCaps } from '../../journal/caps.ts';
import type { Cap } from '../../journal/rules.ts';

export interface Profile {
  readonly name: string;
  readonly environment: Environment;
  /** Base address of the gateway, without a slash at the end of its path. */
  readonly baseUrl: URL;
  /** Name of the merchant at the head of receipts and of the owner's page. */
  readonly merchantName?: string | undefined;
  /** ISO 4217 code for amounts without one. */
  readonly currency?: string | undefined;
  /** true permits only reads. */
  readonly readOnly?: boolean | undefined;
  /** The largest amount of one request, in minor units of the currency. */
  readonly maxAmount?: number | undefined;
  /** The only commands permitted, for example `purchase get`. */
  readonly allowedCommands?: readonly string[] | undefined;
  /** true refuses refunds, stops and deletions without a note. */
  readonly requireNote?: boolean | undefined;
  /** The caps of an hour and of a day as they are typed (src/journal/caps.ts); `capsOf` has them all. */
  readonly maxPerHour?: readonly string[] | undefined;
  readonly maxPerDay?: readonly string[] | undefined;
  /** Amounts as they are typed, above which another person has to approve (src/client/guards/rules.ts). */
  readonly twoPersonsAbove?: readonly string[] | undefined;
  /** false keeps only the journal of what is sent and seen. */
  readonly remember?: boolean | undefined;
  /** For so many days, entries are deleted only if the user types a name; `KEEP_DAYS` if undefined. */
  readonly keepDays?: number | undefined;
  /** Command that prints username and token as JSON. */
  readonly credentialCommand?: string | undefined;
  /** Address of the ledger that a team shares; without one, gw uses this user's file. */
  readonly ledger?: string | undefined;
  /** Command that prints the password of the ledger's server. */
  readonly ledgerCommand?: string | undefined;
}

/**
 * @param profile with texts that `parseCaps` reads
 * @returns the caps of a profile; an amount without a currency is in the profile's
 */
export function capsOf({
  maxPerHour = [],
  maxPerDay = [],
  currency,
}: Pick<Profile, 'maxPerHour' | 'maxPerDay' | 'currency'>): Cap[] {
  const read = (per: Cap['per']) => (text: string) => parseCaps(text, per, currency) ?? [];
  return [...maxPerHour.flatMap(read('hour')), ...maxPerDay.flatMap(read('day'))];
}

/** The profile that GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT define together. */
export const ENVIRONMENT_PROFILE = 'environment';

/**
 * A year and a month: for about so long, a payment is refunded or charged back, so that a repeat of its request would
 * be taken for a new one.
 */
export const KEEP_DAYS = 400;

/** The variables that define a profile together. */
export const PROFILE_VARIABLES = [
  'GW_USERNAME',
  'GW_API_TOKEN',
  'GW_BASE_URL',
  'GW_ENVIRONMENT',
] as const;

/** The file with the profiles, in gw's configuration directory. */
export const PROFILES_FILE = 'profiles.json';

/**
 * The test gateway. The user must name it. If it were ever a default, a script that lost its credentials would go
 * on and "succeed" against an emulator. Its address is that of the served gateway, which has the same state.
 */
export const LOCAL_PROFILE: Profile = {
  name: 'local',
  environment: 'local',
  get baseUrl() {
    return new URL('http://127.0.0.1:4010');
  },
  currency: 'AUD',
};

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** @throws Failure usage if no profile, stored or built in, can have the name */
export function checkName(name: string, whatItIs = 'That'): void {
  if (!NAME.test(name)) {
    throw usage(
      'profile-name-invalid',
      `${whatItIs} is not a valid profile name.`,
      'Use up to 64 lowercase letters, digits, dots, dashes and underscores, starting with a letter or digit: sandbox, live, shop-2.',
    );
  }
}

/** @throws Failure usage if a stored profile cannot have the name */
export function checkOwnName(name: string): void {
  checkName(name);
  if (name === LOCAL_PROFILE.name) {
    throw usage(
      'profile-name-reserved',
      'local is the built-in test gateway. It needs no credentials, and cannot be changed, removed or made the default.',
      'To use it, add --profile local or set GW_PROFILE=local.',
    );
  }
  if (name === ENVIRONMENT_PROFILE) {
    throw usage(
      'profile-name-reserved',
      'GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT define the profile environment together. gw stores nothing for it.',
      'Choose another name, such as sandbox or live.',
    );
  }
}

/** @returns the fault of a stored profile's name, or undefined */
export function faultOfOwnName(name: string): string | undefined {
  if (!NAME.test(name)) return 'is not a valid profile name';
  const isReserved = name === LOCAL_PROFILE.name || name === ENVIRONMENT_PROFILE;
  return isReserved ? 'is a name that gw reserves' : undefined;
}

/** These names promise an environment to people who read them beside a payment. */
const PROMISES: Readonly<Record<string, 'live' | 'sandbox'>> = {
  sandbox: 'sandbox',
  live: 'live',
};

/** Names that gw suggests. */
export const PROPOSED_PROFILES = Object.entries(PROMISES).map(([name, environment]) => ({
  name,
  environment,
}));

/** @returns the environment that the name promises, if any */
export function promisedEnvironment(name: string): 'live' | 'sandbox' | undefined {
  return Object.hasOwn(PROMISES, name) ? PROMISES[name] : undefined;
}

/**
 * Leaves out the host and the profile's name, so an account is the same under every name of its gateway. Leaves out
 * the API token, because it is rotated. A gateway on this machine has only its port as a name, so the port follows.
 * @param baseUrl base address of the gateway; undefined for the embedded one in this process
 * @returns the account as base/account.ts describes it
 */
export function accountOf(environment: Environment, username: string, baseUrl?: URL): string {
  const account = `${environment}/${username}`;
  return environment === 'local' || !baseUrl ? account : accountAt(account, baseUrl);
}
