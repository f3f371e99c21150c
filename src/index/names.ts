/** Names that begin with a text, for whoever completes a command line: in bounded time, from a file that is only read. */
import { all, type Work } from '../store/sql.ts';
import type { Document, DocumentKind } from './document.ts';
import { fold } from './normalise.ts';
import { documentIsOurs, namedValues, SCOPE, type SearchScope } from './scope.ts';

/** Of all documents of a kind, or of all that are called so, the newest are looked at. */
const MAX_LOOKED_AT = 2_000;
const MAX_FOUND = 100;

export type NamedDocument = Pick<
  Document,
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
  kinds: readonly DocumentKind[];
  prefix: string;
  scope: SearchScope | undefined;
}): Work<NamedDocument[]> {
  const from = fold(prefix);
  const values = {
    kinds,
    ...(scope && namedValues(scope)),
    found: MAX_FOUND,
  };
  const isWanted = `kind = ANY (:kinds)
                    AND ${scope ? documentIsOurs(SCOPE) : 'true'}`;
  if (from === '') {
    return yield* all<NamedDocument>(
      `SELECT ${COLUMNS} FROM (SELECT * FROM gw.documents ORDER BY doc DESC LIMIT ${MAX_LOOKED_AT}) AS documents
        WHERE ${isWanted} ORDER BY doc DESC LIMIT :found`,
      values,
    );
  }
  return yield* all<NamedDocument>(
    `SELECT ${COLUMNS} FROM gw.documents
      WHERE doc IN (SELECT doc FROM gw.document_keys WHERE key >= :from AND key < :until LIMIT ${MAX_LOOKED_AT})
        AND ${isWanted} ORDER BY doc DESC LIMIT :found`,
    { ...values, from, until: `${from}\u{10ffff}` },
  );
}
