/** All facts that fit, page by page (PostgreSQL): a page is so many that are looked at, found or not. */
import type { RunStatement } from '../../store/postgres/server.ts';
import { FACT_COLUMNS } from '../fact-columns.ts';
import type { FactFilter } from '../search-index.ts';
import { conditionsOf, orderOf, rangeOf, Values } from './postgres-conditions.ts';
import type { FoundRow } from './postgres-search.ts';

const LOOKED_AT = 2_000;
const COLUMNS = FACT_COLUMNS.replaceAll(/ AS (\w+)/g, ' AS "$1"');

interface Page {
  /** Oldest first. */
  rows: FoundRow[];
  /** The next page comes after it; undefined where there is none. */
  last: string | undefined;
}

/** @param after the last `doc` of the page before */
export async function pageOf(
  run: RunStatement,
  filter: FactFilter,
  after: string | undefined,
): Promise<Page> {
  const values = new Values();
  const order = orderOf(values, filter, rangeOf(filter));
  const behind = after === undefined ? [] : [`doc > ${values.add(after)}::bigint`];
  const looked = [...order.looked, ...behind, 'true'].join(' AND ');
  const by = order.by('ASC');
  const fits = [...conditionsOf(values, filter), 'true'].join(' AND ');
  const rows = await run<FoundRow & { last: string | null }>(
    `SELECT edge.last, found.*
       FROM (SELECT (SELECT doc::text FROM gw.facts WHERE ${looked}
                      ORDER BY ${by} OFFSET ${LOOKED_AT - 1} LIMIT 1) AS last) AS edge
       LEFT JOIN LATERAL (
         SELECT ${COLUMNS}
           FROM (SELECT * FROM gw.facts WHERE ${looked} ORDER BY ${by} LIMIT ${LOOKED_AT}) AS facts
          WHERE ${fits} ORDER BY ${by}) AS found ON true`,
    values.all,
  );
  return {
    rows: rows.filter(({ doc }) => doc !== null).map(({ last: _, ...row }) => row),
    last: rows[0]?.last ?? undefined,
  };
}
