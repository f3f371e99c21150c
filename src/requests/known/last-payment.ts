/** Finds the last payment of a customer, a subscription or a card that this machine knows. */

import type { Operation } from '../../contract/operation.ts';
import { usage } from '../../failure.ts';
import { neutralise, typedWord } from '../../host/redaction/safe.ts';
import type { Thing } from '../../things/thing.ts';
import { amountText } from '../../view/values.ts';
import { ambiguous } from './candidates.ts';
import { withKnown } from './lazy-ledger.ts';
import { byNameAlone, type Naming } from './named-record.ts';
import { type NameMatch, namesOf, resolveName } from './resolve-name.ts';

/** Payments that are read to find the last one; a customer has them from several subscriptions. */
const MAX_PAYMENTS = 1_000;
const PAYERS: readonly NameMatch['kind'][] = ['customer', 'subscription', 'card'];

/**
 * @param change the operation that the payment is for
 * @param text an id, a reference, an email or a token, as it was typed
 * @returns the id of the last approved purchase, which stderr has shown
 * @throws Failure usage if the text names nobody, several, or somebody without a known payment
 */
export async function lastPaymentOf(
  { context, session }: Naming,
  change: Operation,
  text: string,
): Promise<string> {
  await session.gateway.admit(change);
  const last = await withKnown(context, session.gateway, async (known, owner) => {
    const named = await resolveName(known, text, owner);
    const [payer, ...others] = named.filter(({ kind }) => PAYERS.includes(kind));
    if (payer && others.length > 0) throw ambiguous(text, [payer, ...others]);
    if (payer?.by === 'name') throw byNameAlone(text, payer);
    const holder = payer?.thing.kind === 'customer' ? payer.thing.token : null;
    const names = payer ? [...namesOf(payer), holder ?? []].flat() : [];
    const wanted = { kinds: ['purchase'], outcome: 'approved', limit: MAX_PAYMENTS } as const;
    const payments = await known.things.tied(names, wanted);
    return payments.find((one) => one.account === owner.account && isBy(one, names));
  });
  if (!last)
    throw usage(
      'payment-unknown',
      `gw knows no approved payment of ${JSON.stringify(text)} here.`,
      `\`gw get ${typedWord(text)} --follow\` asks the gateway; then give the id of the purchase.`,
      { sent: false },
    );
  const { id, amount, currency, at, who, reference } = last;
  const parts = [amountText({ amount, currency }), at.slice(0, 10), who, reference];
  const said = parts.flatMap((part) => part ?? []).join(', ');
  await session.notice(
    `The last payment of ${neutralise(text)} known here is ${id}: ${neutralise(said)}.`,
  );
  return id;
}

function isBy({ customer, subscription, token }: Thing, names: readonly string[]): boolean {
  return [customer, subscription, token].some((name) => name !== null && names.includes(name));
}
