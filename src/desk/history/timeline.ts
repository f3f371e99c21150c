/**
 * Makes a timeline of things. A purchase that was sent, seen and reported by a webhook is one item that names all three
 * sources. Other news of a webhook, such as an expired card, is an item of its own.
 */
import { DAY_MS } from '../../base/calendar.ts';
import { isUnsuccessful } from '../../contract/normal.ts';
import { operationNamed } from '../../contract/operations.ts';
import type { StoredEvent } from '../../events/event.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import type { Deed } from '../../things/deed.ts';
import type { Thing } from '../../things/thing.ts';
import type { Item, ItemKind, Source } from '../../view/cards/timeline-item.ts';

/** Name of the profile of the test gateway. */
const LOCAL = 'local';
/** The retries of one charge, one a day (section 8). */
const MAX_RETRIES = 3;

/** @returns items, oldest first; every thing and event is a source of one item at most */
export async function timelineOf(
  known: Pick<KnownWithEvents, 'events' | 'remembered'>,
  things: readonly Thing[],
): Promise<Item[]> {
  const announcements = await eventsBeside(known, things);
  const charges = announcedCharges(things, announcements);
  const items: Item[] = [];
  for (const thing of things) {
    if (isOnlyNamed(thing)) continue;
    items.push(itemOf(await startOf(known, thing), charges.get(thing)));
    for (const deed of deedsOf(thing))
      if (deed.what !== 'created') items.push(itemOfDeed(thing, deed));
  }
  const attached = new Set([...charges.values()].flat());
  for (const event of announcements)
    if (!attached.has(event.id)) items.push(itemOfEvent(event, things));
  items.sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at) || rankOf(one) - rankOf(other),
  );
  countRetries(items);
  return items;
}

/** Only webhooks name this customer or subscription, so its creation is unknown. */
function isOnlyNamed({ kind, told }: Thing): boolean {
  return told === 'event' && kind !== 'purchase' && kind !== 'event';
}

/** The only date of a subscription is its first day. */
async function startOf(known: Pick<KnownWithEvents, 'remembered'>, thing: Thing): Promise<Thing> {
  if (thing.kind !== 'subscription') return thing;
  const seen = await rememberedOf(known, { kind: 'subscription', id: thing.id }, thing);
  const start = seen?.record.start_date;
  const isDate = typeof start === 'string' && !Number.isNaN(Date.parse(start));
  return isDate ? { ...thing, at: start } : thing;
}

/** An event with the time at which it happened. */
type DatedEvent = StoredEvent & { at: string };

/** Outcomes of events that are items of their own. */
const BESIDE = ['pending', 'expiring', 'expired', 'unknown'];

/** @returns the events about these things that have no charge, in order */
async function eventsBeside(
  known: Pick<KnownWithEvents, 'events'>,
  things: readonly Thing[],
): Promise<DatedEvent[]> {
  const told = new Set(things.filter(isMoneyOfEvent).flatMap(({ sources }) => sources.events));
  const others = new Set(things.flatMap(({ sources }) => sources.events));
  const events = await known.events([...others].filter((number) => !told.has(number)));
  return events
    .filter(({ outcome }) => BESIDE.includes(outcome))
    .map((event) => ({ ...event, at: dateOf(event, things) }));
}

function isMoneyOfEvent({ kind }: Thing): boolean {
  return kind === 'purchase' || kind === 'event';
}

/**
 * These events have no date of their own, so they are dated by their receipt. The clock of the test gateway may differ
 * from that by years. There an event is dated like the charge before it.
 */
function dateOf({ id, profile, receivedAt }: StoredEvent, things: readonly Thing[]): string {
  if (profile !== LOCAL) return receivedAt;
  const before = things.filter(
    ({ kind, sources }) => kind === 'purchase' && sources.events.some((number) => number < id),
  );
  const [latest] = before.toSorted((one, other) => lastEvent(other, id) - lastEvent(one, id));
  return latest?.at ?? receivedAt;
}

function lastEvent({ sources }: Thing, below: number): number {
  return Math.max(...sources.events.filter((number) => number < below));
}

