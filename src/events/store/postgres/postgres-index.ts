/** Events that were copied to a server, written to its index. */
import { putFacts } from '../../../index/postgres/postgres-write-facts.ts';
import type { RunStatement } from '../../../store/postgres/server.ts';
import { factsOfEvent } from '../index-events.ts';

type Stored = Omit<Parameters<typeof factsOfEvent>[0], 'verification'> & {
  verification: string | null;
};

/** @param origins of events that are there; what repeats another one is no fact */
export async function indexEventsOf(run: RunStatement, origins: readonly string[]): Promise<void> {
  const rows = await run<Stored>(
    `SELECT id, received_at AS "receivedAt", profile, mode, body, verification FROM gw.events
      WHERE origin = ANY ($1::text[]) AND duplicate_of IS NULL AND NOT is_passing`,
    [origins],
  );
  const facts = rows.flatMap(({ verification, ...event }) =>
    factsOfEvent({
      ...event,
      verification: verification === null ? null : JSON.parse(verification),
    }),
  );
  await putFacts(run, facts);
}
