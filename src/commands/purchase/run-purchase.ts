/**
 * The part of `gw purchase create` that other commands lack: the card may be that of a customer. The gateway is asked for
 * the customer, and stderr shows who it is and which card, before anything is charged.
 *
 * Tests: test/scripts/endpoints/02-purchase-create.script
 */
import { textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { customerGet } from '../../contract/resources/customer.ts';
import { purchaseCreate } from '../../contract/resources/purchase.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { type Dialog, withAsking } from '../../requests/asking.ts';
import { whose } from '../../requests/known/meant-record.ts';
import { idToChange } from '../../requests/known/named-record.ts';
import { runSubmit, submitAsked } from '../../requests/submit/submit.ts';

/** @param customer whose stored card is charged: an id, a reference or an email; undefined for another card */
export async function runPurchase(
  context: Context,
  customer: string | undefined,
  options: CommandOptions,
): Promise<void> {
  if (customer === undefined) return runSubmit(context, purchaseCreate, undefined, options);
  const settings = { operation: purchaseCreate, words: ['purchase', 'create'], ...options };
  await withAsking(context, settings, async (asking) => {
    const token = await cardOf(asking, customer);
    await submitAsked(asking, { ...asking.typed, 'card-token': token });
  });
}

/** @returns the token of the customer's card, as the gateway has it. @throws Failure usage if there is none */
async function cardOf(asking: Dialog, name: string): Promise<string> {
  const { session } = asking;
  await session.gateway.admit(purchaseCreate);
  const id = await idToChange(asking, purchaseCreate, 'customer', name);
  const { records } = await session.call(customerGet, { id });
  const token = textOrNull(records[0]?.card_token);
  if (token === null)
    throw usage(
      'card-missing',
      `Customer ${neutralise(id)} has no stored card.`,
      `Nothing was charged. \`gw customer update ${commandWord(id)}\` stores one, or give another card.`,
    );
  const [who, card] = [await whose(asking, 'customer', id), await whose(asking, 'card', token)];
  const known = [who, card && `card ${card}`].flatMap((one) => one ?? []).join('; ');
  await session.notice(
    `This charges the stored card of ${neutralise(`${id}${known && ` (${known})`}`)}.`,
  );
  return token;
}
