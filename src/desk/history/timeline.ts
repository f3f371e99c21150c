/**
 * Makes a timeline of things. A purchase that was sent from here, seen since and announced by a webhook is one item that
 * names all three sources. What a webhook tells beside it, such as an expired card, is an item of its own.
 */
import { DAY_MS } from '../../base/calendar.ts';
import { isUnsuccessful } from '../../contract/normal.ts';
import { operationNamed } from '../../contract/operations.ts';
import type { StoredEvent } from '../../events/event.ts';
import type { Deed } from '../../index/deed.ts';
import type { Document } from '../../index/document.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import type { Item, ItemKind, Source } from '../../view/cards/timeline-item.ts';

/** Name of the profile of the embedded gateway. */
const LOCAL = 'local';
/** Section 8: retries of one charge, one a day. */
const MAX_RETRIES = 3;

/** @returns oldest first; every thing, and every event about them, is a source of one item at most */
export async function timelineOf(
  known: Pick<KnownWithEvents, 'events' | 'remembered'>,
  documents: readonly Document[],
): Promise<Item[]> {
  const announcements = await eventsBeside(known, documents);
  const charges = announcedCharges(documents, announcements);
  const items: Item[] = [];
  for (const document of documents) {
    if (isOnlyNamed(document)) continue;
    items.push(itemOf(await startOf(known, document), charges.get(document)));
    for (const deed of deedsOf(document))
      if (deed.what !== 'created') items.push(itemOfDeed(document, deed));
  }
  const attached = new Set([...charges.values()].flat());
  for (const event of announcements)
    if (!attached.has(event.id)) items.push(itemOfEvent(event, documents));
  items.sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at) || rankOf(one) - rankOf(other),
  );
  countRetries(items);
  return items;
}

/** A customer or subscription that only webhooks name: when it was created is unknown. */
function isOnlyNamed({ kind, told }: Document): boolean {
  return told === 'event' && kind !== 'purchase' && kind !== 'event';
}

/** A subscription has no date but that of its first day. */
async function startOf(
  known: Pick<KnownWithEvents, 'remembered'>,
  document: Document,
): Promise<Document> {
  if (document.kind !== 'subscription') return document;
  const seen = await rememberedOf(known, { kind: 'subscription', id: document.id }, document);
  const start = seen?.record.start_date;
  const isDate = typeof start === 'string' && !Number.isNaN(Date.parse(start));
  return isDate ? { ...document, at: start } : document;
}

/** An event with the time at which it happened. */
type DatedEvent = StoredEvent & { at: string };

/** Outcomes of events that are items of their own. */
const BESIDE = ['pending', 'expiring', 'expired', 'unknown'];

/** @returns the events about these things that tell of no charge, in order */
async function eventsBeside(
  known: Pick<KnownWithEvents, 'events'>,
  documents: readonly Document[],
): Promise<DatedEvent[]> {
  const told = new Set(documents.filter(isMoneyOfEvent).flatMap(({ sources }) => sources.events));
  const others = new Set(documents.flatMap(({ sources }) => sources.events));
  const events = await known.events([...others].filter((number) => !told.has(number)));
  return events
    .filter(({ outcome }) => BESIDE.includes(outcome))
    .map((event) => ({ ...event, at: dateOf(event, documents) }));
}

function isMoneyOfEvent({ kind }: Document): boolean {
  return kind === 'purchase' || kind === 'event';
}

/**
 * These events have no date of their own, so they are dated by when they were received. The clock of the embedded
 * gateway may be years away from that: there an event is as late as the charge before it.
 */
function dateOf({ id, profile, receivedAt }: StoredEvent, documents: readonly Document[]): string {
  if (profile !== LOCAL) return receivedAt;
  const before = documents.filter(
    ({ kind, sources }) => kind === 'purchase' && sources.events.some((number) => number < id),
  );
  const [latest] = before.toSorted((one, other) => lastEvent(other, id) - lastEvent(one, id));
  return latest?.at ?? receivedAt;
}

function lastEvent({ sources }: Document, below: number): number {
  return Math.max(...sources.events.filter((number) => number < below));
}

/** @returns for each charge the announcement that came before it; a later announcement replaces an earlier one */
function announcedCharges(
  documents: readonly Document[],
  announcements: readonly DatedEvent[],
): Map<Document, number[]> {
  const charges = new Map<Document, number[]>();
  const pending = new Set(
    announcements.filter(({ outcome }) => outcome === 'pending').map(({ id }) => id),
  );
  const purchases = documents.filter(({ kind }) => kind === 'purchase');
  for (const { kind, sources } of documents) {
    if (kind !== 'subscription') continue;
    let waiting: number | undefined;
    for (const number of sources.events) {
      const charge = purchases.find((one) => one.sources.events.includes(number));
      if (charge && waiting !== undefined) charges.set(charge, [waiting]);
      waiting = pending.has(number) ? number : undefined;
    }
  }
  return charges;
}

