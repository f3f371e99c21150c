/**
 * Makes a timeline of things. A purchase that was sent, seen and reported by a webhook is one item that names all three
 * sources. Other news of a webhook, such as an expired card, is an item of its own.
 */
import { DAY_MS } from '../../base/calendar.ts';
import { MAX_RETRIES } from '../../contract/billing-dates.ts';
import { isUnsuccessful } from '../../contract/normal.ts';
import { findOperation } from '../../contract/operations.ts';
import { type StoredEvent, timeOfEvent } from '../../events/event.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import type { Deed } from '../../things/deed.ts';
import { overOn, stopCause } from '../../things/subscription-state.ts';
import type { Thing, ThingOutcome } from '../../things/thing.ts';
import { isRefund, shownOutcome, whatCounts } from '../../things/what-counts.ts';
import type { Item, ItemKind, Source } from '../../view/panels/ties.ts';
import { CAUSES } from '../../view/panels/words.ts';
import { withoutStatus } from '../../view/reason.ts';

const NOT_BELIEVED = ['bad', 'contradicted'];

/**
 * @param things newest first, also within one second
 * @param payers customers of whom only the notice about the card is wanted
 * @returns items, oldest first; every thing and event is a source of one item at most
 */
export async function timelineOf(
  known: Pick<KnownWithEvents, 'events'>,
  things: readonly Thing[],
  payers: readonly Thing[] = [],
): Promise<Item[]> {
  const announcements = await eventsBeside(known, things, payers);
  const charges = announcedCharges(things, announcements);
  const items: Item[] = [];
  for (const thing of things.toReversed()) {
    // A sample did not happen. `gw events` shows it.
    if (isOnlyNamed(thing) || thing.outcome === 'sample') continue;
    items.push(itemOf(thing, charges.get(thing)));
    for (const deed of deedsOf(thing))
      if (deed.what !== 'created' && deed.what !== 'renewed') items.push(itemOfDeed(thing, deed));
    items.push(...itemOfEnd(thing));
  }
  const attached = new Set(charges.values());
  for (const event of announcements)
    if (!attached.has(event.id)) items.push(...itemOfEvent(event, [...things, ...payers]));
  items.sort(
    (one, other) =>
      timeOf(one) - timeOf(other) ||
      rankOf(one) - rankOf(other) ||
      (one.what === 'deed' ? Date.parse(one.seenAt) - Date.parse(other.seenAt) : 0),
  );
  countRetries(items);
  return items;
}

/** Only webhooks name this customer or subscription, so its creation is unknown. */
function isOnlyNamed({ kind, told }: Thing): boolean {
  return (told === 'event' || told === 'heard') && kind !== 'purchase' && kind !== 'event';
}

/** An event with the time at which it happened. */
type DatedEvent = StoredEvent & { at: string };

/** Outcomes of events that are items of their own. */
const BESIDE = ['pending', 'expiring', 'expired', 'unknown'];

/** @returns the events about these things that have no charge, in order */
async function eventsBeside(
  known: Pick<KnownWithEvents, 'events'>,
  things: readonly Thing[],
  payers: readonly Thing[],
): Promise<DatedEvent[]> {
  const told = new Set(things.filter(isMoneyOfEvent).flatMap(({ sources }) => sources.events));
  const notices = payers.flatMap(({ sources }) => sources.notice?.event ?? []);
  const others = new Set([...things.flatMap(({ sources }) => sources.events), ...notices]);
  const events = await known.events([...others].filter((number) => !told.has(number)));
  return events
    .filter(({ outcome }) => BESIDE.includes(outcome))
    .map((event) => ({ ...event, at: timeOfEvent(event) }));
}

function isMoneyOfEvent({ kind }: Thing): boolean {
  return kind === 'purchase' || kind === 'event';
}

/** @returns the announcement before each charge; a later announcement replaces an earlier one */
function announcedCharges(
  things: readonly Thing[],
  announcements: readonly DatedEvent[],
): Map<Thing, number> {
  const charges = new Map<Thing, number>();
  const pending = new Set(
    announcements.filter(({ outcome }) => outcome === 'pending').map(({ id }) => id),
  );
  const purchases = things.filter(({ kind }) => kind === 'purchase');
  for (const { kind, sources } of things) {
    if (kind !== 'subscription') continue;
    let waiting: number | undefined;
    for (const number of sources.events) {
      const charge = purchases.find((one) => one.sources.events.includes(number));
      if (charge && waiting !== undefined) charges.set(charge, waiting);
      waiting = pending.has(number) ? number : undefined;
    }
  }
  return charges;
}

/** @param announcement the number of the event that announced the charge @returns the item, whose retries are not counted */
export function itemOf(thing: Thing, announcement?: number): Item {
  const { kind, id, sources, outcome, message } = thing;
  const isBack = isRefund(thing);
  const isMoney = movesMoney(thing);
  const events = isMoneyOfEvent(thing) ? [...sources.events, announcement ?? []].flat() : [];
  // The amount of a proposal that is over is that of the request that it became, or of none.
  const isOver = outcome === 'released' || outcome === 'withdrawn';
  return {
    ...thing,
    ...(isOver && { amount: null }),
    what: whatOf(thing, isBack, isMoney),
    outcome: isMoney ? outcomeOf(thing) : outcome,
    id: kind === 'event' ? thing.purchase : kind === 'request' ? null : id,
    message: isMoney && kind === 'event' ? withoutStatus(message ?? '') || null : message,
    ...authorOf(thing),
    retry: 0,
    isMoney,
    isRefund: isBack,
    counts: whatCounts(thing),
    hearsay: thing.told === 'heard',
    sources: [
      ...(sources.record ? [{ kind: 'record', id } as const] : []),
      ...events.map((number): Source => ({ kind: 'event', id: String(number) })),
      ...Object.keys(sources.requests).map((entry): Source => ({ kind: 'request', id: entry })),
    ],
  };
}

