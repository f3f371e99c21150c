/** Names that begin with a text, for whoever completes a command line: in bounded time, from a file that is only read. */
import { all, type Work } from '../store/sql.ts';
import type { Fact, FactKind } from './document.ts';
import { fold } from './normalise.ts';
import { type FactScope, factIsOurs, namedValues, SCOPE } from './scope.ts';

/** Of all facts of a kind, or of all that are called so, the newest are looked at. */
const MAX_LOOKED_AT = 2_000;
const MAX_FOUND = 100;

export type NamedFact = Pick<
  Fact,
  'kind' | 'id' | 'reference' | 'who' | 'email' | 'amount' | 'currency' | 'label'
>;

const COLUMNS = 'kind, id, reference, who, email, amount, currency, label';

/**
 * @param prefix what an id, a reference or an email begins with; '' for the newest of all
 * @param scope whose; undefined for all
 * @returns newest first
 */
export function* knownNames({
  kinds,
  prefix,
  scope,
}: {
  kinds: readonly FactKind[];
  prefix: string;
  scope: FactScope | undefined;
}): Work<NamedFact[]> {
  const from = fold(prefix);
  const values = {
    kinds,
    ...(scope && namedValues(scope)),
    found: MAX_FOUND,
  };
  const isWanted = `kind = ANY (:kinds)
                    AND ${scope ? factIsOurs(SCOPE) : 'true'}`;
  if (from === '') {
    return yield* all<NamedFact>(
      `SELECT ${COLUMNS} FROM (SELECT * FROM gw.facts ORDER BY doc DESC LIMIT ${MAX_LOOKED_AT}) AS facts
        WHERE ${isWanted} ORDER BY doc DESC LIMIT :found`,
      values,
    );
  }
  return yield* all<NamedFact>(
    `SELECT ${COLUMNS} FROM gw.facts
      WHERE doc IN (SELECT doc FROM gw.fact_keys WHERE key >= :from AND key < :until LIMIT ${MAX_LOOKED_AT})
        AND ${isWanted} ORDER BY doc DESC LIMIT :found`,
    { ...values, from, until: `${from}\u{10ffff}` },
  );
}
