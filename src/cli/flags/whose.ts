/**
 * Whose rows are shown of what was seen, sent and received here, the same for every list, search, report
 * and completion: those of the profile in use, by its account and environment (index/scope.ts). Which that is
 * says client/profiles/resolve.ts: the flag, else the variables, else the default profile. With --all-profiles, or
 * where no profile is chosen, those of all.
 */
import { accountAt } from '../../base/account.ts';
import type { LedgerChoice, LedgerSources } from '../../client/ledger/place.ts';
import { accountOf } from '../../client/profiles/credentials.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../../client/profiles/profile.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { Failure } from '../../failure.ts';
import type { SearchScope } from '../../index/scope.ts';
import type { SearchIndex, SearchQuery } from '../../index/search-index.ts';
import type { Ledger } from '../../journal/ledger.ts';

export interface ProfileChoice {
  /** The profile that was named, if one was. */
  profile: string | undefined;
  /** true for rows of all profiles. */
  isOfAll: boolean;
}

/** @returns what `ofProfileFlags` say */
export function profileChoice(flags: {
  profile?: string | undefined;
  'all-profiles'?: boolean | undefined;
}): ProfileChoice {
  return { profile: flags.profile, isOfAll: flags['all-profiles'] ?? false };
}

export interface Whose extends LedgerChoice {
  /** Whose rows; without an environment that of a name which no profile has any more. undefined for all. */
  of: (Pick<Profile, 'name'> & Partial<Pick<Profile, 'environment' | 'baseUrl'>>) | undefined;
}

/** @returns ` of shop`, for a sentence about what is not there; empty for all */
export function ofWhom({ of }: Whose): string {
  return of ? ` of ${of.name}` : '';
}

/** Said where nothing was found of the profile in use. */
export const OTHERS_HAVE = 'Other profiles have matches. Add --all-profiles to see them.\n';

/** @returns what to say where nothing was found of the profile in use, if there is anything to say */
export async function othersHave(
  { of }: Whose,
  documents: Pick<SearchIndex, 'search'>,
  asked: Omit<SearchQuery, 'limit' | 'scope'>,
): Promise<string> {
  const others = of ? await documents.search({ ...asked, limit: 1 }) : [];
  return others.length > 0 ? OTHERS_HAVE : '';
}

/** @throws Failure usage when the variables, or the default profile, name none that can be told */
export async function whose(
  { env, files }: LedgerSources,
  { profile: flag, isOfAll }: ProfileChoice,
): Promise<Whose> {
  if (isOfAll) return { profile: flag, of: undefined };
  try {
    const { profile } = await resolveProfile({ flag, env, files });
    return { profile, of: profile };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const name = flag ?? env.GW_PROFILE;
    if (error.code === 'profile-unknown' && name) return { profile: name, of: { name } };
    if (error.kind === 'auth' && !name) return { of: undefined };
    throw error;
  }
}

/** @returns the scope of whose rows are meant; undefined for all */
export async function scopeOf(
  host: Pick<LedgerSources, 'env'>,
  { of }: Whose,
  known: Pick<Ledger, 'accountOf'>,
): Promise<SearchScope | undefined> {
  return of && scopeOfProfile(host, of, known);
}

/** Credentials are not read for a list: the account is the one that the profile was last used with. */
export async function scopeOfProfile(
  { env }: Pick<LedgerSources, 'env'>,
  of: NonNullable<Whose['of']>,
  known: Pick<Ledger, 'accountOf'>,
): Promise<SearchScope> {
  const { name: profile, baseUrl } = of;
  const environment = of.environment ?? null;
  if (environment === 'local')
    return { profile, environment, account: accountOf('local', LOCAL_CREDENTIALS.username) };
  const host = baseUrl?.host ?? null;
  if (environment && profile === ENVIRONMENT_PROFILE && env.GW_USERNAME)
    return {
      profile,
      environment,
      account: accountOf(environment, env.GW_USERNAME, baseUrl),
      host,
    };
  const account = await known.accountOf({ profile, environment });
  return {
    profile,
    environment,
    account: account && baseUrl ? accountAt(account, baseUrl) : account,
    host,
  };
}
