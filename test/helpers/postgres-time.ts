/** The time of a server, as a test wants it: `now()` of a database is what is written in a table. */
import type { Cluster, TestDatabase } from './postgres.ts';

export interface PostgresTime {
  /** Makes it so many milliseconds later. */
  pass(ms: number): Promise<void>;
}

/** @param start ISO 8601; for connections that are made from now on */
export async function standingTime(
  cluster: Cluster,
  { name }: TestDatabase,
  start: string,
): Promise<PostgresTime> {
  await cluster.query(
    name,
    `CREATE SCHEMA IF NOT EXISTS clock;
     CREATE TABLE IF NOT EXISTS clock.time (at timestamptz NOT NULL);
     DELETE FROM clock.time;
     INSERT INTO clock.time VALUES ('${start}');
     CREATE OR REPLACE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
       AS 'SELECT at FROM clock.time';
     GRANT USAGE ON SCHEMA clock TO PUBLIC; GRANT SELECT ON clock.time TO PUBLIC;
     ALTER TABLE gw.money_requests ALTER entered_at SET DEFAULT clock.now();
     ALTER FUNCTION gw.settle() SET search_path = clock, pg_catalog, pg_temp;
     ALTER FUNCTION gw.see() SET search_path = clock, pg_catalog, pg_temp;
     ALTER DATABASE ${name} SET search_path = clock, pg_catalog, public`,
  );
  return {
    async pass(ms) {
      await cluster.query(name, `UPDATE clock.time SET at = at + interval '${ms} milliseconds'`);
    },
  };
}
