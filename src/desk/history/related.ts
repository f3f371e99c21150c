/**
 * Collects the records that belong to a record: the purchase of a refund, the customer of a purchase, the subscriptions
 * of a customer, and what happened to all of them.
 */
import type { JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import type { RecordKind } from '../../contract/record.ts';
import { knownRecord } from '../../requests/known/known-record.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { sentCardOf } from '../../things/sources.ts';
import { stopCause } from '../../things/subscription-state.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';
import type { Item, SeenRecord, ShownTies } from '../../view/panels/ties.ts';
import { collectRelated, type Roots } from './collect.ts';
import { sumsOf } from './sums.ts';
import { timelineOf } from './timeline.ts';

export interface RelatedRoot {
  kind: RecordKind;
  /** The record as the gateway has it now, or as it was last seen. */
  record: JsonObject;
}

/** The owner of the wanted records, and today by the gateway's own dates, `YYYY-MM-DD`. */
interface RelatedScope {
  owner: Owner;
  today: string;
}

/** The most accounts that may have a record of one id. */
const MAX_OWNERS = 10;
/** The most purchases to read, since some of them may be with another card. */
const MAX_LOOKED_AT = 5;
/** The most items to show; more are counted only. */
const MAX_SUBSCRIPTIONS = 20;

export async function relatedRecords(
  known: KnownWithEvents,
  root: RelatedRoot,
  scope: RelatedScope,
): Promise<ShownTies> {
  return new RelatedQuery(known, root, scope).ties();
}

class RelatedQuery {
  readonly #known: KnownWithEvents;
  readonly #root: RelatedRoot;
  readonly #scope: RelatedScope;

  constructor(known: KnownWithEvents, root: RelatedRoot, scope: RelatedScope) {
    this.#known = known;
    this.#root = root;
    this.#scope = scope;
  }

  async ties(): Promise<ShownTies> {
    const { kind, record } = this.#root;
    const { owner } = this.#scope;
    const { things, payers, isCut } = await collectRelated(this.#known, await this.#roots(), owner);
    const items = await timelineOf(this.#known, things, payers);
    const latest = items.toReversed();
    const { subscriptions, subscriptionCount } = await this.#subscriptions(latest);
    const [subscription] = subscriptions;
    const of = kind === 'subscription' ? record : (subscription?.record ?? {});
    const customer = kind === 'plan' ? null : await this.#customer(latest, of);
    const purchaseId = kind === 'refund' ? latest.find(({ isRefund }) => isRefund)?.purchase : null;
    const plan = kind === 'subscription' || kind === 'purchase' ? textOrNull(of.plan) : null;
    const isOwn = (one: Thing) => one.kind === kind && one.id === record.id;
    const own = kind === 'subscription' ? things.find(isOwn) : undefined;
    const isPaying = kind === 'customer' || kind === 'card' || kind === 'subscription';
    return {
      purchase: purchaseId ? await this.#seen('purchase', purchaseId) : null,
      customer: kind === 'customer' ? null : customer,
      plan: plan === null ? null : await this.#seen('plan', plan),
      subscriptions,
      subscriptionCount,
      card: isPaying ? await this.#card(latest, customer?.record ?? record) : null,
      items,
      sums: sumsOf(items),
      stopCause: own && stopCause(own),
      isCut,
    };
  }

  async #roots(): Promise<Roots> {
    const { kind, record } = this.#root;
    const texts = (...names: string[]) => names.flatMap((name) => textOrNull(record[name]) ?? []);
    if (kind === 'purchase') return { purchase: texts('id') };
    if (kind === 'refund') return this.#ofRefund(texts('id'));
    if (kind === 'card') return { card: texts('token', 'alias') };
    const cards = kind === 'customer' ? texts('card_token') : [];
    return { [kind]: texts('id', 'reference'), card: cards };
  }

  /** A refund is shown with its purchase, if that is known. */
  async #ofRefund(refund: readonly string[]): Promise<Roots> {
    const things = await this.#tied(refund, ['refund', 'request']);
    const purchases = things.flatMap(({ purchase }) => purchase ?? []);
    return { refund, purchase: purchases.filter((id) => !refund.includes(id)) };
  }

  /** @param items latest first */
  async #subscriptions(
    items: readonly Item[],
  ): Promise<Pick<ShownTies, 'subscriptions' | 'subscriptionCount'>> {
    const { kind, record } = this.#root;
    if (kind === 'subscription' || kind === 'refund')
      return { subscriptions: [], subscriptionCount: 0 };
    const charge =
      kind === 'purchase' && record.source === 'Recurring' ? textOrNull(record.reference) : null;
    const told = items.flatMap(({ subscription }) => subscription ?? []);
    const names = [...new Set(charge === null ? told : [charge, ...told])];
    const seen: SeenRecord[] = [];
    for (const name of names.slice(0, MAX_SUBSCRIPTIONS)) seen.push(await this.#subscription(name));
    // A subscription that is known by id and by reference is one.
    const subscriptions = seen.filter(
      ({ record: { id } }, index) =>
        textOrNull(id) === null || seen.findIndex((one) => one.record.id === id) === index,
    );
    const unread = names.length - seen.length;
    return { subscriptions, subscriptionCount: subscriptions.length + unread };
  }

  async #subscription(name: string): Promise<SeenRecord> {
    const seen = await this.#seen('subscription', name);
    const plan = textOrNull(seen.record.plan);
    return {
      ...seen,
      record: { reference: name, ...seen.record },
      plan: plan === null ? undefined : await this.#seen('plan', plan),
    };
  }

  /** @param subscription the known part of it */
  async #customer(items: readonly Item[], subscription: JsonObject): Promise<SeenRecord | null> {
    const { kind, record } = this.#root;
    if (kind === 'customer') return { kind, id: textOrNull(record.id) ?? '', record, seenAt: null };
    const linked = textOrNull(record.customer) ?? textOrNull(subscription.customer);
    const told = items.find(({ customer }) => customer !== null)?.customer;
    const token = textOrNull(record.card_token) ?? textOrNull(record.token);
    const id = linked ?? told ?? (await this.#newestWith(token, 'customer'));
    return id ? this.#seen('customer', id) : null;
  }

  /** @param items latest first. @param holder customer, purchase or card */
  async #card(items: readonly Item[], holder: JsonObject): Promise<SeenRecord | null> {
    if (this.#root.kind === 'card') return null;
    const seen = await this.#cardSeen(items, holder);
    const [customer] = await this.#tied([textOrNull(holder.id) ?? ''], ['customer']);
    const paidAt = textOrNull(seen?.record.transaction_date);
    const sent = customer && sentCardOf(customer, paidAt);
    if (!sent) return seen;
    const stored = sent.record.card_number === undefined ? (seen?.record ?? holder) : {};
    const { id, seenAt } = customer;
    return { kind: 'card', id, seenAt, record: { ...stored, ...sent.record } };
  }

  /** @returns the card in the latest payment with it, or as it was stored */
  async #cardSeen(items: readonly Item[], holder: JsonObject): Promise<SeenRecord | null> {
    const token = textOrNull(holder.card_token);
    const stored = token === null ? null : await this.#seen('card', token);
    const isWith = ({ record }: SeenRecord) => token === null || record.card_token === token;
    const paid = items.flatMap(({ id, isMoney, isRefund, lastFour }) =>
      id !== null && isMoney && !isRefund && lastFour !== null ? [id] : [],
    );
    const last = await this.#newestWith(token, 'purchase');
    for (const id of [...paid.slice(0, MAX_LOOKED_AT), last ?? []].flat()) {
      const purchase = await this.#seen('purchase', id);
      if (!textOrNull(purchase.record.card_number) || !isWith(purchase)) continue;
      const isLater = (purchase.seenAt ?? '') >= (stored?.seenAt ?? '');
      return isLater ? purchase : stored;
    }
    return stored?.seenAt ? stored : null;
  }

  /** @returns the id of the customer who has the card now, or of the latest purchase with it */
  async #newestWith(token: string | null, kind: 'customer' | 'purchase'): Promise<string | null> {
    if (token === null) return null;
    return (await this.#tied([token], [kind]))[0]?.id ?? null;
  }

  /** @returns the record as last seen, or as an event has it */
  async #seen(kind: RecordKind, id: string): Promise<SeenRecord> {
    const things = await this.#tied([id], [kind]);
    const thing = things.find((one) => one.id === id || one.reference === id);
    const known = thing && (await knownRecord(this.#known, thing, this.#scope.today));
    return {
      ...{ kind, id, record: known?.record ?? {}, seenAt: known?.seenAt ?? null },
      currency: kind === 'plan' ? thing?.currency : undefined,
      stopCause: thing && kind === 'subscription' ? stopCause(thing) : undefined,
    };
  }

  /** @returns things of this owner that have one of the names, latest first */
  async #tied(names: readonly string[], kinds: readonly ThingKind[]): Promise<Thing[]> {
    const things = await this.#known.things.tied(names, { kinds, limit: MAX_OWNERS });
    return things.filter((one) => isOwnedBy(one, this.#scope.owner, 'named'));
  }
}
