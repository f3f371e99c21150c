/**
 * The contents of a new store: the built-in merchants, and the additions of a seed.
 *
 * Records of a seed go through the same functions as those of a request, so they obey the same rules. A record that
 * breaks a rule is reported with its place in the file, and nothing is stored.
 *
 * Tests: test/unit/emulator/seed.test.ts
 */

import type { Dialect } from '../contract/local-account.ts';
import { aliasFaults, storeCard } from './resources/cards.ts';
import { cardOf, storeCustomer } from './resources/customers.ts';
import {
  addBuiltInMerchants,
  addMerchant,
  BUILT_IN_MERCHANTS,
  DEFAULT_CURRENCY,
  type Merchant,
} from './resources/merchants.ts';
import { storePlan } from './resources/plans.ts';
import { referenceFaults } from './resources/record-lookup.ts';
import { storeSubscription, subscriptionFaults } from './resources/subscriptions.ts';
import type { Seed, SeedMerchant } from './seed.ts';
import type { Contents, Transaction } from './store.ts';

const DEFAULT_SEED = 'gw';
/** With this state the first purchase is 071-P-IE49OSAF, as in the README. */
const DEFAULT_PURCHASES = 0x34e45645f00d4fa4n;

/** The beginning of a new store; everything has a default. */
export interface Beginning {
  seed?: Seed | undefined;
  dialect?: Dialect | undefined;
  /** The time from which the gateway's clock runs; it overrides the seed's. */
  time?: Date | undefined;
}

export function contentsOf({ seed, dialect, time }: Beginning): Contents {
  const isFrozen = seed?.start !== undefined && !time;
  return {
    seed: seed?.seed ?? DEFAULT_SEED,
    frozenAt: isFrozen ? new Date(seed.start ?? '').toISOString() : null,
    startsAt: time,
    isLive: seed?.environment === 'live',
    dialect,
    fill(tx) {
      if (seed?.seed === undefined) tx.setRandom('purchases', DEFAULT_PURCHASES);
      addBuiltInMerchants(tx);
      if (seed) addSeed(tx, seed);
    },
  };
}

function addSeed(tx: Transaction, seed: Seed): void {
  const merchants: Merchant[] = [...BUILT_IN_MERCHANTS];
  for (const [index, entry] of (seed.merchants ?? []).entries()) {
    const problem: Problem = (path, text) => seed.problem(['merchants', index, ...path], text);
    addRecords(tx, merchantOf(tx, merchants, entry, problem), entry, problem);
  }
}

/** Makes the Failure for a place inside one merchant's entry. */
type Problem = (path: readonly PropertyKey[], problem: string) => Error;

/** @returns the built-in merchant that the entry extends, or a new one */
function merchantOf(
  tx: Transaction,
  merchants: Merchant[],
  entry: SeedMerchant,
  problem: Problem,
): Merchant {
  const builtIn = BUILT_IN_MERCHANTS.find(({ username }) => username === entry.username);
  if (builtIn) {
    for (const field of ['api_token', 'prefix', 'currency'] as const) {
      if (entry[field] !== undefined)
        throw problem([field], `cannot be set: ${builtIn.username} is built in`);
    }
    return builtIn;
  }
  if (merchants.some(({ username }) => username === entry.username))
    throw problem(['username'], 'is given twice');
  if (merchants.some(({ prefix }) => prefix === entry.prefix))
    throw problem(['prefix'], 'already belongs to another merchant');
  if (entry.api_token === undefined) throw problem(['api_token'], 'is missing');
  const merchant: Merchant = {
    prefix: entry.prefix ?? freePrefix(merchants),
    username: entry.username,
    currency: entry.currency ?? DEFAULT_CURRENCY,
  };
  addMerchant(tx, { ...merchant, api_token: entry.api_token });
  merchants.push(merchant);
  return merchant;
}

function addRecords(
  tx: Transaction,
  merchant: Merchant,
  entry: SeedMerchant,
  problem: Problem,
): void {
  const refuseAny = (faults: readonly string[], ...path: PropertyKey[]) => {
    if (faults.length > 0) throw problem(path, `is refused: ${faults.join('; ')}`);
  };
  for (const [i, card] of (entry.cards ?? []).entries()) {
    refuseAny(aliasFaults(tx, merchant, card), 'cards', i, 'alias');
    storeCard(tx, merchant, card);
  }
  for (const [i, plan] of (entry.plans ?? []).entries()) {
    const { reference } = plan;
    refuseAny(referenceFaults(tx, merchant, 'plans', { reference }), 'plans', i);
    storePlan(tx, merchant, plan);
  }
  for (const [i, customer] of (entry.customers ?? []).entries()) {
    const { reference } = customer;
    refuseAny(referenceFaults(tx, merchant, 'customers', { reference }), 'customers', i);
    const card = storeCard(tx, merchant, cardOf(customer, customer.card));
    storeCustomer(tx, merchant, { ...customer, metadata: null }, card);
  }
  for (const [i, subscription] of (entry.subscriptions ?? []).entries()) {
    refuseAny(subscriptionFaults(tx, merchant, subscription), 'subscriptions', i);
    storeSubscription(tx, merchant, subscription);
  }
}

/** @returns the first three digits from 073 on that no merchant has */
function freePrefix(merchants: readonly Merchant[]): string {
  const used = new Set(merchants.map(({ prefix }) => prefix));
  for (let n = 73; ; n++) {
    const prefix = String(n).padStart(3, '0');
    if (!used.has(prefix)) return prefix;
  }
}
