/**
 * Erasing a person from what is kept: customers and cards go; of purchases, refunds, subscriptions,
 * money requests and events stays what tells them from each other and what money is counted by. In one
 * transaction with the index; then the file is written anew, since what SQLite deletes stays in it. All
 * that is kept is read before, while others go on writing: only what is changed is changed alone.
 *
 * What is still needed as it is stays and is told: a request whose outcome is not known, which is looked
 * for by what it says, and an event that waits to be passed on.
 */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../base/json.ts';
import { type RewrittenEvent, rewriteEvents } from '../events/rewrite-events.ts';
import { fold } from '../facts/fold.ts';
import { purgeFacts } from '../facts/write-facts.ts';
import type { RememberedRecord } from '../journal/ledger.ts';
import { reindexRequestsOf } from '../journal/money-requests.ts';
import {
  type Rewritten,
  type RewrittenEntry,
  rewriteEntries,
  rewriteRecords,
} from '../journal/rewrite-kept.ts';
import { Database } from '../storage/database.ts';
import { ledgerFile } from '../storage/ledger-file.ts';
import type { Queries } from '../storage/queries.ts';
import { isTheirs, isUnsure, mentionsIn, namesThem, type Person, withoutPerson } from './person.ts';

/** What became of one thing that is kept, or would. */
export interface Erased {
  kind: string;
  id: string;
  /** When it was sent, received or last seen: ISO 8601, UTC. */
  at: string;
  profile: string | null;
  /** `kept` is what is still needed as it is. */
  action: 'deleted' | 'blanked' | 'kept';
}

export interface Erasure {
  erased: Erased[];
  /** How many things bear the name alone and may be a namesake's; they stay as they are. */
  unsure: number;
  /** false where somebody who read meanwhile keeps old bytes in the log of the file. */
  isCompact: boolean;
}

/**
 * @param path of the ledger's file
 * @param isDry true only says what would become of each
 * @throws Failure usage when the file cannot be used
 */
export function erasePerson(path: string, person: Person, isDry: boolean): Erasure {
  const database = new Database(ledgerFile(path));
  try {
    const found = database.read((queries) => goOver(queries, person));
    const { erased, unsure } = found;
    if (isDry) return { erased, unsure, isCompact: true };
    database.write((queries) => {
      goOver(queries, person, found);
      // Also where the name may be a namesake's: it is found anew, or not.
      reindexRequestsOf(queries, (who) => person.names.has(fold(who)));
      purgeFacts(queries);
    });
    return { erased, unsure, isCompact: database.compact() };
  } finally {
    database.close();
  }
}

/** Rows of each table. */
interface Rows {
  records: number[];
  entries: number[];
  events: number[];
}

/** @param only rows that are changed, as they are by now; without them none is, and all are asked about */
function goOver(
  queries: Queries,
  person: Person,
  only?: Rows,
): Rows & Pick<Erasure, 'erased' | 'unsure'> {
  const erased: Erased[] = [];
  let unsure = 0;
  const note: Note = (one) => {
    if (one === 'unsure') unsure++;
    else erased.push(one);
  };
  const rows = {
    records: rewriteRecords(queries, (one) => rewriteRecord(one, person, note), only?.records),
    entries: rewriteEntries(queries, (one) => rewriteEntry(one, person, note), only?.entries),
    events: rewriteEvents(queries, (one) => rewriteEvent(one, person, note), only?.events),
  };
  return { ...rows, erased, unsure };
}

type Note = (one: Erased | 'unsure') => void;

