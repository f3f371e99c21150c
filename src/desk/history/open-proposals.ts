/**
 * Says what is proposed about the records of a history and waits for another person, so that nobody refunds or charges the
 * same a second time.
 *
 * Tests: test/unit/desk/history/open-proposals.test.ts
 */
import { moneyText } from '../../contract/money.ts';
import { findOperation } from '../../contract/operations.ts';
import { codeOf } from '../../journal/proposals.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import type { Item } from '../../view/panels/ties.ts';

/** The most proposals that are told of; a profile has at most some at a time. */
const MOST_TOLD = 5;

/** @param now of this machine, by which a proposal ends @returns a line for each open proposal, the newest first */
export async function proposalLines(
  known: Pick<KnownWithEvents, 'find'>,
  items: readonly Item[],
  now: Date,
): Promise<string[]> {
  const ids = items
    .filter(({ outcome }) => outcome === 'proposed')
    .flatMap(({ sources }) => sources.flatMap(({ kind, id }) => (kind === 'request' ? [id] : [])));
  const lines: string[] = [];
  for (const id of ids.toReversed().slice(0, MOST_TOLD)) {
    const entry = (await known.find(id)).find((one) => one.id === id);
    const isOpen = entry?.state === 'proposed' && (entry.proposedUntil ?? '') > now.toISOString();
    if (!isOpen) continue;
    const { operation, amount, currency, enteredBy, operator } = entry;
    const isBack = findOperation(operation)?.countsAs === 'refunds';
    const money = amount === null ? '' : ` of ${moneyText(amount, currency)}`;
    const by = enteredBy ?? operator;
    lines.push(
      `A ${isBack ? 'refund' : 'purchase'}${money} is proposed (${codeOf(entry)})${by ? ` by ${by}` : ''}. \`gw approve ${codeOf(entry)}\` sends it.`,
    );
  }
  return lines;
}
