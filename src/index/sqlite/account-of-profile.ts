/** Which account a profile was last used with, by the index in a file. */
import type { Queries } from '../../store/sqlite/queries.ts';
import { FACT_KINDS } from '../document.ts';
import type { FactScope } from '../scope.ts';
import { markOf } from '../search-terms.ts';

/**
 * By the marks, since a name that was never used would else be looked for in every fact.
 * @returns null where none is known
 */
export function accountOfProfile(
  queries: Queries,
  { profile, environment }: Pick<FactScope, 'profile' | 'environment'>,
): string | null {
  const newest = FACT_KINDS.filter((kind) => kind !== 'event').flatMap((kind) =>
    queries.all<{ seenAt: string; account: string }>(
      `SELECT seen_at AS seenAt, account FROM facts_text CROSS JOIN facts ON doc = facts_text.rowid
        WHERE facts_text MATCH :match AND kind = :kind AND profile = :profile AND account IS NOT NULL
          AND (:environment IS NULL OR environment = :environment)
        ORDER BY facts_text.rowid DESC LIMIT 1`,
      {
        match: `"${markOf('kind', kind)}" AND "${markOf('profile', profile)}"`,
        ...{ kind, profile, environment },
      },
    ),
  );
  newest.sort((one, other) => (one.seenAt < other.seenAt ? 1 : -1));
  return newest[0]?.account ?? null;
}
