/**
 * Finds the payment that a receipt is for where the words name no purchase: a customer, or a part of the name, and perhaps
 * a time behind it. Nobody gets the receipt of another person by a guess. A person at the terminal chooses; elsewhere, the
 * payments are listed.
 *
 * Tests: test/scripts/commands/receipt.script
 */
import { parseSpan } from '../../base/periods.ts';
import { quantity } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { pickNear } from '../../desk/query/near-record.ts';
import { Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { withKnown } from '../../requests/known/lazy-ledger.ts';
import {
  type CommandSession,
  chosenByPerson,
  factsOf,
  factsOfAll,
  meantHere,
} from '../../requests/known/meant-record.ts';
import { withoutHearsay } from '../../requests/known/proven.ts';
import {
  type NameMatch,
  paymentsOf,
  resolveName,
  TO_LOOK_UP,
} from '../../requests/known/resolve-name.ts';
import type { OutputOptions } from '../../view/print-records.ts';

export interface AskedPayment {
  /** A customer, a subscription, or a part of the name. */
  name: string;
  /** The time of the payment, as typed; undefined for any. */
  period: string | undefined;
  zone: TimeZone;
  output: OutputOptions;
}

type Asking = CommandSession & { host: Pick<Host, 'prompts' | 'stdout' | 'stderr'> };

/**
 * @returns the id of the payment; undefined if nothing is near the name
 * @throws Failure usage with the payments if it is not clear which one is meant, notFound if there is none in that time;
 *   interrupted if the person chooses none
 */
export async function paymentMeant(
  asking: Asking,
  asked: AskedPayment,
): Promise<string | undefined> {
  const { host, session } = asking;
  const { name, period } = asked;
  const known = await withKnown(host, session.gateway, async (ledger, scope) => {
    const exact = await resolveName(ledger, name, scope, TO_LOOK_UP);
    const [named] = await meantHere(asking, name, exact.filter(isPayer), TO_LOOK_UP);
    const us = { profile: session.profile.name, of: session.profile };
    const { mayAsk } = session.options;
    const desk = { host, ledger, us, scope, mayAsk, words: ['receipt'], tells: asked.output };
    const payer = named ?? (exact.length > 0 ? undefined : await pickNear(desk, name));
    if (!payer) return undefined;
    const payments = isPayer(payer)
      ? await paymentsOf(withoutHearsay(ledger), payer, scope)
      : [payer];
    return { payments, isSure: named !== undefined && named.by !== 'name' };
  });
  if (!known) return undefined;
  const within = await paidIn(host, session.profile, known.payments, asked);
  const when = period === undefined ? '' : ` in ${JSON.stringify(period)}`;
  const [only, ...others] = within;
  if (!only) {
    const all = `\`gw report customer ${commandWord(name)}\` lists what is known.`;
    throw new Failure(
      'name-unknown',
      `No payment of ${neutralise(name)}${when} is known here.`,
      all,
    );
  }
  if (known.isSure && others.length === 0) {
    await session.notice(
      `The payment of ${neutralise(name)}${when} is ${only.id}: ${factsOf(only)}.`,
    );
    return only.id;
  }
  const chosen = await chosenByPerson(asking, name, within);
  if (chosen) return chosen.id;
  const payments = quantity(within.length, 'payment', 'payments');
  throw usage(
    'name-ambiguous',
    `${payments} of ${neutralise(name)}${when} ${others.length > 0 ? 'are' : 'is'} known here.`,
    `Give the id of the one that you mean: ${factsOfAll(within)}.`,
  );
}

const isPayer = ({ kind }: NameMatch) => kind === 'customer' || kind === 'subscription';

async function paidIn(
  host: Asking['host'],
  profile: Asking['session']['profile'],
  payments: readonly NameMatch[],
  { period, zone }: AskedPayment,
): Promise<readonly NameMatch[]> {
  if (period === undefined) return payments;
  const instant = await gatewayTime(host, profile);
  const { first, last } = parseSpan(period, { instant, zone }) ?? {};
  if (!first || !last) return payments;
  const [from, until] = [zone.startOf(first.first), zone.startOf(last.next)];
  return payments.filter(({ thing }) => {
    const time = Date.parse(thing.at);
    return time >= from && time < until;
  });
}