/** @returns the announcement before each charge; a later announcement replaces an earlier one */
function announcedCharges(
  things: readonly Thing[],
  announcements: readonly DatedEvent[],
): Map<Thing, number[]> {
  const charges = new Map<Thing, number[]>();
  const pending = new Set(
    announcements.filter(({ outcome }) => outcome === 'pending').map(({ id }) => id),
  );
  const purchases = things.filter(({ kind }) => kind === 'purchase');
  for (const { kind, sources } of things) {
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

function itemOf(thing: Thing, announcements: readonly number[] = []): Item {
  const { kind, id, sources, outcome } = thing;
  const isRefund = kind === 'refund' || countsAs(thing) === 'refunds';
  const isMoney =
    kind === 'purchase' ||
    kind === 'refund' ||
    (kind === 'request' && thing.amount !== null && mayCount(thing)) ||
    (kind === 'event' && outcome !== 'contradicted' && outcome !== 'bad');
  const events = isMoneyOfEvent(thing) ? [...sources.events, ...announcements] : [];
  return {
    at: thing.at,
    what: whatOf(thing, isRefund, isMoney),
    outcome: isMoney ? outcomeOf(thing) : outcome,
    amount: thing.amount,
    currency: thing.currency,
    reference: thing.reference,
    id: kind === 'event' ? thing.purchase : kind === 'request' ? null : id,
    who: thing.who,
    lastFour: thing.lastFour,
    message: isMoney ? reasonOf(thing) : thing.message,
    label: thing.label,
    purchase: thing.purchase,
    customer: thing.customer,
    subscription: thing.subscription,
    plan: thing.plan,
    profile: thing.profile,
    environment: thing.environment,
    operator: thing.operator ?? deedsOf(thing).find(isCreation)?.operator ?? null,
    note: deedsOf(thing).length > 0 ? (deedsOf(thing).find(isCreation)?.note ?? null) : thing.note,
    retry: 0,
    isMoney,
    isRefund,
    seenAt: thing.seenAt,
    sources: [
      ...(sources.record ? [{ kind: 'record', id } as const] : []),
      ...events.map((number): Source => ({ kind: 'event', id: String(number) })),
      ...Object.keys(sources.requests).map((entry): Source => ({ kind: 'request', id: entry })),
    ],
  };
}

const isCreation = ({ what }: Deed) => what === 'created';

function deedsOf({ sources }: Thing): readonly Deed[] {
  return sources.record?.deeds ?? [];
}

function itemOfDeed(thing: Thing, { at, what, fields, operator, note }: Deed): Item {
  return {
    ...itemOf(thing),
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
    sources: [{ kind: 'record', id: thing.id }],
  };
}

/** @param things the subscription of an announcement, or the customer of a card */
function itemOfEvent(event: DatedEvent, things: readonly Thing[]): Item {
  const about = things.filter(({ sources }) => sources.events.includes(event.id));
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
function reasonOf({ kind, message }: Thing): string | null {
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

function whatOf(thing: Thing, isRefund: boolean, isMoney: boolean): ItemKind {
  const { kind, label, outcome } = thing;
  if (isRefund) return 'refund';
  if (kind === 'event') {
    if (outcome === 'contradicted' || outcome === 'bad') return 'event';
    return isMoney ? 'charge' : (NAMES[label ?? ''] ?? 'event');
  }
  if (kind === 'purchase') return label === RECURRING ? 'charge' : 'purchase';
  if (kind === 'request') return countsAs(thing) === 'purchases' ? 'purchase' : 'request';
  return kind;
}

const countsAs = ({ label }: Thing) => operationNamed(label)?.countsAs;

/** A custom request (`gw api`) does not say what it did with its amount, and an unknown outcome says nothing either. */
const mayCount = (thing: Thing) => countsAs(thing) !== undefined || outcomeOf(thing) === 'unknown';

/** Words for outcomes. If the gateway said neither yes nor no, the money may have moved. */
const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'approved',
  sending: 'unknown',
  abandoned: 'declined',
};

function outcomeOf({ outcome }: Thing): string | null {
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

/** A charge on the day after a failed one of the same subscription is its retry (section 8). */
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
