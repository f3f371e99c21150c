/** Finds a proposal by the code that people say to each other. */
import { Failure } from '../../failure.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { codeOf, isCode } from '../../journal/proposals.ts';
import type { Session } from '../session.ts';

/**
 * @param code its code, or the reference of the request if one open proposal has it
 * @throws Failure notFound if no open proposal of the account has it
 */
export async function proposalOf({ gateway }: Session, code: string): Promise<LedgerEntry> {
  const open = await gateway.ledger.openProposals();
  const [named, second] = open.filter(({ reference }) => reference === code);
  const found = open.find((one) => isCode(code, codeOf(one))) ?? (second ? undefined : named);
  if (found) return found;
  throw new Failure(
    'proposal-not-found',
    'No open proposal has that code.',
    'It may be approved, rejected or too old: a proposal is open for a day. `gw proposals` lists those that are open.',
  );
}
