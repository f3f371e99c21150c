/**
 * Failures for requests that gw itself refuses to send.
 *
 * Tests: test/unit/client/connection/call.test.ts, test/unit/requests/known/second-subscription.test.ts
 */

import { agoText, instantText, quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { findOperation } from '../../contract/operations.ts';
import { Failure, type FailureDetails } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { leftOf, type PurchaseBalance } from '../../journal/balance.ts';
import { capText } from '../../journal/caps.ts';
import type { IntentRefusal, LedgerEntry } from '../../journal/ledger.ts';
import type { NotReleased, OverCap } from '../../journal/rules.ts';
import type { Owner } from '../../things/owner.ts';
import { moneyOf } from '../exchange/said-money.ts';
import type { CallInput } from '../exchange/wire-request.ts';

/** @param next what the user can do, after reading that nothing was sent */
export function refusal(
  code: CodeOf<'guard'>,
  message: string,
  next = '',
  details: FailureDetails = {},
): Failure {
  return new Failure(code, message, next, { ...details, sent: false });
}

/** The sender, as its journal entry would name it. */
interface RefusedSender extends Owner<string> {
  operator: string;
}

/**
 * @param input the input, with the currency of its amount if known
 * @returns the failure that describes the ledger's refusal
 */
export function refusedByLedger(
  refused: Exclude<IntentRefusal, OverCap | NotReleased>,
  operation: Operation,
  input: CallInput & { currency: string | undefined },
  { us, now }: { us: RefusedSender; now: Date },
): Failure {
  const { name } = operation;
  switch (refused.kind) {
    case 'held':
      return refusal('line-held', 'This line was sent before.', '', { entry: refused.by.id });
    case 'conflict':
      return refusal('line-conflict', 'This line was sent before with another amount.', '', {
        entry: refused.with.id,
      });
    case 'duplicate': {
      const { id, state, recordId } = refused.of;
      return refusal(
        'duplicate-request',
        sentBefore(refused.of, { us, now }, input.currency),
        DUPLICATE_NEXT[state]?.(refused.of) ??
          `Run \`gw journal resolve ${id}\` to find out what happened.`,
        { operation: name, id: recordId ?? undefined, entry: id, state },
      );
    }
    case 'over-refund': {
      const { amount, target } = moneyOf(operation, input);
      if (refused.balance.paid === 0)
        return refusal(
          'purchase-only-authorised',
          `No money of purchase ${target} was taken when gw last saw it, so there is nothing to refund.`,
          `Run \`gw purchase get ${commandWord(target ?? '')}\` to ask again. Add --allow-over-refund to let the gateway decide.`,
          { operation: name },
        );
      return refusal(
        'refund-too-large',
        `${moneyText(amount ?? 0, input.currency)} is more than is left of purchase ${target}: ${balanceText(refused.balance, input.currency)}, ${moneyText(leftOf(refused.balance), input.currency)} left.`,
        overRefundNext(refused.balance),
        { operation: name },
      );
    }
  }
}

/**
 * @param profile its name
 * @param fitsAt when the request will fit (ISO 8601); undefined if it never does
 * @returns the failure for a request that goes beyond a cap of the profile
 */
export function refusedByCap(
  { cap, used, asked }: OverCap,
  { name }: Operation,
  profile: string,
  fitsAt: string | undefined,
): Failure {
  const { currency, most, isEach } = cap;
  const text = (n: number) => (currency === undefined ? String(n) : moneyText(n, currency));
  const isMany = currency === undefined && asked > 1;
  const what = currency === undefined ? quantity(asked, 'request', 'requests') : text(asked);
  const left = text(Math.max(0, most - used));
  const period = cap.per === 'hour' ? 'hour' : '24 hours';
  const by = isEach ? 'you sent' : 'its account sent';
  const sent = `Within the last ${period} ${by} ${text(used)}, so ${left} ${currency === undefined && left !== '1' ? 'are' : 'is'} left`;
  const when =
    fitsAt === undefined
      ? 'It is more than that allows at any time.'
      : `It fits on ${instantText(fitsAt)}.`;
  return refusal(
    'cap-reached',
    `${what} ${isMany ? 'are' : 'is'} more than the profile ${profile} allows: ${capText(cap)}. ${sent}.`,
    `${when} \`gw whoami -p ${profile}\` shows the caps, \`gw profile set ${profile}\` changes them.`,
    { operation: name },
  );
}

const WHY_NOT: Readonly<Record<NotReleased['why'], [message: string, next: string]>> = {
  gone: ['There is no such proposal any more.', '`gw proposals` lists those that are open.'],
  released: [
    'This proposal was approved before, and a proposal is sent once.',
    '`gw journal list` shows what became of it.',
  ],
  withdrawn: ['This proposal was rejected.', 'Propose it again if it is wanted after all.'],
  expired: ['The time of this proposal is over.', 'Propose it again.'],
  changed: [
    'This proposal is not the one that was shown.',
    'Run `gw approve` again, and read what it says now.',
  ],
  own: [
    'You proposed this, and the profile wants another person to approve it.',
    'Give the code to somebody else: `gw proposals` shows it.',
  ],
};

/** @returns the failure for an approval that releases nothing */
export function notReleased({ why }: NotReleased): Failure {
  return refusal('approval-refused', ...WHY_NOT[why]);
}

/** A request with an unknown outcome may have happened, so its message never suggests sending it again. */
const DUPLICATE_NEXT: Partial<Record<LedgerEntry['state'], (of: LedgerEntry) => string>> = {
  // Gateways take a reference once, so the same request with --allow-duplicate would be rejected.
  done: ({ id, reference }) =>
    `\`gw journal show ${id}\` shows it. To send another one, ${reference === null ? 'add --allow-duplicate' : 'give it another --reference'}.`,
  sending: ({ id }) => `Wait for its answer. Then \`gw journal show ${id}\` shows the outcome.`,
};

function overRefundNext({ uncertain }: PurchaseBalance): string {
  const here = 'The journal does not know refunds made elsewhere.';
  return uncertain > 0
    ? `${here} Run \`gw journal resolve\` to settle the uncertain ones.`
    : `${here} Add --allow-over-refund to let the gateway decide.`;
}

/** @returns for example `You already made this purchase 5 min ago (INV-1001, 25.00 AUD).` */
function sentBefore(
  entry: LedgerEntry,
  { us, now }: { us: RefusedSender; now: Date },
  currency: string | undefined,
): string {
  const { operation, state, createdAt, operator, reference, amount } = entry;
  const what = `this ${findOperation(operation)?.kind ?? `request (${operation})`}`;
  const details = [
    reference,
    amount === null ? null : moneyText(amount, entry.currency ?? currency),
  ].filter((text) => text !== null);
  const which = details.length === 0 ? '' : ` (${details.join(', ')})`;
  const when = `${agoText(createdAt, now)}${which}${byWayOf(entry, us)}`;
  const isOurs = operator === null || operator === us.operator;
  if (state === 'done') return `${isOurs ? 'You' : operator} already made ${what} ${when}.`;
  const by = isOurs ? '' : ` by ${operator}`;
  if (state === 'sending') return `Another gw is sending ${what} now. It started${by} ${when}.`;
  return `You may have made ${what} already. It was sent${by} ${when}, and its outcome is unknown.`;
}

/** Names the host or profile if it differs, because the user may not recognise the earlier use of the account. */
function byWayOf({ host, profile }: LedgerEntry, us: RefusedSender): string {
  if (host !== us.host) return ` by way of ${host} with the profile ${profile}`;
  return profile === us.profile ? '' : ` with the profile ${profile}`;
}

/** @returns for example `25.00 AUD paid, 10.00 AUD refunded` */
export function balanceText(
  { paid, refunded, uncertain }: PurchaseBalance,
  currency: string | undefined,
): string {
  const money = (amount: number) => moneyText(amount, currency);
  const perhaps = uncertain > 0 ? `, ${money(uncertain)} perhaps refunded` : '';
  return `${money(paid)} paid, ${money(refunded)} refunded${perhaps}`;
}
