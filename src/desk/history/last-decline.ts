/** Says what the last decline of a history means. */

import { responseCodeOfThing } from '../../requests/known/known-record.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import type { Item } from '../../view/panels/ties.ts';
import { overtaken, triesOfCard } from './card-tries.ts';

/** Each account can have one record with a given id. */
const MAX_OWNERS = 10;

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
  const { declineLine } = await import('../../view/decline-line.ts');
  const { id, message, reference, sources, account } = last;
  const own = id ?? sources.find(({ kind }) => kind === 'request')?.id;
  const filter = { kinds: ['purchase', 'refund', 'request'] as const, limit: MAX_OWNERS };
  const things = own === undefined ? [] : await known.things.tied([own], filter);
  const thing = things.find((one) => one.id === own && one.account === account);
  const code = thing ? await responseCodeOfThing(known, thing) : null;
  const isOfCard = thing && !last.isRefund;
  const since = isOfCard ? await triesOfCard(known, thing, { owner: thing, today }) : undefined;
  const said = { response_code: code, message };
  return declineLine(said, id ?? reference, since, since && overtaken(since));
}
