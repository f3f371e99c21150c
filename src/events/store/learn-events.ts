/**
 * Learns what received events say of things. An event that repeats an earlier one says nothing new, and an event that
 * the gateway contradicts tells of nothing but itself.
 */

import { identityOf, learn, type Owner, unlearn } from '../../index/learn.ts';
import { type Identity, keyOfEvent } from '../../index/row-of.ts';
import { type EventNews, type Sources, withEvent, withoutEvents } from '../../index/sources.ts';
import { all, engine, get, runSql, type Work } from '../../store/sql.ts';
import type { NewEvent, Verification } from '../event.ts';
import { readDelivery } from '../read/read-delivery.ts';
import { newsOf, type ThingNews } from './told-by-event.ts';

type EventRow = Pick<NewEvent, 'receivedAt' | 'profile' | 'mode' | 'body'> & {
  id: number;
  verification: string | null;
};

const EVENTS = `
  SELECT id, received_at AS "receivedAt", profile, mode, body, verification FROM events
   WHERE duplicate_of IS NULL AND is_passing = 0`;

const NEW_EVENTS = `
  SELECT id FROM events WHERE id > (SELECT id FROM last_indexed_event) ORDER BY id LIMIT :limit`;

/**
 * Learns the oldest events that were not learnt yet.
 * @returns the number of these events, at most `limit`; 0 for a ledger on a server, which has no events
 */
export function* learnNewEvents(limit: number, accounts: Accounts): Work<number> {
  if ((yield* engine()) === 'postgres') return 0;
  const rows = yield* all<{ id: number }>(NEW_EVENTS, { limit });
  for (const { id } of rows) yield* learnEvent(id, accounts);
  const last = rows.at(-1);
  if (last) yield* runSql('UPDATE last_indexed_event SET id = :id', { id: last.id });
  return rows.length;
}

/** The account that a profile uses, by its name and mode; asked once for many events. */
export type Accounts = Map<string, Owner>;

/** Learns what a stored event says now, or that it is gone. */
export function* learnEvent(number: number, accounts: Accounts): Work<void> {
  const told = yield* newsIn(number, accounts);
  const about: Identity[] = told.map(({ identity }) => identity);
  yield* unlearn(
    keyOfEvent(number),
    (known, identity) => withoutEvent(known, identity, number, accounts),
    about,
  );
  for (const { identity, news, alias } of told)
    yield* learn(identity, (known) => withEvent(known, news), alias);
}

interface TiedNews {
  identity: Identity;
  news: EventNews;
  alias: string | null;
}

/** @returns what an event says; nothing for one that is gone, or repeats another */
function* newsIn(number: number, accounts: Accounts): Work<TiedNews[]> {
  const row = yield* get<EventRow>(`${EVENTS} AND id = :number`, { number });
  if (!row) return [];
  const owner = yield* ownerOf(row, accounts);
  const told: TiedNews[] = [];
  for (const { kind, names, news } of newsOfRow(row)) {
    const identity = yield* identityOf(kind, names, owner);
    const alias = names.find((name) => name !== identity.id) ?? null;
    told.push({ identity, news, alias });
  }
  return told;
}

function newsOfRow(row: EventRow): ThingNews[] {
  const { kept, parts } = readDelivery(row.body);
  const verification = row.verification && (JSON.parse(row.verification) as Verification);
  const isContradicted = verification && verification.state === 'contradicted';
  const said = {
    id: row.id,
    receivedAt: row.receivedAt,
    profile: row.profile,
    environment: row.mode,
    event: kept.event,
    outcome: isContradicted ? 'contradicted' : kept.outcome,
    message: kept.fault,
  };
  return parts.flatMap((part) => newsOf(said, part));
}

/** The newest news may be the event's that is gone, so the other events are read again. */
function* withoutEvent(
  known: Sources,
  identity: Identity,
  gone: number,
  accounts: Accounts,
): Work<Sources> {
  let left = withoutEvents(known);
  for (const number of known.events) {
    if (number === gone) continue;
    for (const { identity: about, news } of yield* newsIn(number, accounts))
      if (about.kind === identity.kind && about.id === identity.id) left = withEvent(left, news);
  }
  return left;
}

/**
 * An event names no account. It belongs to the one that its profile last used in that environment; the sandbox has two
 * names, since events of the embedded gateway say Sandbox too.
 */
function* ownerOf({ profile, mode }: EventRow, accounts: Accounts): Work<Owner> {
  const key = JSON.stringify([profile, mode]);
  const known = accounts.get(key);
  if (known) return known;
  const used = yield* usesOf(profile);
  const fits = used.find(
    ({ environment }) => mode === null || isLive(mode) === isLive(environment),
  );
  const owner = fits
    ? { account: fits.account, profile, environment: fits.environment }
    : { account: null, profile, environment: mode };
  accounts.set(key, owner);
  return owner;
}

/** @returns the accounts that a profile used, the latest first */
function* usesOf(profile: string | null): Work<Owner[]> {
  if (profile === null) return [];
  const newest = (table: string, time: string) => `
    SELECT * FROM (SELECT account, profile, environment, ${time} AS at FROM ${table}
                    WHERE profile = :profile ORDER BY ${time} DESC LIMIT 1)`;
  return yield* all<Owner>(
    `${newest('money_requests', 'created_at')} UNION ALL ${newest('records', 'last_seen_at')} ORDER BY at DESC`,
    { profile },
  );
}

function isLive(environment: string | null): boolean {
  return environment?.toLowerCase() === 'live';
}

/** Learns the events of a profile again that were learnt before its account was known. */
export function* adoptEvents(profile: string, accounts: Accounts): Work<void> {
  const [used] = yield* usesOf(profile);
  if (!used) return;
  const rows = yield* all<{ sources: string }>(
    `SELECT sources FROM gw.documents
      WHERE account IS NULL AND profile = :profile
        AND (environment IS NULL OR (lower(environment) = 'live') = :isLive)`,
    { profile, isLive: isLive(used.environment) },
  );
  const numbers = new Set(rows.flatMap(({ sources }) => (JSON.parse(sources) as Sources).events));
  for (const number of [...numbers].sort((one, other) => one - other))
    yield* learnEvent(number, accounts);
}
