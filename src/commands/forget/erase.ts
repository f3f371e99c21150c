/**
 * Erases a person from a ledger, in lots. gw reads everything before, while others go on writing, and writes only rows
 * that changed. After an interruption, gw still finds the person by the rest, because what leads to them changes last:
 * rows with the text that the user typed, customers and cards. Before these, rows change from the newest to the oldest:
 * a refund is found by its purchase.
 *
 * Customers and cards are deleted. Purchases, refunds, subscriptions, money requests and events keep what identifies
 * them and what money is counted by, in a file as on a server. A request with an unknown outcome is looked up by its
 * content, and an event may wait to be passed on. Both stay for now, and gw says so.
 *
 * The store keeps old bytes. gw rewrites a file (`Database.compact`). A server has them until VACUUM, and in its
 * backups.
 */

import {
  isObject,
  type Json,
  type JsonObject,
  jsonIn,
  withNumbers,
  withTexts,
} from '../../base/json.ts';
import { answerJson } from '../../contract/envelope.ts';
import { type AssistantCall, rewriteCalls } from '../../events/store/assistant-calls.ts';
import { type RewrittenEvent, rewriteEvents } from '../../events/store/rewrite-events.ts';
import { sha256 } from '../../host/digest.ts';
import type { RememberedRecord } from '../../journal/ledger.ts';
import {
  type AskedRows,
  type GoneOver,
  type Rewritten,
  type RewrittenEntry,
  rewriteEntries,
  rewriteRecords,
} from '../../journal/rewrite.ts';
import { learnAll } from '../../requests/known/learn-due.ts';
import { inLots, type LotHost } from '../../requests/lots.ts';
import { onlyRow, type SqlStore, type Work } from '../../store/sql.ts';
import type { Deed } from '../../things/deed.ts';
import { fold } from '../../things/normalise.ts';
import { purgeThings } from '../../things/write.ts';
import type { Erased } from './erased.ts';
import type { FoundPerson } from './find-person.ts';
import {
  glanceFor,
  isTheirs,
  keptFieldsOf,
  marksIn,
  namesThem,
  type Person,
  personMark,
  unlessNamed,
  withoutEmails,
} from './person.ts';

/** The stores that have data of people. */
export interface KeptIn {
  ledger: Pick<SqlStore, 'read' | 'write'>;
  /** With the events of this machine, which may be the same; undefined if it has none. */
  events: Pick<SqlStore, 'read' | 'write'> | undefined;
}

/**
 * @param options `isDry`: change nothing and return what would happen; `deed`: who erases, and why
 * @returns what happened to each thing of the person
 * @throws Failure usage or guard if the ledger cannot be used, or the role may not erase; interrupted between two lots
 */
export async function erasePerson(
  host: LotHost,
  { ledger, events }: KeptIn,
  person: FoundPerson,
  { isDry, deed }: { isDry: boolean; deed: Deed },
): Promise<Erased[]> {
  const rules = new Rules(person, deed);
  const mayNameThem = glanceFor(person);
  const tables: Table[] = [
    {
      name: 'records',
      store: ledger,
      goOver: (asked) => rewriteRecords(rules.record, mayNameThem, asked),
    },
    {
      name: 'money_requests',
      store: ledger,
      goOver: (asked) => rewriteEntries(rules.entry, mayNameThem, asked),
    },
    { name: 'events', store: events, goOver: (asked) => rewriteEvents(rules.event, asked) },
    { name: 'assistant_calls', store: events, goOver: (asked) => rewriteCalls(rules.call, asked) },
  ];
  let lots: Lot[] = [];
  // Events and requests change before the records that lead to them.
  for (const table of tables)
    if (table.store) lots = [...(await lotsIn(host, table, table.store)), ...lots];
  if (isDry) return rules.erased;
  const passes = [true, false].flatMap((keepsLeads) => lots.map((lot) => ({ ...lot, keepsLeads })));
  await inLots(host, { doing: 'erasing', total: passes.length, stays: HALF_ERASED }, async () => {
    const lot = passes.shift();
    if (!lot) return 0;
    rules.keepsLeads = lot.keepsLeads;
    await lot.store.write(function* () {
      yield* lot.goOver(lot);
      yield* learnAll();
    });
    return 1;
  });
  for (const store of new Set([ledger, events])) await store?.write(purgeThings);
  return rules.erased;
}

