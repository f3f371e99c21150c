/**
 * Whose documents are meant: those of one account and of one environment. What has no account, such as an event,
 * is told by the profile that was in use. This is the one rule of all lists and reports, in the three
 * forms in which it is asked.
 */
import type { Document } from './document.ts';

export interface SearchScope {
  profile: string;
  /** null of a profile that is gone: whatever it was. */
  environment: 'live' | 'sandbox' | 'local' | null;
  /** As base/account.ts has it; null where none is known. */
  account: string | null;
  /** Of the gateway, with its port; none where it is not known. */
  host?: string | null;
}

/** Expressions of SQL, in place of each value of a scope. */
export type ScopeValues = Record<keyof SearchScope, string>;

/** A scope as both stores have its values. A server is told what they are, since one may be NULL. */
export const SCOPE: ScopeValues = {
  profile: ':profile::text',
  environment: ':environment::text',
  account: ':account::text',
  host: ':host::text',
};

/** @returns the values of `SCOPE`, as a statement takes them */
export function namedValues({ profile, environment, account, host = null }: SearchScope) {
  return { profile, environment, account, host };
}

/**
 * The sandbox has two names: events of the embedded gateway say Sandbox too.
 * @param mode column with what the event says of it
 * @returns a condition of SQL on events: they are of the scope; never NULL
 */
export function eventIsOurs(
  { profile, environment }: Pick<ScopeValues, 'profile' | 'environment'>,
  mode: string,
): string {
  return `coalesce(profile = ${profile} AND (${mode} IS NULL OR ${environment} IS NULL
    OR (lower(${mode}) = 'live') = (${environment} = 'live')), false)`;
}

/** @returns the same of documents; of records and money requests the account tells */
export function documentIsOurs(scope: ScopeValues): string {
  return `CASE WHEN account IS NULL THEN ${eventIsOurs(scope, 'environment')}
    ELSE coalesce(account = ${scope.account}, false) END`;
}

/** @returns whether a document, or what has the same of it, is of that account and environment */
export function isOurs(
  document: Pick<Document, 'account' | 'profile' | 'environment'>,
  { account, profile, environment }: SearchScope,
): boolean {
  if (document.account !== null) return document.account === account;
  if (document.profile !== profile) return false;
  if (environment === null || document.environment === null) return true;
  return (document.environment.toLowerCase() === 'live') === (environment === 'live');
}
