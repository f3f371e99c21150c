/** Reports an answer that contradicts how somebody resolved its request. */
import { moneyText } from '../../contract/money.ts';
import type { Output } from '../../host/host.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { isContradiction } from '../../journal/judge-outcome.ts';
import type { LateOutcome, LedgerEntry } from '../../journal/ledger.ts';

/** Warns if the outcome contradicts the recorded resolution; otherwise says nothing. */
export async function sayLate(
  stderr: Pick<Output, 'write' | 'isTerminal' | 'isPlain'>,
  late: LateOutcome,
): Promise<void> {
  if (!isContradiction(late)) return;
  await note(stderr, `WARNING: ${neutralise(lateText(late))}`);
}

function lateText({ before, state, again }: LateOutcome): string {
  const { id, state: said, resolvedBy } = before;
  const who = `${resolvedBy ?? 'somebody'} recorded it as ${said}`;
  const what = `Request ${id} (${requestText(before)}) is ${state}, although ${who}.`;
  const look = `\`gw journal show ${id}\` shows it.`;
  if (state !== 'done' || !again)
    return `${what} ${look} Check what was done because of that record.`;
  const twice =
    again.state === 'done' ? 'the money has moved twice.' : 'the money may have moved twice.';
  return `${twice} ${what} It was sent again as ${again.id}, which is ${again.state}. Compare both with the gateway, and refund what moved twice.`;
}

function requestText({ operation, reference, amount, currency }: LedgerEntry): string {
  const money = amount === null ? null : moneyText(amount, currency ?? undefined);
  return [operation, reference, money].filter((part) => part !== null).join(', ');
}
