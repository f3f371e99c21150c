/**
 * Subscriptions as far as they are known here: by their record, as it was seen last, and by
 * what webhooks told of them. Whichever was learnt later decides; what neither says is null.
 */
import { addDays, DAY_MS } from '../../base/calendar.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import { isoMonth, parseExpiry } from '../../contract/expiry.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { FREQUENCIES } from '../../contract/resources/subscription.ts';
import { type Frequency, firstDueFrom, notPast } from '../../emulator/rules/schedule.ts';
import { readDelivery } from '../../events/read/read-delivery.ts';
import type { Document } from '../../index/document.ts';
import { isOurs, type SearchScope } from '../../index/scope.ts';
import type { SearchFilter, SearchIndex } from '../../index/search-index.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { KnownSubscription, WaitingRetry } from '../../view/records/report.ts';

/** Where it is all kept. */
export interface SubscriptionSources {
  documents: SearchIndex;
  remembered: Ledger['remembered'];
  /** @returns the body of an event, or undefined when it is gone */
  eventBody(id: number): Promise<Uint8Array | undefined>;
}

interface Charge {
  amount: number | null;
  currency: string | null;
  expiry: string | null;
}

type PlanAmount = Pick<Charge, 'amount' | 'currency'>;

const MAX_PLANS = 10_000;
const NO_CHARGE: Charge = { amount: null, currency: null, expiry: null };
/** Documents of a name that are looked through for what they say of money and card. */
const LOOKED_AT = 20;
const NOTICE_MS = 31 * DAY_MS;

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns every subscription of that scope that is known, active or not, one at a time
 */
export async function* knownSubscriptions(
  memory: SubscriptionSources,
  scope: SearchScope,
  today: string,
): AsyncGenerator<KnownSubscription> {
  const { documents } = memory;
  const plans = new Map<string, PlanAmount>();
  const charges = new Map<string, Document>();
  for (const document of await documents.newestCharges(scope))
    if (document.subscription !== null) charges.set(document.subscription, document);

  for await (const document of documents.each({ kinds: ['subscription'] })) {
    if (!isOurs(document, scope)) continue;
    const name = document.subscription ?? document.id;
    const charge = charges.get(name);
    charges.delete(name);
    const record = await recordOf(memory, document);
    if (record)
      yield await completed(memory, scope, {
        today,
        plans,
        base: ofRecord(document, record),
        charge,
      });
  }
  for (const charge of charges.values()) {
    const base = await ofEvent(memory, charge);
    if (base) yield await completed(memory, scope, { today, plans, base, charge });
  }
}

interface PlanCharges {
  today: string;
  /** Amounts of plans, by the name that subscriptions use. There are few plans. */
  plans: Map<string, PlanAmount>;
  base: KnownSubscription;
  /** Its newest charge that an event told of. */
  charge: Document | undefined;
}

async function completed(
  memory: SubscriptionSources,
  scope: SearchScope,
  { today, plans, base, charge }: PlanCharges,
): Promise<KnownSubscription> {
  const told = charge && charge.seenAt > base.seenAt ? afterCharge(base, charge) : base;
  const customer = await customerOf(memory, scope, told);
  const card = await cardEvents(memory, scope, { today, subscription: told });
  const last = await lastCharge(memory, scope, { name: told.name, token: customer.token, charge });
  const plan = await planOf(memory, scope, { plan: told.plan, plans });
  const isStopped = card.hasExpired && told.isActive;
  const sum = plan.amount === null ? last : plan;
  return {
    ...told,
    who: customer.who ?? told.who,
    email: customer.email ?? told.email,
    amount: sum.amount,
    // The record of a plan says its currency in lists only.
    currency: sum.currency ?? last.currency,
    cardExpiry: last.expiry,
    expiryNotice: card.notice,
    hasExpiredCard: card.hasExpired,
    isActive: told.isActive && !isStopped,
    ...(!isStopped && told.isActive && scheduled(told, today)),
  };
}

/** A date that has passed is stale: what became of it was not seen, and the next one is by the rules. */
function scheduled(
  { next, start, end, frequency, retry }: KnownSubscription,
  today: string,
): Pick<KnownSubscription, 'next' | 'retry'> {
  const isStale = next !== null && next < today;
  const due = isStale ? dueFrom({ start, end, frequency }, today) : next;
  const isOver = retry?.date != null && retry.date < today;
  return { next: due, retry: isOver ? null : retry };
}

