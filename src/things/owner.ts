/**
 * Decides whose a row is. gw never mixes what it knows of one account with what it knows of another. Every list, report,
 * guard and look-up of a name asks `isOwnedBy`, and `ownerCondition` has the rule of lists in SQL.
 *
 * If both sides have an account, it decides alone. A webhook event names none, and a profile that was never used has
 * none yet. Then the rule decides by the profile.
 */

/** The owner of a row, or of the rows that a command wants. */
export interface Owner<Value = string | null> {
  /** Environment and username (base/account.ts). */
  account: Value;
  profile: Value;
  /** `live`, `sandbox` or `local`; of an event, the mode that it states. */
  environment: Value;
  /** The host of the gateway, with its port. */
  host: Value;
}

/**
 * @param rule counts if an account is unknown.
 *   `same`, for the rows of one thing: neither has an account, and profile and environment are the same.
 *   `listed`, for lists: the row alone may lack an account. It has the profile, and no other environment.
 *   `named`, for what a name may mean: profile and host do not differ, as far as both are known.
 * @returns whether the row is the owner's
 */
export function isOwnedBy(
  row: Omit<Owner, 'host'>,
  owner: Omit<Owner, 'host'>,
  rule: 'same' | 'listed',
): boolean;
export function isOwnedBy(
  row: Omit<Owner, 'environment'>,
  owner: Omit<Owner, 'environment'>,
  rule: 'named',
): boolean;
export function isOwnedBy(
  row: Partial<Owner>,
  owner: Partial<Owner>,
  rule: 'same' | 'listed' | 'named',
): boolean {
  if (row.account !== null && owner.account !== null) return row.account === owner.account;
  switch (rule) {
    case 'same':
      if (row.account !== owner.account) return false;
      return row.profile === owner.profile && row.environment === owner.environment;
    case 'listed':
      if (row.account !== null || row.profile === null || row.profile !== owner.profile)
        return false;
      if (row.environment == null || owner.environment == null) return true;
      // The sandbox has two names: events of the test gateway say Sandbox too.
      return (row.environment.toLowerCase() === 'live') === (owner.environment === 'live');
    // An event without a profile belongs to the owner of the ids that it names.
    case 'named':
      return fits(row.profile, owner.profile) && fits(row.host, owner.host);
  }
}

function fits(one?: string | null, other?: string | null): boolean {
  return one == null || other == null || one === other;
}

/** SQL expressions for an owner of whom rows are listed. */
type OwnerSql = Record<'account' | 'profile' | 'environment', string>;

/** The values of `ownerValues` as parameters. A server needs the types, since a value may be NULL. */
const VALUES: OwnerSql = {
  account: ':account::text',
  profile: ':profile::text',
  environment: ':environment::text',
};

/** @returns the values of an owner for a statement with `ownerCondition` */
export function ownerValues({ account, profile, environment }: Owner) {
  return { account, profile, environment };
}

/**
 * @param owner the owner's values
 * @param row the columns of a row
 * @returns the condition that a row is listed as the owner's; never NULL
 */
export function ownerCondition(
  owner = VALUES,
  row: OwnerSql = { account: 'account', profile: 'profile', environment: 'environment' },
): string {
  return `CASE WHEN ${row.account} IS NULL
    THEN coalesce(${row.profile} = ${owner.profile}
      AND (${row.environment} IS NULL OR ${owner.environment} IS NULL
        OR (lower(${row.environment}) = 'live') = (${owner.environment} = 'live')), false)
    ELSE coalesce(${row.account} = ${owner.account}, false) END`;
}

/** @returns the distinct accounts of rows, those with an account first; skips rows without a profile */
export function ownersOf(rows: readonly Owner[]): Owner[] {
  const owners: Owner[] = [];
  // An account identifies more than a profile does, so rows with an account come first.
  const sorted = rows.toSorted((one, other) => Number(!one.account) - Number(!other.account));
  for (const { account, profile, environment, host } of sorted) {
    const owner = { account, profile, environment, host };
    if (profile !== null && !owners.some((one) => isOwnedBy(one, owner, 'named')))
      owners.push(owner);
  }
  return owners;
}