const HALF_ERASED = 'A part is erased, and the rest is still found by what you typed.';
/** Rows changed in one transaction, with their things. */
const LOT = 100;

interface Table {
  name: string;
  store: KeptIn['events'];
  goOver: (asked: AskedRows) => Work<GoneOver>;
}

/** Rows of a table that belong to the person. */
interface Lot extends Pick<Table, 'goOver'> {
  store: KeptIn['ledger'];
  only: number[];
}

/** @returns the rows that would change, the newest first */
async function lotsIn(
  host: LotHost,
  { name, goOver }: Table,
  store: KeptIn['ledger'],
): Promise<Lot[]> {
  const found: number[] = [];
  let after = 0;
  const { total } = await store.read(() =>
    onlyRow<{ total: number }>(`SELECT coalesce(max(rowid), 0) AS total FROM gw.${name}`),
  );
  await inLots(host, { doing: 'looking', total, stays: 'Nothing was erased.' }, async () => {
    const { touched, last = after } = await store.read(() => goOver({ after }));
    found.unshift(...touched.reverse());
    const read = last - after;
    after = last;
    return read;
  });
  return Array.from({ length: Math.ceil(found.length / LOT) }, (_, n) => ({
    store,
    goOver,
    only: found.slice(n * LOT, (n + 1) * LOT),
  }));
}

/** Lists the things of a person, and what happens to each. */
class Rules {
  /** true while what leads to the person stays. */
  keepsLeads = false;
  readonly #person: FoundPerson;
  readonly #deed: Deed;
  readonly #erased = new Map<string, Erased>();

  constructor(person: FoundPerson, deed: Deed) {
    this.#person = person;
    this.#deed = deed;
  }

  get erased(): Erased[] {
    return [...this.#erased.values()];
  }

  /** If a thing is examined twice, the last result counts. */
  #note(one: Erased): void {
    this.#erased.set(`${one.kind} ${one.profile} ${one.id}`, one);
  }