function dueFrom(
  { start, end, frequency }: Pick<KnownSubscription, 'start' | 'end' | 'frequency'>,
  day: string,
): string | null {
  if (start === null || frequency === null) return null;
  return notPast(end, firstDueFrom(start, frequency, day));
}

function ofRecord(document: Document, record: JsonObject): KnownSubscription {
  const base: KnownSubscription = {
    ...NOTHING,
    ...scheduleIn(record),
    name: document.subscription ?? document.id,
    customer: textOrNull(record.customer),
    plan: textOrNull(record.plan),
    next: dayIn(record.next_billing_date),
    lastStatus: textOrNull(record.last_status),
    isActive: record.is_active === true,
    seenAt: document.seenAt,
    source: 'record',
  };
  return { ...base, retry: retryOf(base) };
}

async function ofEvent(
  memory: SubscriptionSources,
  document: Document,
): Promise<KnownSubscription | undefined> {
  const name = document.subscription;
  const own = (await partsOf(memory, document)).find(({ subscription }) =>
    [subscription?.reference, subscription?.id].includes(name),
  );
  if (!own?.subscription || name === null) return undefined;
  const base: KnownSubscription = {
    ...NOTHING,
    ...scheduleIn(own.subscription),
    name,
    customer: document.customer,
    who: document.who,
    email: document.email,
    plan: document.plan,
    // Only active ones are charged.
    isActive: true,
    seenAt: document.seenAt,
    source: 'event',
  };
  return afterCharge(base, document);
}

const NOTHING = {
  who: null,
  email: null,
  next: null,
  lastStatus: null,
  hasExpiredCard: false,
  retry: null,
  amount: null,
  currency: null,
  cardExpiry: null,
  expiryNotice: null,
} as const;

function scheduleIn(record: JsonObject) {
  return {
    frequency: FREQUENCIES.find((known) => known === record.frequency) ?? null,
    start: dayIn(record.start_date),
    end: dayIn(record.end_date),
  };
}

/** @returns the subscription after an attempt to charge it; the date is the gateway's */
function afterCharge(subscription: KnownSubscription, charge: Document): KnownSubscription {
  const { seenAt } = charge;
  if (charge.outcome === 'pending') return { ...subscription, seenAt };
  const following = addDays(charge.at.slice(0, 'YYYY-MM-DD'.length), 1);
  const lastStatus = /Failed \(\d+\), \w+/.exec(charge.message ?? '')?.[0];
  const number = retryNumber(lastStatus ?? null);
  return {
    ...subscription,
    seenAt,
    lastStatus: charge.outcome === 'approved' ? 'Successful' : (lastStatus ?? null),
    next: dueFrom(subscription, following) ?? subscription.next,
    retry: charge.outcome === 'declined' && number ? { number, date: following } : null,
    source: 'event',
  };
}

