/**
 * Reads the things of received events. An event that repeats an earlier one adds nothing. One that the gateway
 * contradicts, or that is a sample, is a thing of its own. One that nobody confirmed is hearsay.
 *
 * An event names no account. It belongs to the one that its profile last used in that environment. `event_owners` has
 * the account by which the events of a profile were learnt. If another one was used since, they are learnt again.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/events/event.test.ts
 */

import type { Header } from '../../host/http/post-event.ts';
import { lastUsed } from '../../journal/stored-ledger.ts';
import { allRows, engine, insert, runSql, type Work } from '../../store/sql.ts';
import type { DueSource } from '../../things/deferred.ts';
import type { Owner } from '../../things/owner.ts';
import type { SourceNews, ThingNews } from '../../things/read-sources.ts';
import { type NewEvent, timeOfEvent, trustOf, type Verification } from '../event.ts';
import { readDelivery } from '../read/read-delivery.ts';
import { newsOf } from './told-by-event.ts';

type EventRow = Pick<NewEvent, 'receivedAt' | 'profile' | 'mode' | 'authentication' | 'body'> & {
  id: number;
  verification: string | null;
  headers: string;
};

/** The environments: the sandbox has two names, since events of the test gateway say Sandbox too. */
type Side = 'live' | 'test' | 'any';

interface EventOwner {
  profile: string;
  side: Side;
  account: string | null;
  environment: string | null;
}

/** @returns the things of these events; none for an event that is gone or repeats another */
export function* readEvents(due: readonly DueSource[]): Work<SourceNews[]> {
  if (due.length === 0) return [];
  const rows = yield* allRows<EventRow>(
    `SELECT id, received_at AS "receivedAt", profile, mode, authentication, body, headers, verification FROM gw.events
      WHERE id = ANY (:ids) AND duplicate_of IS NULL AND is_passing = 0`,
    { ids: due.map(({ id }) => Number(id)) },
  );
  const owners = yield* ownersOf(rows);
  const told = new Map<string, ThingNews[]>();
  for (const row of rows) told.set(String(row.id), newsIn(row, owners(row)));
  return due.map((source) => ({ source, news: told.get(source.id) ?? [] }));
}

function newsIn(row: EventRow, owner: Omit<Owner, 'host'>): ThingNews[] {
  const { kept, parts } = readDelivery(row.body);
  const headers = JSON.parse(row.headers) as Header[];
  const trust = trustOf({
    headers,
    verification: row.verification === null ? null : (JSON.parse(row.verification) as Verification),
    authentication: row.authentication,
  });
  const said = {
    id: row.id,
    receivedAt: row.receivedAt,
    at: timeOfEvent({ ...row, headers }),
    owner,
    event: kept.event,
    outcome: trust === 'contradicted' || trust === 'sample' ? trust : kept.outcome,
    isHeard: trust === 'heard',
    message: kept.fault,
  };
  return parts.flatMap((part) => newsOf(said, part));
}

/** @returns gives the owner of each of these events */
function* ownersOf(rows: readonly EventRow[]): Work<(row: EventRow) => Omit<Owner, 'host'>> {
  const known = new Map((yield* learntOwners()).map((owner) => [nameOf(owner), owner]));
  for (const { profile, mode } of rows) {
    const side = sideOf(mode);
    if (profile === null || known.has(nameOf({ profile, side }))) continue;
    const owner = yield* usedBy(profile, side);
    yield* insert('event_owners', { ...owner });
    known.set(nameOf(owner), owner);
  }
  return ({ profile, mode }) => {
    const owner = known.get(nameOf({ profile: profile ?? '', side: sideOf(mode) }));
    return owner?.account ? owner : { account: null, profile, environment: mode };
  };
}

function learntOwners(): Work<EventOwner[]> {
  return allRows('SELECT profile, side, account, environment FROM gw.event_owners');
}

function nameOf({ profile, side }: Pick<EventOwner, 'profile' | 'side'>): string {
  return `${side} ${profile}`;
}

/** The environments of a side. */
const ENVIRONMENTS = { live: ['live'], test: ['sandbox', 'local'], any: undefined };

/** @returns the account that the profile last used */
function* usedBy(profile: string, side: Side): Work<EventOwner> {
  const { account = null, environment = null } =
    (yield* lastUsed(profile, ENVIRONMENTS[side])) ?? {};
  return { profile, side, account, environment };
}

/** Notes the events that belong to another account by now as due. */
export function* adoptEvents(): Work<void> {
  // The events of a team are in the files of its machines.
  if ((yield* engine()) === 'postgres') return;
  for (const before of yield* learntOwners()) {
    const { profile, side } = before;
    const now = yield* usedBy(profile, side);
    if (now.account === before.account && now.environment === before.environment) continue;
    yield* runSql(
      'UPDATE gw.event_owners SET account = :account, environment = :environment WHERE profile = :profile AND side = :side',
      { ...now },
    );
    const modes = {
      live: "lower(mode) = 'live'",
      test: "lower(mode) <> 'live'",
      any: 'mode IS NULL',
    };
    yield* runSql(
      `INSERT INTO gw.sources_due (kind, id)
       SELECT 'event', id FROM gw.events
        WHERE profile = :profile AND ${modes[side]} AND duplicate_of IS NULL AND is_passing = 0`,
      { profile },
    );
  }
}

function sideOf(mode: string | null): Side {
  if (mode === null) return 'any';
  return mode.toLowerCase() === 'live' ? 'live' : 'test';
}