  /** @param row an event with its body as a text */
  #isLead(row: object): boolean {
    return this.keepsLeads && fold(JSON.stringify(row)).includes(fold(this.#person.typed));
  }

  record = (known: RememberedRecord): Rewritten<RememberedRecord> => {
    const { kind, id, profile, lastSeenAt: at, reference } = known;
    if (kind === 'plan' || !isTheirs(this.#person, marksOfRecord(known))) return 'same';
    if (this.#isLead(known)) return 'same';
    if (kind === 'customer' || kind === 'card') {
      if (this.keepsLeads) return 'same';
      this.#note({ kind, id, at, profile, action: 'deleted' });
      return 'dropped';
    }
    const changed: RememberedRecord = {
      ...known,
      name: null,
      lastFour: null,
      record: keptFieldsOf(known.record, this.#person) as JsonObject,
      deeds: known.deeds.map((deed) => (deed.what === 'erased' ? deed : { ...deed, note: null })),
      reference: unlessNamed(reference, this.#person, true),
    };
    if (isSame(changed, known)) return 'same';
    changed.deeds = [...changed.deeds, this.#deed];
    this.#note({ kind, id, at, profile, action: 'blanked' });
    return changed;
  };

  entry = (entry: RewrittenEntry): 'same' | RewrittenEntry => {
    const { id, profile, createdAt: at, state, body, target, reference, message, note } = entry;
    const person = this.#person;
    const isOwn = isTheirs(person, marksOfEntry(entry));
    const changed: RewrittenEntry = {
      ...entry,
      body: (isOwn ? keptFieldsOf(body, person) : withoutEmails(body, person)) as JsonObject,
      target: unlessNamed(target, person, isOwn),
      reference: unlessNamed(reference, person, isOwn),
      message: unlessNamed(message, person, isOwn),
      // A note is free text, which may name the person.
      note: isOwn ? null : note,
    };
    if (isSame(changed, entry) || this.#isLead(entry)) return 'same';
    const isNeeded = state === 'unknown' || state === 'sending';
    this.#note({ kind: 'request', id, at, profile, action: isNeeded ? 'kept' : 'blanked' });
    return isNeeded ? 'same' : changed;
  };

  event = (event: RewrittenEvent): 'same' | RewrittenEvent => {
    const { id, profile, receivedAt: at, isWaiting, verification } = event;
    const person = this.#person;
    const value = answerJson(Buffer.from(event.body).toString('utf8'));
    const isOwn =
      value !== undefined && partsOf(value).some((part) => isTheirs(person, marksIn(part)));
    const isNamed = (text: string) => namesThem(text, person, isOwn);
    const changed: RewrittenEvent = {
      ...event,
      body: bodyWithout(event.body, value, person),
      source: sourceWithout(event.source, person),
      headers: event.headers.filter(([, text]) => !isNamed(text)),
      verification: verification && {
        ...verification,
        reason: isNamed(verification.reason) ? '' : verification.reason,
      },
    };
    if (isSame(textOf(changed), textOf(event)) || this.#isLead(textOf(event))) return 'same';
    this.#note({
      kind: 'event',
      id: String(id),
      at,
      profile,
      action: isWaiting ? 'kept' : 'blanked',
    });
    return isWaiting ? 'same' : changed;
  };

  /** Whoever asked for them by name, typed it: a call is about nobody else. */
  call = (call: AssistantCall): boolean => {
    const { id, profile, at } = call;
    const isNamed = textsIn(call.arguments).some((text) => namesThem(text, this.#person, true));
    if (!isNamed || this.#isLead(call)) return false;
    this.#note({ kind: 'call', id: String(id), at, profile, action: 'blanked' });
    return true;
  };
}

/** @returns the texts in JSON; the whole, if it was cut and is none */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  withTexts(jsonIn(json) ?? json, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

function marksOfRecord({ kind, id, record }: RememberedRecord): string[] {
  if (kind === 'customer') return [personMark('customer', id)];
  return [...marksIn(record), personMark(kind === 'card' ? 'token' : 'record', id)];
}

function marksOfEntry({ id, body, recordId, refundOf }: RewrittenEntry): string[] {
  const ids = [id, recordId, refundOf].flatMap((one) => one ?? []);
  return [...marksIn(body), ...ids.map((one) => personMark('record', one))];
}

/** @returns a value that can be compared: bytes as a text */
function textOf({ body, ...rest }: RewrittenEvent) {
  return { ...rest, body: Buffer.from(body).toString('latin1') };
}

/** A delivery may be about several people: each object of its payload belongs to one. */
function partsOf(value: Json): Json[] {
  const payload = isObject(value) ? value.payload : undefined;
  return Array.isArray(payload) ? payload : [value];
}

function bodyWithout(body: Uint8Array, value: Json | undefined, person: Person): Uint8Array {
  // If gw cannot read a body that contains the email, it removes the whole body.
  if (value === undefined) {
    const text = Buffer.from(body).toString('utf8');
    return namesThem(text, person, false) ? new Uint8Array() : body;
  }
  const parts = partsOf(value).map((part) =>
    isTheirs(person, marksIn(part)) ? keptFieldsOf(part, person) : withoutEmails(part, person),
  );
  const isList = isObject(value) && Array.isArray(value.payload);
  const without = isList
    ? { ...(withoutEmails({ ...value, payload: null }, person) as JsonObject), payload: parts }
    : (parts[0] ?? null);
  return isSame(without, value) ? body : Buffer.from(withNumbers(JSON.stringify(without)));
}

/** Orders events; a digest orders them as well. */
function sourceWithout(source: string, person: Person): string {
  const customer = /^customer (.*)$/s.exec(source)?.[1];
  const isOwn = customer !== undefined && person.marks.has(personMark('customer', customer));
  if (!isOwn && !namesThem(source, person, false)) return source;
  return `digest ${sha256(source, 'base64url').slice(0, 22)}`;
}

function isSame(some: unknown, other: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}