function retryNumber(lastStatus: string | null): number | undefined {
  const number = /^Failed \((\d)\), Pending$/i.exec(lastStatus ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

/**
 * A failed charge is tried again on the three days after it (section 8). Its record names no day, but the
 * due date after it is known, and so is the one before.
 */
function retryOf(subscription: KnownSubscription): WaitingRetry | null {
  const { lastStatus, frequency, next, start } = subscription;
  const number = retryNumber(lastStatus);
  if (number === undefined) return null;
  // A charge that falls due during a retry is skipped, one day at a time.
  if (frequency === 'Daily') return { number, date: next };
  if (frequency === null || start === null || next === null) return { number, date: null };
  return { number, date: addDays(dueBefore(start, frequency, next), number) };
}

function dueBefore(start: string, frequency: Frequency, day: string): string {
  for (let back = 1; back <= 366; back++) {
    const due = addDays(day, -back);
    if (due <= start || firstDueFrom(start, frequency, due) === due) return due;
  }
  return start;
}

async function recordOf(
  memory: SubscriptionSources,
  document: Document,
): Promise<JsonObject | undefined> {
  const what = { kind: document.kind as RecordKind, id: document.id };
  return (await rememberedOf(memory, what, document))?.record;
}

async function customerOf(
  memory: SubscriptionSources,
  scope: SearchScope,
  { customer }: Pick<KnownSubscription, 'customer'>,
): Promise<{ who: string | null; email: string | null; token: string | null }> {
  const none = { who: null, email: null, token: null };
  if (customer === null) return none;
  const documents = await tiedTo(memory, scope, [customer], { kinds: ['customer'] });
  const document = documents.find((one) => [one.id, one.reference].includes(customer));
  if (!document) return none;
  const record = await recordOf(memory, document);
  return { who: document.who, email: document.email, token: textOrNull(record?.card_token) };
}

async function planOf(
  memory: SubscriptionSources,
  scope: SearchScope,
  { plan, plans }: { plan: string | null; plans: Map<string, PlanAmount> },
): Promise<PlanAmount> {
  if (plan === null) return NO_CHARGE;
  const known = plans.get(plan);
  if (known) return known;
  const [found = NO_CHARGE] = await tiedTo(memory, scope, [plan], { kinds: ['plan'] });
  const { amount, currency } = found;
  if (plans.size >= MAX_PLANS) plans.clear();
  plans.set(plan, { amount, currency });
  return { amount, currency };
}

/** The subscription whose charge and card are wanted. */
interface Payer {
  /** Name of the subscription. */
  name: string;
  /** The customer's card; null where it is not known. */
  token: string | null;
  charge: Document | undefined;
}

/** @returns the newest charge and its card */
async function lastCharge(
  memory: SubscriptionSources,
  scope: SearchScope,
  payer: Payer,
): Promise<Charge> {
  const { name, token, charge } = payer;
  const names = token === null ? [name] : [name, token];
  const seen = await tiedTo(memory, scope, names, { kinds: ['purchase', 'card'] });
  const told = charge && charge.outcome !== 'pending' ? [charge] : [];
  const documents = [...seen, ...told];
  documents.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const last = documents.find((document) => isChargeOf(document, name) && document.amount !== null);
  const { amount = null, currency = null } = last ?? {};
  return { amount, currency, expiry: await expiryOf(memory, documents, payer) };
}

function isChargeOf({ kind, label, reference }: Document, name: string): boolean {
  return kind === 'event' || (label === 'Recurring' && reference === name);
}

/** @param documents newest first; what was paid by a card that was replaced says nothing */
async function expiryOf(
  memory: SubscriptionSources,
  documents: readonly Document[],
  { name, token }: Payer,
): Promise<string | null> {
  for (const document of documents) {
    const isEvent = document.kind === 'event';
    const record = isEvent ? await purchaseOf(memory, document) : await recordOf(memory, document);
    const paidBy = textOrNull(record?.card_token) ?? textOrNull(record?.token);
    const isItsCard =
      paidBy !== null && token !== null ? paidBy === token : isChargeOf(document, name);
    const expiry = parseExpiry(textOrNull(record?.card_expiry) ?? '');
    if (expiry && isItsCard) return isoMonth(expiry);
  }
  return null;
}

async function purchaseOf(
  memory: SubscriptionSources,
  document: Document,
): Promise<JsonObject | undefined> {
  const parts = await partsOf(memory, document);
  const own = parts.find(({ purchase }) => textOrNull(purchase?.id) === document.purchase);
  return own?.purchase ?? undefined;
}

/** @returns what an event tells of, nothing where it is gone. @param document of an event */
async function partsOf(memory: SubscriptionSources, { id }: Document) {
  const body = await memory.eventBody(Number(id));
  return body === undefined ? [] : readDelivery(body).parts;
}

/** @returns documents of the scope that have one of the names, latest first */
async function tiedTo(
  { documents }: SubscriptionSources,
  scope: SearchScope,
  names: readonly string[],
  filter: Omit<SearchFilter, 'scope'>,
): Promise<Document[]> {
  const found = await documents.tied(names, { ...filter, limit: LOOKED_AT });
  return found.filter((document) => isOurs(document, scope));
}

/** @returns what events said about the customer's card since the subscription was last seen */
async function cardEvents(
  memory: SubscriptionSources,
  scope: SearchScope,
  { today, subscription }: { today: string; subscription: KnownSubscription },
): Promise<{ hasExpired: boolean; notice: string | null }> {
  const { customer, seenAt, isActive } = subscription;
  if (customer === null) return { hasExpired: false, notice: null };
  const outcome = ['expired', 'expiring'];
  const ours = await tiedTo(memory, scope, [customer], { kinds: ['event'], outcome });
  const expired = ours.find((document) => document.outcome === 'expired');
  const expiring = ours.find((document) => document.outcome === 'expiring');
  const isRecent = expiring && Date.parse(expiring.at) + NOTICE_MS >= Date.parse(today);
  return {
    hasExpired: expired !== undefined && (expired.seenAt >= seenAt || !isActive),
    notice: isRecent ? expiring.at.slice(0, 'YYYY-MM-DD'.length) : null,
  };
}

function dayIn(value: Json | undefined): string | null {
  const text = textOrNull(value)?.slice(0, 'YYYY-MM-DD'.length) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
