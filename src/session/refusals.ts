/** What gw itself refuses to send, in words. */
import { instantText } from '../base/instant.ts';
import type { CallInput } from '../client/wire-request.ts';
import { type Operation, targetOf } from '../contract/operations.ts';
import { Failure, type FailureDetails } from '../failure.ts';
import type { Destination, LedgerEntry, PurchaseBalance, Refused } from '../journal/ledger.ts';

/** @param next what else the user may do, after being told that nothing was sent */
export function refusal(
  code: string,
  message: string,
  next = '',
  details: Partial<FailureDetails> = {},
): Failure {
  return new Failure('guard', message, {
    ...details,
    code,
    next: `Nothing was sent. ${next}`.trimEnd(),
  });
}

/** Who asks, as the entry would name them. */
interface Sender extends Destination {
  operator: string;
}

/** @returns the failure that a refusal of the ledger is */
export function refusedByLedger(
  refused: Refused,
  operation: Operation,
  input: CallInput,
  us: Sender,
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
      const { id, state } = refused.of;
      return refusal(
        'duplicate-request',
        `The same ${name} ${whatBecameOf(refused.of)}${sentElsewhere(refused.of, us)}.`,
        DUPLICATE_NEXT[state]?.(id) ??
          `Run \`gw journal resolve ${id}\` to find out what happened.`,
        { operation: name, id, entry: id },
      );
    }
    case 'over-refund':
      return refusal(
        'refund-too-large',
        `${input.body?.amount} is more than is left of purchase ${targetOf(operation, input)}: ${spent(refused.balance)}.`,
        overRefundNext(refused.balance),
        { operation: name },
      );
  }
}

/** What is unknown may have happened: it is found out before anything is said of sending it again. */
const DUPLICATE_NEXT: Partial<Record<LedgerEntry['state'], (id: string) => string>> = {
  done: (id) => `\`gw journal show ${id}\` shows it. To send another one, add --allow-duplicate.`,
  sending: (id) => `Wait for its answer. \`gw journal show ${id}\` will then show the outcome.`,
};

function overRefundNext({ uncertain }: PurchaseBalance): string {
  const here = 'This is what the journal knows; refunds made without it are not in it.';
  return uncertain > 0
    ? `${here} \`gw journal resolve\` finds out what became of those that are uncertain.`
    : `${here} Add --allow-over-refund to let the gateway decide.`;
}

function whatBecameOf({ state, createdAt }: LedgerEntry): string {
  const when = instantText(createdAt);
  if (state === 'done') return `succeeded on ${when}`;
  if (state === 'sending') return `is being sent just now by another gw, since ${when}`;
  return `may have happened: its outcome is unknown since it was sent on ${when}`;
}

/** Names what the user may not recognise: the same account has been used under another name. */
function sentElsewhere({ host, profile, operator }: LedgerEntry, us: Sender): string {
  const by = operator === null || operator === us.operator ? '' : `, sent by ${operator}`;
  if (host !== us.host) return `${by}, by way of ${host} with the profile ${profile}`;
  return profile === us.profile ? by : `${by}, with the profile ${profile}`;
}

function spent({ paid, refunded, uncertain }: PurchaseBalance): string {
  const perhaps = uncertain > 0 ? `, ${uncertain} perhaps refunded` : '';
  return `${paid} paid, ${refunded} refunded${perhaps}`;
}
