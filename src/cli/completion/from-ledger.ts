/**
 * Finds the records that a word may name, for a shell that completes it: those of the profile in use, in the ledger's
 * file on this machine. A ledger on a server is not asked, because a Tab must not wait for a network. The newest come
 * first, and those that only unverified webhooks tell of are left out. It learns nothing, since that would write: a record
 * of the ledger that gw has not learnt yet is read as it was seen, and what a webhook says of it, or a look-up that still
 * waits beside the ledger, is missing until the next search.
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
import { allRows, type Work } from '../../store/sql.ts';
import { glanceFile } from '../../store/sqlite/glance-file.ts';
import { fold } from '../../things/normalise.ts';
import { type Owner, ownerCondition } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { Named } from './named.ts';

/** A value that the shell may put in place of the word, and what it is. */
export interface Suggestion {
  value: string;
  meaning: string;
}

type Known = Pick<Thing, 'id'> & Partial<Thing>;
type Whose = Pick<Owner, 'account' | 'profile' | 'environment'>;

/** How many rows of a kind are read, and how many of them are offered. */
const MOST = { read: 2_000, offered: 500 };

/** Shells give other characters a meaning, and anybody may have chosen a reference. */
const SAFE = /^[A-Za-z0-9][\w.@:+/-]*$/;

const known = (rows: string) => `
  SELECT id, reference, email, who, amount, currency, outcome, label, customer
    FROM (${rows} LIMIT ${MOST.read}) AS known
   WHERE kind = :kind AND told <> 'heard' AND ${ownerCondition()} LIMIT ${MOST.offered}`;
const NEWEST = known('SELECT * FROM gw.things WHERE kind = :kind ORDER BY doc DESC');
const BY_NAME = known(`SELECT things.* FROM gw.thing_keys AS named
  JOIN gw.things AS things ON things.doc = named.doc WHERE named.key >= :from AND named.key < :to`);
const DUE = `(SELECT id, kind, account FROM gw.sources_due ORDER BY number DESC LIMIT ${MOST.read})`;
const RECORDS = `SELECT ${RECORD_COLUMNS} FROM gw.records
   WHERE (id, kind, account) IN (SELECT id, kind, account FROM ${DUE} AS due WHERE kind = :kind)
     AND account = :account ORDER BY last_seen_at DESC`;
const EVENTS = `SELECT body FROM gw.events WHERE event = :event
   AND id IN (SELECT CAST(id AS INTEGER) FROM ${DUE} AS due WHERE kind = 'event')`;

/**
 * @param current the word up to the cursor
 * @param flag the profile of the command line, if one is typed
 * @returns names that begin with the word; none without a profile
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
  const { name: profile, environment } = used;
  const isOfVariables = profile === ENVIRONMENT_PROFILE;
  const account = isOfVariables
    ? accountOf(environment, env.GW_USERNAME ?? '', new URL(env.GW_BASE_URL ?? ''))
    : null;
  return glanceFile(place.path, namesOf(named, current, { profile, environment, account }));
}

function* namesOf({ kinds, only }: Named, current: string, of: Whose): Work<Suggestion[]> {
  const used = yield* lastUsed(of.profile ?? '', [of.environment ?? '']);
  const whose = { ...of, account: of.account ?? used?.account ?? null };
  const found: Suggestion[] = [];
  for (const kind of kinds) {
    const rows = yield* knownOf(kind, current, whose);
    const fits = yield* conditionOf(only, rows, whose);
    found.push(...suggestions(rows.filter(fits), current));
  }
  return found;
}

/** @returns the rows of a kind, each once, as it was seen last */
function* knownOf(kind: string, current: string, whose: Whose): Work<Known[]> {
  const from = fold(current);
  const named = { ...whose, kind, from, to: `${from}\u{10ffff}` };
  const rows = [
    ...(yield* recordsDue(kind, whose)),
    ...(yield* allRows<Known>(NEWEST, { ...whose, kind })),
    ...(from === '' ? [] : yield* allRows<Known>(BY_NAME, named)),
  ];
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** @returns the records that gw has seen and not learnt, newest first */
function* recordsDue(kind: string, { account }: Whose): Work<Known[]> {
  const rows = yield* allRows<RememberedRow>(RECORDS, { kind, account });
  return rows.map(recordOfRow).map((record) => ({ ...toldByRecord(record), id: record.id }));
}

/** @returns whether a row is in the state that the command needs */
function* conditionOf(
  only: Named['only'],
  rows: readonly Known[],
  whose: Whose,
): Work<(row: Known) => boolean> {
  if (only === undefined) return ({ outcome }) => outcome !== 'deleted';
  if (only === 'left') {
    const ids = rows.map(({ id }) => id);
    const paid = yield* allRows<PurchaseBalance & { id: string }>(
      ...balancesOf(whose.account, ids),
    );
    const spent = new Set(paid.filter((balance) => leftOf(balance) === 0).map(({ id }) => id));
    return ({ id, outcome }) => outcome === 'approved' && !spent.has(id);
  }
  if (only !== 'active') return ({ outcome }) => outcome === only;
  // A customer who is deleted, or whose card has expired, stops them, and nothing else may say so yet.
  const customers = yield* recordsDue('customer', whose);
  const deleted = customers.filter(({ outcome }) => outcome === 'deleted').map(({ id }) => id);
  const expired = yield* allRows<{ body: Uint8Array }>(EVENTS, { event: 'card:expired' });
  const ended = [...deleted, ...expired.map(({ body }) => Buffer.from(body).toString())].join(' ');
  return ({ outcome, customer }) => outcome === 'active' && !(customer && ended.includes(customer));
}

function suggestions(rows: readonly Known[], current: string): Suggestion[] {
  const counts = new Map<unknown, number>();
  for (const { reference } of rows) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return rows.flatMap(({ id, reference, email, who, amount, currency, label, outcome }) => {
    // A charge has the reference of its subscription, and the references of purchases may repeat.
    const isOwn = label !== 'Recurring' && counts.get(reference) === 1;
    const names = isOwn ? [reference, id, email] : [id];
    const value = names.find((name) => name?.startsWith(current) && SAFE.test(name));
    const money = typeof amount === 'number' && moneyText(amount, currency ?? undefined);
    const meaning = [money, who, outcome].filter(Boolean).join(', ');
    return value ? [{ value, meaning: neutralise(meaning) }] : [];
  });
}
