/** What a profile is, which names it may have, and the one that is built in. */
import { usage } from '../../failure.ts';

export type Environment = 'live' | 'sandbox' | 'local';

export interface Profile {
  readonly name: string;
  readonly environment: Environment;
  /** Base address of the gateway; its path has no slash at the end. */
  readonly baseUrl: URL;
  /** Name of the merchant, for receipts; without one the name of the profile. */
  readonly merchant?: string | undefined;
  /** ISO 4217 code of the amounts that come without one. */
  readonly currency?: string | undefined;
  /** true when only reads are permitted. */
  readonly readOnly?: boolean | undefined;
  /** The largest amount of one request, in minor units. */
  readonly maxAmount?: number | undefined;
  /** The only commands permitted, for example `purchase get`. */
  readonly allowedCommands?: readonly string[] | undefined;
  /** false when nothing but the journal is to be kept of what is sent and seen. */
  readonly remember?: boolean | undefined;
  /** Prints username and token as JSON. */
  readonly credentialCommand?: string | undefined;
  /** Address of the ledger that a team shares; without one the file of this user. */
  readonly ledger?: string | undefined;
  /** Prints the password of the ledger's server. */
  readonly ledgerCommand?: string | undefined;
}

/** The profile that GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT make together. */
export const ENVIRONMENT_PROFILE = 'environment';

/**
 * The embedded gateway. It must be named: were it ever a default, a script that lost its
 * credentials would go on and "succeed" against an emulator. Its address is that of a served one,
 * which has the same state.
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

/** @throws Failure usage when no profile, stored or built in, can have the name */
export function checkName(name: string): void {
  if (!NAME.test(name)) {
    throw usage(
      'profile-name-invalid',
      'That is not a valid profile name.',
      'Use up to 64 lowercase letters, digits, dots, dashes and underscores, starting with a letter or digit: sandbox, live, shop-2.',
    );
  }
}

/** @throws Failure usage when a stored profile cannot have the name */
export function checkOwnName(name: string): void {
  checkName(name);
  if (name === LOCAL_PROFILE.name) {
    throw usage(
      'profile-name-reserved',
      'local is the embedded gateway: it is built in, needs no credentials and cannot be the default.',
      'To use it, add --profile local or set GW_PROFILE=local.',
    );
  }
  if (name === ENVIRONMENT_PROFILE) {
    throw usage(
      'profile-name-reserved',
      'environment is the profile that GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT define together. Nothing is stored for it.',
      'Choose another name, such as sandbox or live.',
    );
  }
}

/** @returns what is wrong with the name of a stored profile, or undefined */
export function faultOfOwnName(name: string): string | undefined {
  if (!NAME.test(name)) return 'is not a valid profile name';
  const isReserved = name === LOCAL_PROFILE.name || name === ENVIRONMENT_PROFILE;
  return isReserved ? 'is a name that gw reserves' : undefined;
}

/** A name promises something to whoever reads it beside a payment. */
const PROMISES: Readonly<Record<string, 'live' | 'sandbox'>> = {
  sandbox: 'sandbox',
  live: 'live',
};

/** The names that gw proposes. */
export const PROPOSED_PROFILES = Object.entries(PROMISES).map(([name, environment]) => ({
  name,
  environment,
}));

/** @returns the environment of a profile of this name, where the name says it */
export function promisedEnvironment(name: string): 'live' | 'sandbox' | undefined {
  return Object.hasOwn(PROMISES, name) ? PROMISES[name] : undefined;
}
