/**
 * Finds the records that a word may name, for a shell that completes it: those of the profile in use, in the ledger's
 * file on this machine. A ledger on a server is not asked, because a Tab must not wait for a network. The newest come
 * first, and those that only unverified webhooks tell of are left out. It learns nothing, since that would write: a
 * record that gw has not learnt yet is read as it was seen, and what a webhook says of it is missing until the next search.
 *
 * Tests: test/scripts/commands/completion.script
 */
import { ledgerPlace } from '../../client/ledger/place.ts';
import { glanceProfile } from '../../client/profiles/glance.ts';
import { accountOf, ENVIRONMENT_PROFILE } from '../../client/profiles/profile.ts';
import { moneyText } from '../../contract/money.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { leftOf, type PurchaseBalance } from '../../journal/balance.ts';
import { RECORD_COLUMNS, type RememberedRow, recordOfRow } from '../../journal/entries.ts';
import { balancesOf } from '../../journal/statements.ts';
import { lastUsed } from '../../journal/stored-ledger.ts';
import { toldByRecord } from '../../journal/told-by-record.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { allRows, type Work } from '../../store/sql.ts';
import { glanceFile } from '../../store/sqlite/glance-file.ts';
import { fold } from '../../things/normalise.ts';
import { type Owner, ownerCondition, ownerValues } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { Named } from './named.ts';

/** A value that the shell may put in place of the word, and what it is. */
export interface Suggestion {
  value: string;
  meaning: string;
}

/** A row of a thing, an entry, or a record that was not learnt yet. */
type Known = Pick<Thing, 'id'> &
  Partial<
    Pick<Thing, 'reference' | 'email' | 'who' | 'amount' | 'currency' | 'subscription' | 'customer'>
  > & { outcome?: string | null };
type Kind = Named['kinds'][number];

/** How many rows of a kind are read, and how many of them are offered. */
const MOST = { read: 2_000, offered: 500 };

/** Shells give other characters a meaning, and anybody may have chosen a reference. */
const SAFE = /^[A-Za-z0-9][\w.@:+/-]*$/;

const known = (rows: string) => `
  SELECT id, reference, email, who, amount, currency, outcome, subscription, customer
    FROM (${rows} LIMIT ${MOST.read}) AS known
   WHERE kind = :kind AND told <> 'heard' AND ${ownerCondition()} LIMIT ${MOST.offered}`;
const NEWEST = known('SELECT * FROM gw.things WHERE kind = :kind ORDER BY doc DESC');
const BY_NAME = known(`SELECT things.* FROM gw.thing_keys AS named
  JOIN gw.things AS things ON things.doc = named.doc WHERE named.key >= :from AND named.key < :to`);

const DUE = `(SELECT id, kind, account FROM gw.sources_due ORDER BY number DESC LIMIT ${MOST.read})`;
const RECORDS = `SELECT ${RECORD_COLUMNS} FROM gw.records
   WHERE (id, kind, account) IN (SELECT id, kind, account FROM ${DUE} AS due
                                  WHERE kind = :kind AND account = :account)
   ORDER BY last_seen_at DESC LIMIT ${MOST.offered}`;
const EVENTS = `SELECT body FROM gw.events
   WHERE event = :event
     AND id IN (SELECT CAST(id AS INTEGER) FROM ${DUE} AS due WHERE kind = 'event')`;
const ENTRIES = `
  SELECT id, operation || coalesce(' ' || reference, '') AS who, amount, currency, state AS outcome
    FROM gw.money_requests WHERE account = :account ORDER BY created_at DESC LIMIT ${MOST.offered}`;

/**
 * @param current the word up to the cursor
 * @param flag the profile of the command line, if one is typed
 * @returns names that begin with the word; none without a profile or a ledger in a file
 * @throws what `glanceFile` and `ledgerPlace` throw
 */
