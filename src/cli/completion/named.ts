/** Says what the arguments and flags of commands name, for completion. */

const KINDS = ['customer', 'subscription', 'purchase', 'refund', 'plan'] as const;

/** The records that an argument or a flag may name. */
export interface Named {
  kinds: readonly (typeof KINDS)[number][];
  /** Only those in this state; `left` is a purchase of which something can be refunded. */
  only?: 'active' | 'approved' | 'left' | 'stopped';
}

const REFUNDABLE: Named = { kinds: ['purchase'], only: 'left' };
const ACTIVE: Named = { kinds: ['subscription'], only: 'active' };

/** By the command, or by the flag of any command. Another argument ID names what its topic is about. */
const NAMED: Readonly<Record<string, Named>> = {
  get: { kinds: KINDS },
  history: { kinds: KINDS },
  forget: { kinds: ['customer', 'purchase', 'refund'] },
  receipt: { kinds: ['purchase'], only: 'approved' },
  'refund:create': REFUNDABLE,
  'subscription:move': ACTIVE,
  'subscription:resume': { kinds: ['subscription'], only: 'stopped' },
  'subscription:stop': ACTIVE,
  '--last-of': { kinds: ['customer', 'subscription'] },
  '--transaction-id': REFUNDABLE,
};

/**
 * @param command id, such as `refund:create`
 * @param word an argument, such as `id`, or a flag, such as `--plan`
 * @returns undefined if the word names nothing that the ledger knows
 */
export function namedBy(command: string, word: string): Named | undefined {
  const isFlag = word.startsWith('--');
  const name = isFlag ? word : command;
  const about = isFlag ? word.slice(2) : command.split(':')[word === 'id' ? 0 : 1];
  const kinds = KINDS.filter((kind) => kind === about);
  return Object.hasOwn(NAMED, name) ? NAMED[name] : kinds.length > 0 ? { kinds } : undefined;
}
