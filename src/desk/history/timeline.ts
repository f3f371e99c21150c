/**
 * Makes a timeline of documents. A purchase that was sent from here, seen since and announced by an event is one item
 * that names all three sources.
 *
 * Several documents can tell of one purchase or refund. The record counts first, then the event, then the request. An
 * event that the gateway contradicts is an item of its own and moves no money.
 */
import { DAY_MS } from '../../base/calendar.ts';
import { isUnsuccessful } from '../../contract/normal.ts';
import { operationNamed } from '../../contract/operations.ts';
import type { Document } from '../../index/document.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { LedgerReader } from '../../requests/known/lazy-ledger.ts';
import { kindMade } from '../../requests/known/resolve-name.ts';
import type { Item, ItemKind } from '../../view/cards/timeline-item.ts';

/** A document with the record that it led to, where it is a request. */
interface Told {
  document: Document;
  recordId: string | null;
  refundOf: string | null;
}

/** Name of the profile of the embedded gateway. */
const LOCAL = 'local';
/** Section 8: retries of one charge, one a day. */
const MAX_RETRIES = 3;

/** @returns oldest first; every document is a source of exactly one item */
export async function timelineOf(
  known: Pick<LedgerReader, 'find' | 'remembered'>,
  documents: readonly Document[],
): Promise<Item[]> {
  const dated = datedEvents(documents);
  const told: Told[] = [];
  for (const document of documents) told.push(await toldBy(known, dated.get(document) ?? document));
  return itemsOf(told);
}

async function toldBy(
  known: Pick<LedgerReader, 'find' | 'remembered'>,
  document: Document,
): Promise<Told> {
  const none = { recordId: null, refundOf: null };
  if (document.kind === 'subscription')
    return { document: await startOf(known, document), ...none };
  if (document.kind !== 'request') return { document, ...none };
  const [entry] = await known.find(document.id);
  const recordId = entry?.recordId ?? null;
  return { document, recordId, refundOf: entry?.refundOf ?? null };
}

/** A subscription has no date but that of its first day. */
async function startOf(
  known: Pick<LedgerReader, 'remembered'>,
  document: Document,
): Promise<Document> {
  const seen = await rememberedOf(known, { kind: 'subscription', id: document.id }, document);
  const start = seen?.record.start_date;
  const isDate = typeof start === 'string' && !Number.isNaN(Date.parse(start));
  return isDate ? { ...document, at: start } : document;
}

/**
 * An event that has no date of its own has the time at which it was received. The clock of the embedded
 * gateway may be years away from that: there it is as late as what was received before it.
 */
function datedEvents(documents: readonly Document[]): Map<Document, Document> {
  const events = documents.filter(({ kind, profile }) => kind === 'event' && profile === LOCAL);
  const dated = new Map<Document, Document>();
  let latest: string | undefined;
  for (const document of events.toSorted((one, other) => Number(one.id) - Number(other.id))) {
    if (document.at !== document.seenAt) latest = document.at;
    else if (latest !== undefined) dated.set(document, { ...document, at: latest });
  }
  return dated;
}