export async function namesInLedger(
  host: Pick<Host, 'env' | 'files'>,
  named: Named,
  current: string,
  flag: string | undefined,
): Promise<Suggestion[]> {
  const { env, files } = host;
  const used = glanceProfile(flag, env, files);
  if (!used) return [];
  const place = await ledgerPlace(host, { profile: used.name });
  if (place.kind === 'server') return [];
  const owner: Owner = {
    profile: used.name,
    environment: used.environment,
    host: null,
    account:
      used.name === ENVIRONMENT_PROFILE
        ? accountOf(used.environment, env.GW_USERNAME ?? '', new URL(env.GW_BASE_URL ?? ''))
        : null,
  };
  return glanceFile(ledgerFile(place.path), namesOf(named, owner, current)) ?? [];
}

function* namesOf({ kinds, only }: Named, from: Owner, current: string): Work<Suggestion[]> {
  const used = from.account ?? (yield* lastUsed(from.profile ?? '', [from.environment ?? '']));
  const owner = { ...from, account: typeof used === 'object' ? used.account : (used ?? null) };
  const found: Suggestion[] = [];
  for (const kind of kinds) {
    const rows = yield* knownOf(kind, owner, current);
    const fits = yield* conditionOf(only, rows, owner);
    found.push(...suggestions(kind, rows.filter(fits), current));
  }
  return found;
}

/** @returns the rows of a kind, each once, as it was seen last */
function* knownOf(kind: Kind, owner: Owner, current: string): Work<Known[]> {
  const asked = { ...ownerValues(owner), kind };
  if (kind === 'entry') return yield* allRows<Known>(ENTRIES, { account: owner.account });
  const from = fold(current);
  const named =
    from === '' ? [] : yield* allRows<Known>(BY_NAME, { ...asked, from, to: `${from}\u{10ffff}` });
  const rows = [
    ...(yield* recordsDue(kind, owner)),
    ...(yield* allRows<Known>(NEWEST, asked)),
    ...named,
  ];
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}

/** @returns the records that gw has seen and not learnt, newest first */
function* recordsDue(kind: Kind, { account }: Owner): Work<Known[]> {
  const rows = yield* allRows<RememberedRow>(RECORDS, { kind, account });
  return rows.map(recordOfRow).map((record) => ({ ...toldByRecord(record), id: record.id }));
}

/** @returns whether a row is in the state that the command needs */
function* conditionOf(
  only: Named['only'],
  rows: readonly Known[],
  owner: Owner,
): Work<(row: Known) => boolean> {
  if (only === undefined) return ({ outcome }) => outcome !== 'deleted';
  if (only === 'unresolved') return ({ outcome }) => ['sending', 'unknown'].includes(outcome ?? '');
  if (only === 'left') {
    const ids = rows.filter(({ outcome }) => outcome === 'approved').map(({ id }) => id);
    const paid = yield* allRows<PurchaseBalance & { id: string }>(
      ...balancesOf(owner.account, ids),
    );
    const spent = new Set(paid.filter((balance) => leftOf(balance) === 0).map(({ id }) => id));
    return ({ id, outcome }) => outcome === 'approved' && !spent.has(id);
  }
  if (only !== 'active') return ({ outcome }) => outcome === only;
  const customers = yield* recordsDue('customer', owner);
  const deleted = customers.filter(({ outcome }) => outcome === 'deleted').map(({ id }) => id);
  const expired = yield* allRows<{ body: Uint8Array }>(EVENTS, { event: 'card:expired' });
  const ended = [...deleted, ...expired.map(({ body }) => Buffer.from(body).toString())];
  return ({ outcome, customer }) =>
    outcome === 'active' && !ended.some((text) => customer && text.includes(customer));
}

function suggestions(kind: Kind, rows: readonly Known[], current: string): Suggestion[] {
  const counts = new Map<string | null | undefined, number>();
  for (const { reference } of rows) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return rows.flatMap(({ id, reference, email, who, amount, currency, subscription, outcome }) => {
    // A charge has the reference of its subscription, and the references of purchases may repeat.
    const isCharge = kind === 'purchase' && Boolean(subscription);
    const names = isCharge || counts.get(reference) !== 1 ? [id] : [reference, id, email];
    const value = names.find((name) => name?.startsWith(current) && SAFE.test(name));
    const money = typeof amount === 'number' && moneyText(amount, currency ?? undefined);
    const meaning = [money, who, outcome].filter(Boolean).join(', ');
    return value ? [{ value, meaning: neutralise(meaning) }] : [];
  });
}