function rewriteRecord(
  known: RememberedRecord,
  person: Person,
  note: Note,
): Rewritten<RememberedRecord> {
  const { kind, id, profile, lastSeenAt: at } = known;
  if (kind === 'plan') return 'same';
  const mentions = mentionsIn(known.record);
  if (kind === 'customer') mentions.customers.add(id);
  if (kind === 'card') mentions.tokens.add(id);
  const isOwn = person.things.has(`${kind} ${id}`) || isTheirs(person, mentions);
  if (!isOwn) {
    if (isUnsure(person, mentions)) note('unsure');
    return 'same';
  }
  if (kind === 'customer' || kind === 'card') {
    note({ kind, id, at, profile, action: 'deleted' });
    return 'dropped';
  }
  const record = withoutPerson(known.record, person, true) as JsonObject;
  const reference = orNull(known.reference, person);
  if (isSame(record, known.record) && reference === known.reference && !known.name) return 'same';
  note({ kind, id, at, profile, action: 'blanked' });
  return { ...known, record, reference, name: null, lastFour: null };
}

function rewriteEntry(entry: RewrittenEntry, person: Person, note: Note): 'same' | RewrittenEntry {
  const { id, profile, createdAt: at, state } = entry;
  const mentions = mentionsIn(entry.body);
  const isAll = person.things.has(`request ${id}`) || isTheirs(person, mentions);
  if (!isAll && isUnsure(person, mentions)) note('unsure');
  const changed: RewrittenEntry = {
    ...entry,
    body: withoutPerson(entry.body, person, isAll) as JsonObject,
    target: orNull(entry.target, person),
    reference: orNull(entry.reference, person),
    message: orNull(entry.message, person),
  };
  if (isSame(changed, entry)) return 'same';
  const isNeeded = state === 'unknown' || state === 'sending';
  note({ kind: 'request', id, at, profile, action: isNeeded ? 'kept' : 'blanked' });
  return isNeeded ? 'same' : changed;
}

function rewriteEvent(event: RewrittenEvent, person: Person, note: Note): 'same' | RewrittenEvent {
  const { id, profile, receivedAt: at, isWaiting } = event;
  const changed: RewrittenEvent = {
    ...event,
    body: bodyWithout(event.body, person),
    subjects: event.subjects.filter((subject) => !namesThem(subject, person)),
    source: sourceWithout(event.source, person),
    headers: event.headers.filter(([, value]) => !namesThem(value, person)),
    verification:
      event.verification && namesThem(event.verification.reason, person)
        ? { ...event.verification, reason: '' }
        : event.verification,
  };
  if (isSame(textOf(changed), textOf(event))) return 'same';
  note({ kind: 'event', id: String(id), at, profile, action: isWaiting ? 'kept' : 'blanked' });
  return isWaiting ? 'same' : changed;
}

/** @returns what can be compared: bytes as a text */
function textOf({ body, ...rest }: RewrittenEvent) {
  return { ...rest, body: Buffer.from(body).toString('latin1') };
}

function bodyWithout(body: Uint8Array, person: Person): Uint8Array {
  const text = Buffer.from(body).toString('utf8');
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // What cannot be read is taken away whole where it has their name or email in it.
    return namesThem(text, person) ? new Uint8Array() : body;
  }
  const without = deliveryWithout(value, person);
  return isSame(without, value) ? body : Buffer.from(JSON.stringify(without));
}

/** A delivery may be about several people: each object of its payload is somebody's. */
function deliveryWithout(value: Json, person: Person): Json {
  const parts = value as { payload?: Json };
  if (typeof value !== 'object' || value === null || !Array.isArray(parts.payload))
    return withoutPerson(value, person, isTheirs(person, mentionsIn(value)));
  const payload = parts.payload.map((element) =>
    withoutPerson(element, person, isTheirs(person, mentionsIn(element))),
  );
  return { ...(withoutPerson({ ...value, payload: null }, person, false) as JsonObject), payload };
}

/** Events are ordered by it; a digest does as well. */
function sourceWithout(source: string, person: Person): string {
  const customer = /^customer (.*)$/s.exec(source)?.[1];
  if (customer === undefined || !(person.customers.has(customer) || namesThem(customer, person)))
    return source;
  return `digest ${createHash('sha256').update(source).digest('base64url').slice(0, 22)}`;
}

function orNull(text: string | null, person: Person): string | null {
  return text !== null && namesThem(text, person) ? null : text;
}

function isSame(some: unknown, other: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}
