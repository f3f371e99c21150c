/** Whose purchases or tokens are, as the index of a server knows it (index/customer-of-purchase.ts). */
import type { RunStatement } from '../../store/postgres/server.ts';
import type { KnownOwner } from '../document-of-request.ts';
import { fold } from '../normalise.ts';
import { plain } from './postgres-write-facts.ts';

/**
 * @param names ids of purchases, or tokens
 * @returns for each that is known, by the name as it was given, what `ownerOf` says
 */
export async function ownersOf(
  run: RunStatement,
  names: readonly string[],
): Promise<Map<string, KnownOwner>> {
  if (names.length === 0) return new Map();
  const rows = await run<KnownOwner & { key: string }>(
    `SELECT asked.key, owner.who, owner.last_four AS "lastFour"
       FROM unnest($1::text[]) AS asked (key)
      CROSS JOIN LATERAL (
        SELECT facts.who, facts.last_four
          FROM gw.fact_keys JOIN gw.facts ON facts.doc = fact_keys.doc
         WHERE fact_keys.key = asked.key AND asked.key = ANY (facts.keys)
           AND facts.who IS NOT NULL AND facts.kind <> 'request'
         ORDER BY fact_keys.doc DESC LIMIT 1) AS owner`,
    [[...new Set(names.map(keyOf))]],
  );
  const owners = new Map(rows.map(({ key, who, lastFour }) => [key, { who, lastFour }]));
  return new Map(
    names.flatMap((name) => {
      const owner = owners.get(keyOf(name));
      return owner ? [[name, owner]] : [];
    }),
  );
}

const keyOf = (name: string) => plain(fold(name));
