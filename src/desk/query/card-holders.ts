/**
 * Finds out about the cards of customers: when each expires, and whether that is soon or over (src/things/card-state.ts).
 * A customer's record does not say it. The newest of these counts: a card that was sent from here, a payment with the
 * card, the card as it was stored.
 *
 * Tests: test/scripts/commands/card-expiry.script, test/unit/desk/report/at-risk.test.ts
 */
import { cardExpiryOf } from '../../contract/expiry.ts';
import { cardStateOf } from '../../things/card-state.ts';
import type { Owner } from '../../things/owner.ts';
import { cardNotice, noticeOf, sentCardOf } from '../../things/sources.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { FoundThing } from '../../view/records/search-result.ts';

interface Known {
  things: Pick<SearchIndex, 'cardExpiries'>;
  /** undefined for all accounts. */
  scope?: Owner | undefined;
}

/** Cards that are asked for at once. */
const AT_ONCE = 500;

/** @returns the last valid month of the card of each customer, or of each card, `YYYY-MM`; null if it is not known */
export async function expiriesOf<Holder extends Thing>(
  { things, scope }: Known,
  holders: readonly Holder[],
): Promise<Map<Holder, string | null>> {
  const tokens = [...new Set(holders.flatMap((holder) => tokenOf(holder) ?? []))];
  const paid = new Map<string, { at: string; cardExpiry: string }>();
  for (let from = 0; from < tokens.length; from += AT_ONCE)
    for (const one of await things.cardExpiries(tokens.slice(from, from + AT_ONCE), scope))
      paid.set(one.token, one);
  return new Map(
    holders.map((holder) => {
      const last = paid.get(tokenOf(holder) ?? '');
      const sent = sentCardOf(holder, last?.at ?? null);
      return [holder, (sent && cardExpiryOf(sent.record)) ?? last?.cardExpiry ?? null];
    }),
  );
}

const tokenOf = ({ kind, id, token }: Thing) => (kind === 'card' ? id : token);

/**
 * @param todayOf the day by the clock of a thing's gateway, `YYYY-MM-DD`
 * @returns the things, of which customers and cards have the expiry and the state of the card on that day
 */
export async function withCards(
  known: Known,
  found: readonly Thing[],
  todayOf: (thing: Thing) => Promise<string>,
): Promise<FoundThing[]> {
  const holders = found.filter(({ kind }) => kind === 'customer' || kind === 'card');
  const expiries = await expiriesOf(known, holders);
  return Promise.all(
    found.map(async (one) => {
      const expiry = expiries.get(one);
      if (expiry === undefined) return one;
      const cardExpiry = { cardExpiry: expiry };
      if (one.outcome === 'deleted') return { ...one, ...cardExpiry };
      const isCard = one.kind === 'card';
      const notice = isCard ? noticeOf(one.sources) : cardNotice(one.sources);
      const state =
        expiry === null && !notice ? null : cardStateOf({ expiry, notice }, await todayOf(one));
      const said = isCard ? (one.sources.record?.outcome ?? null) : null;
      return { ...one, ...cardExpiry, outcome: state ?? said };
    }),
  );
}
