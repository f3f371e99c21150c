/**
 * Selects the things of one account and one environment. Things without an account, such as events, belong to the
 * profile that was in use. All lists and reports follow this one rule, in the three forms below.
 */
import type { Thing } from './thing.ts';

export interface SearchScope {
  profile: string;
  /** null for a profile that is gone: it matches any environment. */
  environment: 'live' | 'sandbox' | 'local' | null;
  /** Environment and username (base/account.ts); null if none is known. */
  account: string | null;
  /** The host of the gateway with its port; undefined if it is unknown. */
  host?: string | null;
}

/** SQL expressions for the values of a scope. */
export type ScopeValues = Record<keyof SearchScope, string>;

/** The scope as parameters in both stores. A server needs the types, since a value may be NULL. */
export const SCOPE: ScopeValues = {
  profile: ':profile::text',
  environment: ':environment::text',
  account: ':account::text',
  host: ':host::text',
};

/** @returns the values of `SCOPE` for a statement */
export function namedValues({ profile, environment, account, host = null }: SearchScope) {
  return { profile, environment, account, host };
}

/**
 * The sandbox has two names: events of the test gateway say Sandbox too.
 * @param mode the column with the event's mode
 * @returns an SQL condition that is true for events in the scope; never NULL
 */
export function eventIsOurs(
  { profile, environment }: Pick<ScopeValues, 'profile' | 'environment'>,
  mode: string,
): string {
  return `coalesce(profile = ${profile} AND (${mode} IS NULL OR ${environment} IS NULL
    OR (lower(${mode}) = 'live') = (${environment} = 'live')), false)`;
}

/** @returns the same condition on things; records and money requests are selected by their account */
export function thingIsOurs(scope: ScopeValues): string {
  return `CASE WHEN account IS NULL THEN ${eventIsOurs(scope, 'environment')}
    ELSE coalesce(account = ${scope.account}, false) END`;
}

/** @returns whether a thing, or anything with these fields, belongs to that account and environment */
export function isOurs(
  thing: Pick<Thing, 'account' | 'profile' | 'environment'>,
  { account, profile, environment }: SearchScope,
): boolean {
  if (thing.account !== null) return thing.account === account;
  if (thing.profile !== profile) return false;
  if (environment === null || thing.environment === null) return true;
  return (thing.environment.toLowerCase() === 'live') === (environment === 'live');
}
