/**
 * Decides whose rows a list, search, report or completion shows, of everything seen, sent and received here. They are
 * the rows of the profile in use, by its account and environment (things/owner.ts). client/profiles/resolve.ts finds
 * that profile: the flag, then the variables, then the default profile. With --all-profiles, or if no profile is
 * chosen, the rows of all profiles are shown.
 */
import { accountAt } from '../../base/account.ts';
import type { LedgerChoice, LedgerSources } from '../../client/ledger/place.ts';
import { accountOf, ENVIRONMENT_PROFILE, type Profile } from '../../client/profiles/profile.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { Failure } from '../../failure.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { Owner } from '../../things/owner.ts';
import type { SearchIndex, SearchQuery } from '../../things/thing-index.ts';

/** The part of an `Owner` that flags choose: its profile. */
export interface ProfileChoice {
  /** The profile that the user named, if any. */
  profile: string | undefined;
  /** true for the rows of all profiles. */
  isOfAll: boolean;
}

/** @returns the choice that `ofProfileFlags` give */
export function profileChoice(flags: {
  profile?: string | undefined;
  'all-profiles'?: boolean | undefined;
}): ProfileChoice {
  return { profile: flags.profile, isOfAll: flags['all-profiles'] ?? false };
}

/** The owner of the rows to show, before the ledger says its account (`scopeOf`), and the ledger to ask. */
export interface ProfileScope extends LedgerChoice {
  /** The profile whose rows are shown, or undefined for all. */
  of: Pick<Profile, 'name' | 'environment' | 'baseUrl'> | undefined;
}

/** @returns ` of the profile shop`, for a sentence about missing rows; empty for all profiles */
export function scopePhrase({ of }: ProfileScope): string {
  if (of === undefined) return '';
  if (of.name === ENVIRONMENT_PROFILE) return ` of GW_USERNAME at ${of.baseUrl.host}`;
  return ` of the profile ${of.name}`;
}

/** The message if only other profiles have matches. */
export const OTHERS_HAVE = 'Other profiles have matches. Add --all-profiles to see them.\n';

/** @returns a message if the profile in use has no match, but others have; otherwise empty */
export async function othersHave(
  { of }: ProfileScope,
  things: Pick<SearchIndex, 'search'>,
  asked: Omit<SearchQuery, 'limit' | 'scope'>,
): Promise<string> {
  const others = of ? await things.search({ ...asked, limit: 1 }) : [];
  return others.length > 0 ? OTHERS_HAVE : '';
}

/** @throws Failure usage if the flag, the variables or the default profile name no known profile */
export async function profileScope(
  { env, files }: LedgerSources,
  { profile: flag, isOfAll }: ProfileChoice,
): Promise<ProfileScope> {
  if (isOfAll) return { profile: flag, of: undefined };
  try {
    const { profile } = await resolveProfile({ flag, env, files });
    return { profile, of: profile };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'auth' && !(flag ?? env.GW_PROFILE)) return { of: undefined };
    throw error;
  }
}

/** @returns the scope of the rows to show; undefined for all */
export async function scopeOf(
  host: Pick<LedgerSources, 'env'>,
  { of }: ProfileScope,
  known: Pick<Ledger, 'accountOf'>,
): Promise<Owner | undefined> {
  return of && scopeOfProfile(host, of, known);
}

/** A list does not read credentials, so the account is the one that the profile last used. */
export async function scopeOfProfile(
  { env }: Pick<LedgerSources, 'env'>,
  of: NonNullable<ProfileScope['of']>,
  known: Pick<Ledger, 'accountOf'>,
): Promise<Owner> {
  const { name: profile, baseUrl, environment } = of;
  const isLocal = environment === 'local';
  const owner = { profile, environment, host: isLocal ? 'embedded' : baseUrl.host };
  const username = isLocal
    ? LOCAL_CREDENTIALS.username
    : profile === ENVIRONMENT_PROFILE && env.GW_USERNAME;
  if (username) return { ...owner, account: accountOf(environment, username, baseUrl) };
  const account = await known.accountOf({ profile, environment });
  return { ...owner, account: account && accountAt(account, baseUrl) };
}
