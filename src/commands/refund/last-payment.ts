/**
 * Finds the last payment of a customer, a subscription or a card that this machine knows. Both the payer and the payment
 * are proven (requests/known/proven.ts): an unverified webhook neither makes a payment somebody's nor the last one.
 */
import type { Operation } from '../../contract/operation.ts';
import { usage } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { meantBy } from '../../requests/known/candidates.ts';
import type { NamedThings } from '../../requests/known/lazy-ledger.ts';
import type { CommandSession } from '../../requests/known/named-record.ts';
import { proven, unprovenInDryRun } from '../../requests/known/proven.ts';
import {
  matchNamesOf,
  type NameMatch,
  type NameRule,
  resolveName,
  subscriptionsOf,
  TO_CHANGE,
} from '../../requests/known/resolve-name.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import { amountText } from '../../view/values.ts';

/** Payments that are read to find the last one; a customer has them from several subscriptions. */
const MAX_PAYMENTS = 1_000;
const A_PAYER: NameRule = { ...TO_CHANGE, kinds: ['customer', 'subscription', 'card'] };

/**
 * @param change the operation that the payment is for
 * @param text an id, a reference, an email or a token, as it was typed
 * @returns the id of the last approved purchase, which stderr has shown
 * @throws Failure usage if the text names nobody, several, or somebody without a known payment
 */
export async function lastPaymentOf(
  asking: CommandSession,
  change: Operation,
  text: string,
): Promise<string> {
  const { session } = asking;
  await session.gateway.admit(change);
  const payers = await proven(asking, change, text, (known, owner) =>
    resolveName(known, text, owner, A_PAYER),
  );
  const [payer] = meantBy(text, payers ?? [], A_PAYER);
  const payments = payer
    ? await proven(asking, change, text, (known, owner) => lastOf(known, payer, owner))
    : payers;
  if (!payments) throw unprovenInDryRun(change, text);
  const last = payments[0]?.thing;
  if (!last)
    throw usage(
      'payment-unknown',
      `gw knows no approved payment of ${JSON.stringify(text)} here.`,
      `\`gw get ${commandWord(text)} --follow\` asks the gateway; then give the id of the purchase.`,
    );
  const { id, amount, currency, at, who, reference } = last;
  const parts = [amountText({ amount, currency }), at.slice(0, 10), who, reference];
  const said = parts.flatMap((part) => part ?? []).join(', ');
  await session.notice(
    `The last payment of ${neutralise(text)} known here is ${id}: ${neutralise(said)}.`,
  );
  return id;
}

/** @returns the last approved payment of a payer, of a customer's subscriptions too; empty if there is none */
async function lastOf(
  known: NamedThings,
  payer: NameMatch,
  owner: Owner<string>,
): Promise<NameMatch[]> {
  const holder = payer.thing.kind === 'customer' ? payer.thing.token : null;
  const own = [...matchNamesOf(payer), holder ?? []].flat();
  const billed = (await subscriptionsOf(known, [payer], owner)).flatMap(matchNamesOf);
  const names = [...own, ...billed];
  const wanted = { kinds: ['purchase'], outcome: 'approved', limit: MAX_PAYMENTS } as const;
  const payments = await known.things.tied(names, wanted);
  const thing = payments.find((one) => isOwnedBy(one, owner, 'named') && isBy(one, names));
  return thing ? [{ kind: 'purchase', id: thing.id, by: 'customer', thing }] : [];
}

function isBy({ customer, subscription, token }: Thing, names: readonly string[]): boolean {
  return [customer, subscription, token].some((name) => name !== null && names.includes(name));
}
