/** Adds a deed, which is what a person did to a record (src/things/deed.ts), to the JSON list of the record. */
import type { SqlQuery } from '../sql.ts';

/** A deed with its note last. Everything before the note identifies the deed, because `gw forget` blanks notes. */
export type StoredDeed = Readonly<{ note: string | null }>;

const ADD = `
  UPDATE gw.records
     SET deeds = rtrim(deeds, ']') || CASE WHEN deeds = '[]' THEN '' ELSE ',' END || :deed || ']'
   WHERE account = :account AND kind = :kind AND id = :id AND replace(deeds, :identity, '') = deeds`;

/** @returns the text of a deed, with its note last */
export function deedText({ note, ...identity }: StoredDeed): string {
  return JSON.stringify({ ...identity, note });
}

/** @returns the statement that adds a deed to a record in a file, unless the record has it already */
export function addDeed(
  { account, kind, id }: Readonly<Record<'account' | 'kind' | 'id', string>>,
  deed: StoredDeed,
): SqlQuery {
  const { note: _, ...identity } = deed;
  const identityText = JSON.stringify(identity).slice(0, -1);
  return [ADD, [deedText(deed), account, kind, id, identityText]];
}
