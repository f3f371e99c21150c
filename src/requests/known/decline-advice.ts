/** The line that says what a decline means, by its reason and by the card's other tries: one for errors and histories. */
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { isRefund } from '../../things/what-counts.ts';
import { declineLine } from '../../view/decline-line.ts';
import { overtaken, triesOfCard } from './card-tries.ts';
import { responseCodeOfThing } from './known-record.ts';
import type { KnownWithEvents } from './lazy-ledger.ts';

/** Each account can have one record with a given id. */
const MAX_OWNERS = 10;

interface Declined {
  /** The id of the payment or refund, or of its entry. */
  id: string | undefined;
  /** The gateway's own. */
  message: string | null;
  /** The name by which `gw explain` finds it; null for none. */
  name: string | null;
}

/** @param today by the gateway's own dates, `YYYY-MM-DD`; if left out, the day of the decline */
export async function declineAdvice(
  known: KnownWithEvents,
  { id, message, name }: Declined,
  { owner, today }: { owner: Owner; today?: string },
): Promise<string> {
  const filter = { kinds: ['purchase', 'refund', 'request'] as const, limit: MAX_OWNERS };
  const things = id === undefined ? [] : await known.things.tied([id], filter);
  const thing = things.find((one) => one.id === id && isOwnedBy(one, owner, 'named'));
  const code = thing ? await responseCodeOfThing(known, thing) : null;
  const isOfCard = thing && !isRefund(thing);
  const day = today ?? thing?.at.slice(0, 10) ?? '';
  const since = isOfCard ? await triesOfCard(known, thing, { owner, today: day }) : undefined;
  return declineLine({ response_code: code, message }, name, since, since && overtaken(since));
}