function itemOf(document: Document, announcements: readonly number[] = []): Item {
  const { kind, id, sources, outcome } = document;
  const isRefund = kind === 'refund' || countsAs(document) === 'refunds';
  const isMoney =
    kind === 'purchase' ||
    kind === 'refund' ||
    (kind === 'request' && document.amount !== null && mayCount(document)) ||
    (kind === 'event' && outcome !== 'contradicted' && outcome !== 'bad');
  const events = isMoneyOfEvent(document) ? [...sources.events, ...announcements] : [];
  return {
    at: document.at,
    what: whatOf(document, isRefund, isMoney),
    outcome: isMoney ? outcomeOf(document) : outcome,
    amount: document.amount,
    currency: document.currency,
    reference: document.reference,
    id: kind === 'event' ? document.purchase : kind === 'request' ? null : id,
    who: document.who,
    lastFour: document.lastFour,
    message: isMoney ? reasonOf(document) : document.message,
    label: document.label,
    purchase: document.purchase,
    customer: document.customer,
    subscription: document.subscription,
    plan: document.plan,
    profile: document.profile,
    environment: document.environment,
    operator: document.operator ?? deedsOf(document).find(isCreation)?.operator ?? null,
    note:
      deedsOf(document).length > 0
        ? (deedsOf(document).find(isCreation)?.note ?? null)
        : document.note,
    retry: 0,
    isMoney,
    isRefund,
    seenAt: document.seenAt,
    sources: [
      ...(sources.record ? [{ kind: 'record', id } as const] : []),
      ...events.map((number): Source => ({ kind: 'event', id: String(number) })),
      ...Object.keys(sources.requests).map((entry): Source => ({ kind: 'request', id: entry })),
    ],
  };
}

const isCreation = ({ what }: Deed) => what === 'created';

function deedsOf({ sources }: Document): readonly Deed[] {
  return sources.record?.deeds ?? [];
}

function itemOfDeed(document: Document, { at, what, fields, operator, note }: Deed): Item {
  return {
    ...itemOf(document),
    at,
    what: 'deed',
    outcome: null,
    amount: null,
    currency: null,
    message: what === 'changed' ? fields.join(', ') : null,
    label: what,
    operator,
    note,
    isMoney: false,
    isRefund: false,
    sources: [{ kind: 'record', id: document.id }],
  };
}

/** @param documents those that it may be about: the subscription of an announcement, the customer of a card */
function itemOfEvent(event: DatedEvent, documents: readonly Document[]): Item {
  const about = documents.filter(({ sources }) => sources.events.includes(event.id));
  const best = about.find(({ kind }) => kind === 'subscription') ?? about[0];
  const { reference = null, who = null, lastFour = null, subscription = null } = best ?? {};
  return {
    at: event.at,
    what: NAMES[event.event ?? ''] ?? 'event',
    outcome: event.outcome,
    amount: null,
    currency: null,
    reference,
    id: null,
    who,
    lastFour: event.outcome === 'pending' ? null : lastFour,
    message: null,
    label: event.event,
    purchase: null,
    customer: best?.customer ?? null,
    subscription,
    plan: best?.plan ?? null,
    profile: event.profile,
    environment: best?.environment ?? event.mode,
    operator: null,
    note: null,
    retry: 0,
    isMoney: false,
    isRefund: false,
    seenAt: event.receivedAt,
    sources: [{ kind: 'event', id: String(event.id) }],
  };
}

const LAST_STATUS = /^(?:successful|scheduled|queued|failed \(\d+\), (?:pending|aborted))$/i;

/** @returns the purchase's part of a message; the rest of an event's message is the subscription's state */
function reasonOf({ kind, message }: Document): string | null {
  if (kind !== 'event' || message === null) return message;
  const parts = message.split('; ').filter((part) => !LAST_STATUS.test(part));
  return parts.join('; ') || null;
}

const RECURRING = 'Recurring';
const NAMES: Readonly<Record<string, ItemKind>> = {
  'charge:pending': 'announced',
  'card:expiring': 'card-expiring',
  'card:expired': 'card-expired',
};

function whatOf(document: Document, isRefund: boolean, isMoney: boolean): ItemKind {
  const { kind, label, outcome } = document;
  if (isRefund) return 'refund';
  if (kind === 'event') {
    if (outcome === 'contradicted' || outcome === 'bad') return 'event';
    return isMoney ? 'charge' : (NAMES[label ?? ''] ?? 'event');
  }
  if (kind === 'purchase') return label === RECURRING ? 'charge' : 'purchase';
  if (kind === 'request') return countsAs(document) === 'purchases' ? 'purchase' : 'request';
  return kind;
}

const countsAs = ({ label }: Document) => operationNamed(label)?.countsAs;

/** A custom request (`gw api`) does not say what it did with its amount, and an unknown outcome says nothing either. */
const mayCount = (document: Document) =>
  countsAs(document) !== undefined || outcomeOf(document) === 'unknown';

/** Words for outcomes. Where the gateway said neither yes nor no, the money may have moved. */
const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'approved',
  sending: 'unknown',
  abandoned: 'declined',
};

function outcomeOf({ outcome }: Document): string | null {
  return OUTCOMES[outcome ?? ''] ?? outcome;
}

/** Orders items of one moment: a cause comes before its effects. */
const RANKS: Partial<Record<ItemKind, number>> = {
  plan: 0,
  customer: 1,
  card: 2,
  subscription: 3,
  announced: 4,
  refund: 6,
  'card-expired': 7,
};
const rankOf = ({ what }: Item) => RANKS[what] ?? 5;

/** A charge on the day after one of the same subscription that failed is its retry (section 8). */
function countRetries(items: readonly Item[]): void {
  const failed = new Map<string, { day: number; retries: number }>();
  for (const item of items) {
    if (item.what !== 'charge' || item.subscription === null) continue;
    const day = Math.floor(Date.parse(item.at) / DAY_MS);
    const before = failed.get(item.subscription);
    const isNext = before !== undefined && day - before.day === 1 && before.retries < MAX_RETRIES;
    if (isNext) {
      item.retry = before.retries + 1;
      item.what = 'retry';
    }
    if (isUnsuccessful(item.outcome)) failed.set(item.subscription, { day, retries: item.retry });
    else failed.delete(item.subscription);
  }
}
