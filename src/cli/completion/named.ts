/** Says what the arguments and flags of commands name, for completion. */
import type { ThingKind } from '../../things/thing.ts';

/** What a word of the command line names. */
export interface Named {
  /** `entry` is an entry of the journal. */
  kinds: readonly (Exclude<ThingKind, 'card' | 'event' | 'request'> | 'entry')[];
  /** Only those in this state; `left` is a purchase of which something can be refunded. */
  only?: 'active' | 'approved' | 'left' | 'stopped' | 'unresolved';
}

const CUSTOMER: Named = { kinds: ['customer'] };
const PLAN: Named = { kinds: ['plan'] };
const SUBSCRIPTION: Named = { kinds: ['subscription'] };
const REFUNDABLE: Named = { kinds: ['purchase'], only: 'left' };
const ACTIVE: Named = { ...SUBSCRIPTION, only: 'active' };
const ANYTHING: Named = { kinds: ['customer', 'subscription', 'purchase', 'refund', 'plan'] };

/** By the command whose arguments they are. */
const ARGUMENTS: Readonly<Record<string, Named>> = {
  get: ANYTHING,
  history: ANYTHING,
  forget: { kinds: ['customer', 'purchase', 'refund'] },
  receipt: { kinds: ['purchase'], only: 'approved' },
  'purchase:get': { kinds: ['purchase'] },
  'refund:create': REFUNDABLE,
  'refund:get': { kinds: ['refund'] },
  'customer:delete': CUSTOMER,
  'customer:get': CUSTOMER,
  'customer:update': CUSTOMER,
  'plan:get': PLAN,
  'plan:update': PLAN,
  'subscription:get': SUBSCRIPTION,
  'subscription:move': ACTIVE,
  'subscription:resume': { ...SUBSCRIPTION, only: 'stopped' },
  'subscription:stop': ACTIVE,
  'subscription:update': SUBSCRIPTION,
  'journal:resolve': { kinds: ['entry'], only: 'unresolved' },
  'journal:show': { kinds: ['entry'] },
};

/** By the name of the flag, of whatever command. */
const FLAGS: Readonly<Record<string, Named>> = {
  customer: CUSTOMER,
  'last-of': { kinds: ['customer', 'subscription'] },
  plan: PLAN,
  subscription: SUBSCRIPTION,
  'transaction-id': REFUNDABLE,
};

/**
 * @param command id, such as `refund:create`
 * @param flag undefined for an argument
 * @returns undefined if the word names nothing that the ledger knows
 */
export function namedBy(command: string, flag: string | undefined): Named | undefined {
  const [names, name] = flag === undefined ? [ARGUMENTS, command] : [FLAGS, flag];
  return Object.hasOwn(names, name) ? names[name] : undefined;
}