/** A custom request (`gw api`) does not say what it did with its amount, unless nobody knows its outcome. */
function movesMoney(thing: Thing): boolean {
  const { kind, outcome, amount } = thing;
  if (kind === 'event') return !NOT_BELIEVED.includes(outcome ?? '');
  if (kind === 'request')
    return amount !== null && (countsAs(thing) !== undefined || whatCounts(thing) === 'unknown');
  return kind === 'purchase' || kind === 'refund';
}

/** Each deed is an item of its own, so only the creation is told of here. */
function authorOf(thing: Thing): Pick<Item, 'operator' | 'note'> {
  const deeds = deedsOf(thing);
  const { operator, note } = deeds.find(({ what }) => what === 'created') ?? {};
  return {
    operator: thing.operator ?? operator ?? null,
    note: deeds.length > 0 ? (note ?? null) : thing.note,
  };
}

function deedsOf({ sources }: Thing): readonly Deed[] {
  return sources.record?.deeds ?? [];
}

const NO_MONEY = {
  ...({ amount: null, currency: null, isMoney: false, isRefund: false } as const),
  counts: undefined,
};

function itemOfDeed(thing: Thing, deed: Deed): Item {
  const { at, dated = at, what, to, fields, operator, note } = deed;
  return {
    ...itemOf(thing),
    ...NO_MONEY,
    at: dated,
    // The clock of the test gateway may stand still.
    seenAt: at,
    what: 'deed',
    outcome: null,
    message: what === 'changed' ? fields.join(', ') : (to ?? null),
    label: what,
    operator,
    note,
    sources: [{ kind: 'record', id: thing.id }],
  };
}

/** A stop that a person or an expired card caused has an item already: the deed, or the event. */
function itemOfEnd(thing: Thing): Item[] {
  const day = overOn(thing);
  const cause = stopCause(thing);
  const isSaid = thing.outcome !== 'ended' && cause !== 'customer deleted';
  if (thing.kind !== 'subscription' || day === null || isSaid) return [];
  const item = {
    ...itemOf(thing),
    ...NO_MONEY,
    at: day,
    outcome: null,
    operator: null,
    note: null,
  };
  const message = thing.outcome === 'ended' ? null : (CAUSES['customer deleted'] ?? null);
  return [
    { ...item, what: 'end', label: thing.outcome === 'ended' ? 'ended' : 'stopped', message },
  ];
}

/** @param things among them the subscription of an announcement, or the customer of a card */
function itemOfEvent(event: DatedEvent, things: readonly Thing[]): Item[] {
  const about = things.filter(({ sources }) => sources.events.includes(event.id));
  const best = about.find(({ kind }) => kind === 'subscription') ?? about[0];
  if (!best) return [];
  // The card may have been replaced since.
  const later = deedsOf(best).filter(({ at }) => at > event.receivedAt);
  const { replaced: had = best.lastFour } = later.find((one) => 'replaced' in one) ?? {};
  const nothing = { id: null, message: null, purchase: null, operator: null, note: null };
  return [
    {
      ...itemOf(best),
      ...NO_MONEY,
      ...nothing,
      at: event.at,
      what: NAMES[event.event ?? ''] ?? 'event',
      outcome: event.outcome,
      lastFour: event.outcome === 'pending' ? null : had,
      label: event.event,
      profile: event.profile,
      environment: best.environment ?? event.mode,
      seenAt: event.receivedAt,
      hearsay: best.sources.heardEvents?.includes(event.id) ?? false,
      sources: [{ kind: 'event', id: String(event.id) }],
    },
  ];
}

const NAMES: Readonly<Record<string, ItemKind>> = {
  'charge:pending': 'announced',
  'card:expiring': 'card-expiring',
  'card:expired': 'card-expired',
};

function whatOf(thing: Thing, isBack: boolean, isMoney: boolean): ItemKind {
  const { kind, label, outcome } = thing;
  if (isBack) return 'refund';
  if (kind === 'event') {
    if (NOT_BELIEVED.includes(outcome ?? '')) return 'event';
    return isMoney ? 'charge' : (NAMES[label ?? ''] ?? 'event');
  }
  if (kind === 'purchase') return label === 'Recurring' ? 'charge' : 'purchase';
  if (kind === 'request') return countsAs(thing) === 'purchases' ? 'purchase' : 'request';
  return kind;
}

const countsAs = ({ label }: Thing) => findOperation(label)?.countsAs;

/** Words for outcomes. If the gateway said neither yes nor no, the money may have moved. */
const OUTCOMES: Readonly<Partial<Record<ThingOutcome, ThingOutcome>>> = {
  done: 'approved',
  sending: 'unknown',
};

function outcomeOf({ outcome }: Thing): ThingOutcome | null {
  return (outcome && OUTCOMES[outcome]) ?? shownOutcome(outcome);
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
  deed: 8,
};
/** A subscription is billed on its last day too. */
const timeOf = ({ what, at }: Item) => Date.parse(at) + (what === 'end' ? DAY_MS - 1 : 0);
const rankOf = ({ what }: Item) => RANKS[what] ?? 5;

/**
 * A charge on the day after a failed one of the same subscription is its retry (section 8).
 * @param items oldest first
 */
export function countRetries(items: readonly Item[]): void {
  /** The last failed charge of each subscription, with its day since 1970. */
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