function itemsOf(told: readonly Told[]): Item[] {
  const groups = new Map<string, Told[]>();
  const charges = announcedCharges(told.map(({ document }) => document));
  for (const [index, one] of told.entries()) {
    const key = happeningOf(one) ?? charges.get(one.document) ?? `alone ${index}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const items = [...groups.values()].map(itemOf);
  const currencies = new Map(
    items.filter(({ isRefund }) => !isRefund).map(({ id, currency }) => [id, currency]),
  );
  for (const item of items)
    if (item.isRefund) item.currency ??= currencies.get(item.purchase) ?? null;
  items.sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at) || rankOf(one) - rankOf(other),
  );
  countRetries(items);
  return items;
}

/** @returns a name that all documents of one happening share; undefined where nothing else tells of it */
function happeningOf({ document, recordId, refundOf }: Told): string | undefined {
  const { kind, id, purchase, outcome } = document;
  switch (kind) {
    case 'purchase':
    case 'refund':
    case 'customer':
    case 'subscription':
    case 'card':
      return `${kind} ${id}`;
    case 'event':
      return purchase === null || outcome === 'contradicted' ? undefined : `purchase ${purchase}`;
    case 'request': {
      const made = kindMade(document, refundOf);
      return made && recordId !== null ? `${made} ${recordId}` : undefined;
    }
    default:
      return undefined;
  }
}

/** @returns of each announcement of a charge the purchase that came of it, by what happened */
function announcedCharges(documents: readonly Document[]): Map<Document, string> {
  const charges = new Map<Document, string>();
  const waiting = new Map<string, Document>();
  const events = documents.filter(
    ({ kind, outcome }) => kind === 'event' && outcome !== 'contradicted',
  );
  for (const document of events.toSorted((one, other) => Number(one.id) - Number(other.id))) {
    const { subscription, purchase, label } = document;
    if (subscription === null) continue;
    const announcement = waiting.get(subscription);
    waiting.delete(subscription);
    if (label === 'charge:pending') waiting.set(subscription, document);
    else if (announcement && purchase !== null) charges.set(announcement, `purchase ${purchase}`);
  }
  return charges;
}

/** An announcement says less than the charge. */
const TRUST: Partial<Record<Document['kind'], number>> = { event: 1, request: 2 };
const trustOf = ({ document }: Told) =>
  isAnnouncement(document) ? 3 : (TRUST[document.kind] ?? 0);
const isAnnouncement = ({ kind, purchase }: Document) => kind === 'event' && purchase === null;

function itemOf(group: readonly Told[]): Item {
  const sorted = group.toSorted((one, other) => trustOf(one) - trustOf(other));
  const documents = sorted.map(({ document }) => document);
  const said = <Name extends keyof Document>(name: Name): Document[Name] | null =>
    documents.find((document) => document[name] !== null)?.[name] ?? null;
  const best = documents[0] as Document;
  const request = sorted.find(({ document }) => document.kind === 'request');
  const isRefund = best.kind === 'refund' || (request?.refundOf ?? null) !== null;
  const isMoney =
    best.kind === 'purchase' ||
    isRefund ||
    (best.kind === 'request' && best.amount !== null && mayCount(best)) ||
    (best.kind === 'event' && best.purchase !== null && best.outcome !== 'contradicted');
  const recordId = request?.recordId ?? null;
  return {
    at: best.at,
    what: whatOf(best, isRefund, isMoney),
    outcome: isMoney ? outcomeOf(best) : best.outcome,
    amount: said('amount'),
    currency: said('currency'),
    reference: said('reference'),
    id: idOf(best, recordId),
    who: said('who'),
    lastFour: said('lastFour'),
    message: isMoney ? reasonOf(best) : best.message,
    label: best.label,
    purchase: isRefund ? (said('purchase') ?? request?.refundOf ?? null) : said('purchase'),
    customer: said('customer'),
    subscription: subscriptionOf(best, said('subscription')),
    plan: said('plan'),
    profile: said('profile'),
    environment: said('environment'),
    operator: said('operator'),
    retry: 0,
    isMoney,
    isRefund,
    seenAt:
      documents
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? best.seenAt,
    sources: documents.map(({ kind, id }) => ({
      kind: kind === 'event' || kind === 'request' ? kind : 'record',
      id,
    })),
  };
}

const LAST_STATUS = /^(?:successful|scheduled|queued|failed \(\d+\), (?:pending|aborted))$/i;

/** @returns the purchase's part of a message; the rest of an event's message is the subscription's state */
function reasonOf({ kind, message }: Document): string | null {
  if (kind !== 'event' || message === null) return message;
  const parts = message.split('; ').filter((part) => !LAST_STATUS.test(part));
  return parts.join('; ') || null;
}

function idOf({ kind, id, purchase }: Document, recordId: string | null): string | null {
  if (kind === 'event') return purchase;
  return kind === 'request' ? recordId : id;
}

/** A charge of a subscription is a purchase with its reference (section 3.2). */
function subscriptionOf({ kind, label, reference }: Document, said: string | null): string | null {
  return said ?? (kind === 'purchase' && label === RECURRING ? reference : null);
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

function outcomeOf({ kind, outcome }: Document): string | null {
  if (kind !== 'request' && kind !== 'event') return outcome;
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
