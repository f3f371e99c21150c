/**
 * Finds the last payment of a customer, a subscription or a card that this machine knows. Both the payer and the payment
 * are proven (requests/known/proven.ts): an unverified webhook neither makes a payment somebody's nor the last one.
 */
import type { FlagValues } from '../../cli/flags/flag.ts';
import type { Operation } from '../../contract/operation.ts';
import { usage } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { withKnown } from '../../requests/known/lazy-ledger.ts';
import type { CommandSession } from '../../requests/known/meant-record.ts';
import { meantHere } from '../../requests/known/meant-record.ts';
import { proven, unprovenInDryRun } from '../../requests/known/proven.ts';
import {
  type NameMatch,
  type NameRule,
  paymentsOf,
  resolveName,
  TO_CHANGE,
} from '../../requests/known/resolve-name.ts';
import { amountText } from '../../view/values.ts';

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
  const lastOf = (payer: NameMatch) =>
    proven(asking, change, text, async (known, owner) =>
      (await paymentsOf(known, payer, owner)).slice(0, 1),
    );
  // A refusal repeats the command with the id of the only payer, and a command without a reference would be refused again.
  const [only, ...others] = payers ?? [];
  const isAlone = only?.by === 'name' && others.length === 0;
  const typed = isAlone ? await withReference(asking, (await lastOf(only))?.[0]?.id) : asking.typed;
  const [payer] = await meantHere(
    { ...asking, ...(typed && { typed }) },
    text,
    payers ?? [],
    A_PAYER,
  );
  const payments = payer ? await lastOf(payer) : payers;
  if (!payments) throw unprovenInDryRun(change, text);
  const last = payments[0]?.thing;
  if (!last)
    throw usage(
      'payment-unknown',
      `gw knows no approved payment of ${JSON.stringify(text)} here.`,
      payer
        ? `\`gw get ${commandWord(text)} --follow\` asks the gateway; then give the id of the purchase.`
        : `\`gw find ${commandWord(text)}\` searches for parts of names; then give the id of the customer, or of the purchase.`,
    );
  const { id, amount, currency, at, who, reference } = last;
  const parts = [amountText({ amount, currency }), at.slice(0, 10), who, reference];
  const said = parts.flatMap((part) => part ?? []).join(', ');
  await session.notice(
    `The last payment of ${neutralise(text)} known here is ${id}: ${neutralise(said)}.`,
  );
  return id;
}

/** @returns the flags of a refund, with a reference if gw cannot ask for the one that is missing: the command is to work */
export async function withReference(
  asking: Pick<CommandSession, 'host' | 'session' | 'typed'>,
  purchase: string | undefined,
): Promise<FlagValues> {
  const { session, typed = {} } = asking;
  const isGiven = (typed.reference ?? typed.input) !== undefined;
  if (isGiven || purchase === undefined || session.options.mayAsk) return typed;
  const reference = await freeReference(asking, purchase);
  return reference === undefined ? typed : { ...typed, reference };
}

/** @returns a reference for a refund that nothing has yet: that of the purchase, as a return; undefined without a ledger */
export async function freeReference(
  { host, session }: Pick<CommandSession, 'host' | 'session'>,
  purchase: string,
): Promise<string | undefined> {
  const { reference } = (await session.gateway.ledger.rememberedOf('purchase', purchase)) ?? {};
  const own = `RET-${(reference ?? purchase).replace(/^[A-Za-z]+-(?=.)/, '')}`;
  return withKnown(host, session.gateway, async ({ things }) => {
    for (let n = 1; ; n++) {
      const name = n === 1 ? own : `${own}-${n}`;
      if ((await things.tied([name], { limit: 1 })).length === 0) return name;
    }
  });
}
