/** Says what the last decline of a history means. */

import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import type { Item } from '../../view/panels/ties.ts';

/**
 * @param items oldest first
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns a line, if the last payment or refund was declined. Only then the table of declines is loaded.
 */
export async function lastDeclineLine(
  known: KnownWithEvents,
  items: readonly Item[],
  today: string,
): Promise<string | undefined> {
  const last = items.findLast(({ isMoney }) => isMoney);
  if (last?.counts !== 'declines') return undefined;
  const { declineAdvice } = await import('../../requests/known/decline-advice.ts');
  const { id, message, reference, sources } = last;
  const own = id ?? sources.find(({ kind }) => kind === 'request')?.id;
  return declineAdvice(known, { id: own, message, name: id ?? reference }, { owner: last, today });
}
