/**
 * What becomes of each thing that is kept when a person is erased: the same in a file and on a server.
 *
 * Customers and cards go; of purchases, refunds, subscriptions, money requests and events stays what
 * tells them from each other and what money is counted by. What is still needed as it is stays and is
 * told: a request whose outcome is not known, which is looked for by what it says, and an event that
 * waits to be passed on.
 */

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../base/json.ts';
import type { RewrittenEvent } from '../../events/store/rewrite-events.ts';
import type { RememberedRecord } from '../../journal/ledger.ts';
import type { Rewritten, RewrittenEntry } from '../../journal/rewrite.ts';
import type { Erased } from '../../view/records/person.ts';
import { isTheirs, isUnsure, mentionsIn, namesThem, type Person, withoutPerson } from './person.ts';

/** What a person's things become, and what was found of them so far. */
export class Rules {
  readonly erased: Erased[] = [];
  /** How many things bear the name alone and may be a namesake's; they stay as they are. */
  unsure = 0;
  readonly #person: Person;

  constructor(person: Person) {
    this.#person = person;
  }

  record = (known: RememberedRecord) => rewriteRecord(known, this.#person, this.#note);
  entry = (entry: RewrittenEntry) => rewriteEntry(entry, this.#person, this.#note);
  event = (event: RewrittenEvent) => rewriteEvent(event, this.#person, this.#note);

  #note: Note = (one) => {
    if (one === 'unsure') this.unsure++;
    else this.erased.push(one);
  };
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
